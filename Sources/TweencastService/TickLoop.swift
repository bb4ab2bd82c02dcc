// The tick thread: sleeps until there is something to do, on an absolute timetable of ticks while something moves.

import Glibc
import Synchronization
import Tween
import Wire

/// Runs a conductor on a thread of its own.
final class TickLoop: @unchecked Sendable {
    // @unchecked because: `conductor` is touched by the loop's thread alone, once it runs; `thread` by start and join.
    private let conductor: Conductor
    private let inbox: CommandInbox<Message>
    private let clock: ServiceClock
    /// Nanoseconds between ticks.
    private let period: Int64
    private var thread: pthread_t?

    init(conductor: Conductor, inbox: CommandInbox<Message>, clock: ServiceClock, tickRate: Int) {
        self.conductor = conductor
        self.inbox = inbox
        self.clock = clock
        period = 1_000_000_000 / Int64(tickRate)
    }

    func start() {
        var handle = pthread_t()
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe pthread_create(&handle, nil, runTickLoop, owner)
        precondition(result == 0, "no thread for the tick loop")
        thread = handle
    }

    /// Waits for the loop's end, which follows the closing of its inbox.
    func join() {
        guard let handle = thread else { return }
        unsafe pthread_join(handle, nil)
        thread = nil
    }

    fileprivate func run() {
        // A slack of 1 ns instead of 50 us: the timetable is the point of this thread.
        prctl(PR_SET_TIMERSLACK, 1)
        var messages: [Message] = []
        var lastTick = Int64.min
        while true {
            let now = clock.monotonic()
            let current = now / period
            if current > lastTick, conductor.wantsTick {
                tick(current)
                lastTick = current
            }
            guard inbox.take(into: &messages, until: nextWake(after: lastTick)) else { return }
            conductor.receive(messages, at: clock.now())
        }
    }

    /// One tick; a late one is the tick it has become, never a burst of those that were missed.
    private func tick(_ number: Int64) {
        let instant = clock.instant(monotonic: number * period)
        conductor.tick(FrameStamp(unixNanoseconds: instant.nanoseconds, tick: number), at: instant)
    }

    private func nextWake(after lastTick: Int64) -> Int64? {
        if conductor.wantsTick { return (max(lastTick, clock.monotonic() / period) + 1) * period }
        return conductor.nextDue.map { clock.monotonic(of: $0) }
    }
}

private func runTickLoop(_ owner: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let owner = unsafe owner else { return nil }
    pthread_setname_np(pthread_self(), "tick")
    unsafe Unmanaged<TickLoop>.fromOpaque(owner).takeRetainedValue().run()
    return nil
}
