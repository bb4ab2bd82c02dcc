// The reminders do what their page says.

import Examples
import Foundation
import Schedules
import Testing
import Tween

@MainActor @Suite(.timeLimit(.minutes(15))) struct ReminderTests {
    /// Monday, 1 June 2026, 08:00 in Berlin.
    private let now = Instant(Date(timeIntervalSince1970: 1_780_293_600))

    @MainActor private final class Lines {
        var texts: [String] = []
    }

    @Test func `the reminder example fires when due and continues after a relaunch`() async throws {
        let clock = ManualClock(at: now)
        let shown = Lines()
        let (scheduler, token) = try remind(on: clock) { shown.texts.append($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 300)
        #expect(shown.texts == ["Tea"])
        let again = try relaunch(scheduler, on: clock)
        let other = again.onFire { shown.texts.append("again: \($0.action)") }
        scheduler.cancelAll()
        await clock.waitForSleepers(1)
        await clock.advance(by: 3_300)
        #expect(shown.texts == ["Tea", "again: Stand-up"])
        token.end()
        other.end()
    }

    @Test func `the schedule book example works without a clock`() throws {
        var book = ScheduleBook<String>()
        _ = try book.schedule(.every(3_600).times(2), "Bell", id: "bell", at: now)
        #expect(book.nextDue == now.advanced(bySeconds: 3_600))
        #expect(book.advance(to: now.advanced(bySeconds: 3_600)).count == 1)
    }
}
