// What the tick thread does each time it wakes. While something moves it follows an absolute timetable of ticks.

import Base
import Tween

/// Drives a node: its clock, its ticks and its turns, in this order. Owned by the thread that runs it.
struct TickDriver {
    private let node: any TickDriven
    private let clock: ServiceClock
    private let watch: TickWatch
    private let measures: Measures
    /// The newest tick that ran or passed without work.
    private var lastTick: Int64 = 0
    /// Whether the last tick left work for the next.
    private var wasTicking = false

    init(_ node: any TickDriven, clock: ServiceClock, watch: TickWatch, measures: Measures = Measures()) {
        self.node = node
        self.clock = clock
        self.watch = watch
        self.measures = measures
    }

    /// Begins with the present tick.
    mutating func begin() { lastTick = clock.currentTick }

    /// Records that its thread goes to sleep.
    /// - Returns: When it must run again, in monotonic nanoseconds; nil if only a message wakes it.
    func sleep() -> Int64? {
        let wake = nextWake
        watch.sleep(until: wake, at: clock.monotonic())
        return wake
    }

    /// Runs what is due, and as many turns as these messages need.
    mutating func run(_ messages: ArraySlice<Message>) {
        if let shift = clock.update() {
            node.shiftTimeline(byNanoseconds: shift, at: clock.now())
            // The last and the next tick are on different timetables.
            wasTicking = false
        }
        var rest = messages
        repeat {
            watch.begin(at: clock.monotonic())
            let now = clock.now()
            // Before the messages: a tick's frames show nothing that arrived after it.
            let isFree = !makeTick(dueBy: now)
            rest = rest.dropFirst(node.runTurn(with: rest, at: now))
            if isFree { node.sendEvents(at: now) }
        } while !rest.isEmpty
    }

    /// Finishes what takes several turns, for a server that stops.
    func finish() {
        node.finish { clock.now() }
        watch.sleep(until: nil, at: clock.monotonic())
    }

    /// Runs the newest tick that is due by an instant, if it has work.
    /// - Returns: false if a new tick passed without work; true otherwise.
    private mutating func makeTick(dueBy now: Instant) -> Bool {
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

    private var nextWake: Int64? {
        if node.isBusy { return 0 }
        if node.isCutShort { return clock.monotonic(ofTick: clock.currentTick + 1) }
        if node.wantsTick { return clock.monotonic(ofTick: lastTick + 1) }
        guard let due = node.nextDue.map({ clock.monotonic(of: $0) }) else { return nil }
        // The wall clock may be set while this thread sleeps, which can bring a date nearer.
        return node.waitsForDate ? min(due, clock.monotonic() + ServiceClock.lookInterval) : due
    }
}
