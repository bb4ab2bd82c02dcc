// The tick thread. It sleeps until there is work, and follows an absolute timetable of ticks while something moves.

import Base
import OperatingSystem
import Tween
import Wire

/// Runs a node on its own thread.
final class TickLoop: @unchecked Sendable {
    // @unchecked because only the loop's thread uses `node` once it runs.
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

    /// - Returns: false if no thread can be started.
    func start() -> Bool {
        let thread = OwnedThread(name: "tick") { [self] in run() }
        guard thread.start() else { return false }
        self.thread = thread
        return true
    }

    /// Waits for the loop to end, after its inbox was closed.
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
                // The last and the next tick are on different timetables.
                wasTicking = false
            }
            var rest = messages[...]
            repeat {
                watch.begin(at: clock.monotonic())
                let now = clock.now()
                // Before the messages: a tick's frames show nothing that arrived after it.
                let isFree = !makeTick(dueBy: now)
                rest = rest.dropFirst(node.runTurn(with: rest, at: now))
                if isFree { node.sendEvents(at: now) }
            } while !rest.isEmpty
        }
        node.finish { clock.now() }
        watch.sleep(until: nil, at: clock.monotonic())
    }

    /// Sleeps until there is work.
    /// - Returns: false if the inbox is closed and empty.
    private func takeMessages(_ messages: inout [Message]) -> Bool {
        let wake = nextWake()
        watch.sleep(until: wake, at: clock.monotonic())
        return inbox.take(into: &messages, until: wake)
    }

    /// Runs the newest tick that is due by an instant, if it has work.
    /// - Returns: false if a new tick passed without work; true otherwise.
    private func makeTick(dueBy now: Instant) -> Bool {
        let current = clock.dueTick(at: now)
        // After the clock was set back, count from the present tick.
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
        // Without a preceding tick, this one's instant may be long past.
        if wasTicking {
            measures.tickLateness.observe(nanoseconds: begun - clock.monotonic(ofTick: lastTick + 1))
        }
        // A late tick runs once, as the current one; missed ticks are skipped.
        node.tick(current, isLate: current > lastTick + 1 && wasTicking)
        measures.tickWork.observe(nanoseconds: clock.monotonic() - begun)
    }

    /// The newest tick that ran or passed without work.
    private var lastTick: Int64 = 0
    /// Whether the last tick left work for the next.
    private var wasTicking = false

    /// The time to wake, in monotonic nanoseconds; nil if nothing is due.
    private func nextWake() -> Int64? {
        if node.isBusy { return 0 }
        if node.isCutShort { return clock.monotonic(ofTick: clock.currentTick + 1) }
        if node.wantsTick { return clock.monotonic(ofTick: lastTick + 1) }
        guard let due = node.nextDue.map({ clock.monotonic(of: $0) }) else { return nil }
        // The wall clock may be set while this thread sleeps, which can bring a date nearer.
        return node.waitsForDate ? min(due, clock.monotonic() + ServiceClock.lookInterval) : due
    }
}
