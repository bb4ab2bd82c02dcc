// Schedules that happen by themselves, on a clock that is moved by hand.

import Foundation
import Testing
import Tween

@testable import Schedules

@MainActor @Suite(.timeLimit(.minutes(15))) struct SchedulerTests {
    private let start = Instant(Date(timeIntervalSince1970: 1_780_000_000))

    /// What was told, in words.
    @MainActor private final class Log {
        var lines: [String] = []
    }

    @Test func `firings come at their instants: the schedule's closure first, then observers`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<String>(on: clock)
        let token = scheduler.onFire { log.lines.append("\($0.action) \($0.count)") }
        try scheduler.schedule(.after(2), "tea") { log.lines.append("closure \($0.id.isEmpty ? "" : "named")") }
        try scheduler.schedule(.every(3).times(2), "bell")
        await clock.waitForSleepers(1)
        await clock.advance(by: 1.9)
        #expect(log.lines.isEmpty)
        await clock.advance(by: 10)
        #expect(log.lines == ["closure named", "tea 1", "bell 1", "bell 2"])
        #expect(scheduler.book.count == 0)
        token.end()
    }

    @Test func `a scheduler wakes for a schedule earlier than the one it waits for`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<String>(on: clock)
        let token = scheduler.onFire { log.lines.append($0.action) }
        try scheduler.schedule(.after(100), "late")
        await clock.waitForSleepers(1)
        try scheduler.schedule(.after(1), "soon", id: "soon")
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        while log.lines.isEmpty { await Task.yield() }
        #expect(log.lines == ["soon"])
        token.end()
    }

    @Test func `an observer whose token is released gets no more events`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<String>(on: clock)
        var token: ScheduleObservation? = scheduler.onEvent { _ in log.lines.append("one") }
        let other = scheduler.onEvent { _ in log.lines.append("other") }
        try scheduler.schedule(.after(1), "a", id: "a")
        #expect(log.lines == ["one", "other"] && token != nil)
        token = nil
        scheduler.cancel("a")
        other.end()
        scheduler.pauseAll()
        #expect(log.lines == ["one", "other", "other"])
    }

    @Test func `a firing may schedule its own id again`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<String>(on: clock)
        let token = scheduler.onEvent { event in
            if case .removed(let id, _) = event { log.lines.append("removed \(id)") }
        }
        try scheduler.schedule(.after(1), "a", id: "a") { _ in
            log.lines.append("first")
            _ = try? scheduler.schedule(.after(1), "a", id: "a") { _ in log.lines.append("second") }
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 5)
        #expect(log.lines == ["first", "removed a", "second", "removed a"])
        token.end()
    }

    @Test func `a schedule that another firing cancels does not fire`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<String>(on: clock)
        let token = scheduler.onFire { log.lines.append($0.id) }
        try scheduler.schedule(.after(1), "a", id: "a") { _ in scheduler.cancel("b") }
        try scheduler.schedule(.after(1), "b", id: "b")
        await clock.waitForSleepers(1)
        await clock.advance(by: 5)
        #expect(log.lines == ["a"])
        token.end()
    }

    @Test func `all observers get events in the same order, even if one causes another event`() throws {
        let (clock, first, second) = (ManualClock(at: start), Log(), Log())
        let scheduler = Scheduler<String>(ScheduleBook(isPaused: true), on: clock)
        func line(_ event: ScheduleEvent<String>) -> String {
            switch event {
            case .scheduled(let id, _): "scheduled \(id)"
            case .removed(let id, _): "removed \(id)"
            default: "other"
            }
        }
        let one = scheduler.onEvent { event in
            first.lines.append(line(event))
            if case .scheduled("a", _) = event { scheduler.cancel("a") }
        }
        let other = scheduler.onEvent { second.lines.append(line($0)) }
        try scheduler.schedule(.after(1), "N", id: "a")
        #expect(first.lines == ["scheduled a", "removed a"] && second.lines == first.lines)
        one.end()
        other.end()
    }

    @Test func `more schedules than fire at once all fire, in order`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<Int>(on: clock)
        let token = scheduler.onFire { log.lines.append("\($0.action)") }
        let count = 2 * Scheduler<Int>.maximumFiringsAtOnce + 1
        for number in 0..<count { try scheduler.schedule(.after(1), number) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(log.lines == (0..<count).map(String.init))
        token.end()
    }

    @Test func `at launch a stored book fires or skips missed schedules once observers are there`() async throws {
        let clock = ManualClock(at: start)
        var book = ScheduleBook<String>()
        _ = try book.schedule(
            .at(Date(start).addingTimeInterval(-9)), "missed", id: "m", at: start.advanced(bySeconds: -99))
        _ = try book.schedule(
            .at(Date(start).addingTimeInterval(-9)).skippingMissed(), "skipped", id: "s",
            at: start.advanced(bySeconds: -99))
        let log = Log()
        let scheduler = Scheduler(book, on: clock)
        let token = scheduler.onEvent { event in
            switch event {
            case .fired(let firing): log.lines.append("fired \(firing.id)")
            case .skipped(let id, _, _): log.lines.append("skipped \(id)")
            default: break
            }
        }
        while log.lines.count < 2 { await Task.yield() }
        #expect(log.lines == ["skipped s", "fired m"])
        token.end()
    }

    @Test func `a paused scheduler fires only after resumeAll`() async throws {
        let (clock, log) = (ManualClock(at: start), Log())
        let scheduler = Scheduler<String>(ScheduleBook(isPaused: true), on: clock)
        let token = scheduler.onFire { log.lines.append($0.action) }
        try scheduler.schedule(.after(1), "a")
        await clock.advance(by: 5)
        #expect(scheduler.isPaused && log.lines.isEmpty)
        scheduler.resumeAll()
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(log.lines == ["a"])
        token.end()
    }

    @Test func `the events sequence ends with the scheduler and keeps only the newest up to its limit`() async throws {
        let clock = ManualClock(at: start)
        var scheduler: Scheduler<String>? = Scheduler(on: clock)
        let events = try #require(scheduler?.events)
        for number in 0..<(Scheduler<String>.maximumWaitingEvents + 10) {
            try scheduler?.schedule(.after(9), "\(number)", id: "\(number)")
        }
        scheduler = nil
        var heard: [String] = []
        for await event in events {
            if case .scheduled(let id, _) = event { heard.append(id) }
        }
        #expect(heard.count == Scheduler<String>.maximumWaitingEvents && heard.first == "10")
    }

    @Test func `a scheduler without a given clock uses the system's date`() async throws {
        let scheduler = Scheduler<String>()
        let events = scheduler.events
        try scheduler.schedule(.at(.now), "now")
        for await event in events {
            if case .fired(let firing) = event {
                #expect(firing.action == "now")
                break
            }
        }
    }
}
