// The tick thread: sleeps until there is something to do, on an absolute timetable of ticks while something moves.

import Base
import OperatingSystem
import Tween
import Wire

/// Runs a node on a thread of its own.
final class TickLoop: @unchecked Sendable {
    // @unchecked because: once it runs, `node` is touched by the loop's thread alone.
    private let node: any TickDriven
    private let inbox: Mailbox<Message>
    private let clock: ServiceClock
    private let watch: TickWatch
    private let measures: Measures
    private var thread: OwnedThread?

    init(
        node: any TickDriven, inbox: Mailbox<Message>, clock: ServiceClock, watch: TickWatch,
        measures: Measures = Measures()
    ) {
        self.node = node
        self.inbox = inbox
        self.clock = clock
        self.watch = watch
        self.measures = measures
    }

    /// - Returns: false when no thread can be started.
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
            if let shift = clock.follow() {
                node.shiftTimeline(byNanoseconds: shift, at: clock.now())
                // The last tick and the next are on two timetables.
                wasTicking = false
            }
            var rest = messages[...]
            repeat {
                watch.begin(at: clock.monotonic())
                let now = clock.now()
                // First: the frames of a tick show nothing that came behind it.
                let isFree = !makeTick(dueBy: now)
                rest = rest.dropFirst(node.receive(rest, at: now))
                if isFree { node.sendEvents(at: now) }
            } while !rest.isEmpty
        }
        node.finish { clock.now() }
        watch.sleep(until: nil, at: clock.monotonic())
    }

    /// Sleeps until there is something to do.
    /// - Returns: false when the inbox is closed and empty.
    private func takeMessages(_ messages: inout [Message]) -> Bool {
        let wake = nextWake()
        watch.sleep(until: wake, at: clock.monotonic())
        return inbox.take(into: &messages, until: wake)
    }

    /// Makes the newest tick that is due by an instant, if it has anything to do.
    /// - Returns: Whether that tick has been made or had something to do; false when it passed without.
    private func makeTick(dueBy now: Instant) -> Bool {
        let current = clock.dueTick(at: now)
        // A clock that was set back begins anew.
        lastTick = min(lastTick, current)
        guard current > lastTick else { return true }
        let wantsTick = node.wantsTick
        if wantsTick { makeTick(current) }
        lastTick = current
        wasTicking = wantsTick && node.wantsTick
        return wantsTick
    }

    private func makeTick(_ current: Int64) {
        let begun = clock.monotonic()
        // Of one that nobody waited for, the instant may be long past.
        if wasTicking {
            measures.tickLateness.observe(nanoseconds: begun - clock.monotonic(ofTick: lastTick + 1))
        }
        // A late tick is the tick it has become, never a burst of those that were missed.
        node.tick(current, isLate: current > lastTick + 1 && wasTicking)
        measures.tickWork.observe(nanoseconds: clock.monotonic() - begun)
    }

    /// The newest tick that was made, or passed with nothing to do.
    private var lastTick: Int64 = 0
    /// The last tick was to be followed by another.
    private var wasTicking = false

    /// Monotonic nanoseconds; nil while nothing is due.
    private func nextWake() -> Int64? {
        if node.isBusy { return 0 }
        if node.isCutShort { return clock.monotonic(ofTick: clock.currentTick + 1) }
        if node.wantsTick { return clock.monotonic(ofTick: lastTick + 1) }
        guard let due = node.nextDue.map({ clock.monotonic(of: $0) }) else { return nil }
        // A date may come nearer while this thread sleeps, by the wall clock being set.
        return node.waitsForDate ? min(due, clock.monotonic() + ServiceClock.lookInterval) : due
    }
}
