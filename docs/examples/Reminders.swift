// Reminders that survive a launch: a book of schedules, stored as JSON.

import Foundation
public import Schedules

/// Tea in five minutes, and a stand-up on working days at nine in Berlin.
@MainActor
public func remind(
    on clock: any DateClock = WallClock(), show: @escaping @MainActor (String) -> Void
) throws -> (Scheduler<String>, ScheduleObservation) {
    let scheduler = Scheduler<String>(on: clock)
    let token = scheduler.onFire { show($0.action) }
    try scheduler.schedule(.after(300), "Tea", id: "tea")
    try scheduler.schedule(.every("0 9 * * MON-FRI", timeZone: "Europe/Berlin"), "Stand-up")
    return (scheduler, token)
}

/// What is left to do, from one launch to the next.
@MainActor
public func relaunch(_ scheduler: Scheduler<String>, on clock: any DateClock) throws -> Scheduler<String> {
    let stored = try JSONEncoder().encode(scheduler.book)
    return Scheduler(try JSONDecoder().decode(ScheduleBook<String>.self, from: stored), on: clock)
}
