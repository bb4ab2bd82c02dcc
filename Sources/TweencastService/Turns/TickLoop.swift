// The tick thread: sleeps until there is something to do, on an absolute timetable of ticks while something moves.

import Conversions
import Threads
import Tween
import Wire

/// Runs a conductor on a thread of its own.
final class TickLoop: @unchecked Sendable {
    // @unchecked because: once it runs, `conductor` is touched by the loop's thread alone.
    private let conductor: any Conducting
    private let inbox: Mailbox<Message>
    private let clock: ServiceClock
    private let watch: TickWatch
    private var thread: OwnedThread?

    init(conductor: any Conducting, inbox: Mailbox<Message>, clock: ServiceClock, watch: TickWatch) {
        self.conductor = conductor
        self.inbox = inbox
        self.clock = clock
        self.watch = watch
    }

    /// - Returns: false when the system has no thread to give.
    func start() -> Bool {
        let thread = OwnedThread(name: "tick") { [self] in run() }
        guard thread.start() else { return false }
        self.thread = thread
        return true
    }

    /// Waits for the loop's end, which follows the closing of its inbox.
    func join() {
        thread?.join()
        thread = nil
    }

    private func run() {
        OwnedThread.sharpenTimers()
        var messages: [Message] = []
        lastTick = clock.currentTick
        while takeMessages(&messages) {
            if let shift = clock.follow() { conductor.shiftTimeline(byNanoseconds: shift, at: clock.now()) }
            var rest = messages[...]
            repeat {
                watch.begin(at: clock.monotonic())
                rest = rest.dropFirst(conductor.receive(rest, at: clock.now()))
                tickIfDue()
            } while !rest.isEmpty
        }
        conductor.finish { clock.now() }
        watch.sleep(until: nil, at: clock.monotonic())
    }

    /// Sleeps until there is something to do.
    /// - Returns: false when the inbox is closed and empty.
    private func takeMessages(_ messages: inout [Message]) -> Bool {
        let wake = nextWake()
        watch.sleep(until: wake, at: clock.monotonic())
        return inbox.take(into: &messages, until: wake)
    }

    private func tickIfDue() {
        let current = clock.currentTick
        // A clock that was set back begins anew.
        lastTick = min(lastTick, current)
        guard current > lastTick, conductor.wantsTick else { return }
        // A late tick is the tick it has become, never a burst of those that were missed.
        conductor.tick(current, isLate: current > lastTick + 1 && wasTicking)
        lastTick = current
        wasTicking = conductor.wantsTick
    }

    private var lastTick: Int64 = 0
    /// The last tick was to be followed by another.
    private var wasTicking = false

    /// Monotonic nanoseconds; nil while nothing is due.
    private func nextWake() -> Int64? {
        if conductor.isBusy { return 0 }
        if conductor.isCutShort { return clock.monotonic(ofTick: clock.currentTick + 1) }
        if conductor.wantsTick { return clock.monotonic(ofTick: lastTick + 1) }
        guard let due = conductor.nextDue.map({ clock.monotonic(of: $0) }) else { return nil }
        // A date may come nearer while this thread sleeps, by the wall clock being set.
        return conductor.waitsForDate ? min(due, clock.monotonic() + ServiceClock.lookInterval) : due
    }
}
