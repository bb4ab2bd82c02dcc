// Time that a test moves by hand. Animations run up to their next sleep before time moves on, so tests needn't wait.

import Synchronization

/// A clock that only moves when it is advanced.
public final class ManualClock: FrameClock {
    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let loop: ObjectIdentifier?
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Instant
        var sleepers: [Sleeper] = []
        /// Loops that were woken and haven't slept again or ended.
        var awake: Set<ObjectIdentifier> = []
        /// Tasks that wait for a change of `sleepers` or `awake`.
        var waiters: [CheckedContinuation<Void, Never>] = []
        var lastID = 0
    }

    private let state: Mutex<State>
    private let skipsSleep: Bool

    /// Creates a clock at an instant. With `skipsSleep`, it jumps to each deadline at once.
    public init(at instant: Instant = Instant(nanoseconds: 0), skipsSleep: Bool = false) {
        state = Mutex(State(now: instant))
        self.skipsSleep = skipsSleep
    }

    /// The current time.
    public var now: Instant { state.withLock { $0.now } }

    /// Advances time by `seconds`, waking sleepers on the way in the order of their deadlines.
    ///
    /// Returns when every animation that it woke sleeps again or has ended: running animations, tickers, and loops over
    /// ``Frames``. So such a loop must not wait for this clock between two frames.
    public func advance(by seconds: Double) async {
        await advance(to: now.advanced(bySeconds: seconds))
    }

    /// Advances time to `instant`; see ``advance(by:)``. Time never goes back.
    public func advance(to instant: Instant) async {
        repeat { await wait(while: { !$0.awake.isEmpty }) } while wakeNext(until: instant)
        state.withLock { $0.now = max($0.now, instant) }
    }

    /// Waits until at least `count` tasks sleep on this clock, so that those just started have reached their first frame.
    public func waitForSleepers(_ count: Int) async {
        await wait(while: { $0.sleepers.count < count })
    }

    /// Waits until the clock is advanced to `deadline`.
    public func sleep(until deadline: Instant) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state -> Int? in
            guard deadline > state.now else { return nil }
            if skipsSleep { state.now = deadline }
            state.lastID += 1
            return skipsSleep ? nil : state.lastID
        }
        guard let id else { return }
        let loop = FrameLoop.current
        loop?.sleeps(on: self)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let loop = loop.map(ObjectIdentifier.init)
                add(Sleeper(id: id, deadline: deadline, loop: loop, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Removes a loop that has ended.
    func forget(_ loop: ObjectIdentifier) {
        _ = change { $0.awake.remove(loop) }
    }

    /// Wakes the sleepers with the next deadline, if it is not after `instant`.
    private func wakeNext(until instant: Instant) -> Bool {
        let due = state.withLock { state -> [Sleeper] in
            guard let next = state.sleepers.map(\.deadline).min(), next <= instant else { return [] }
            state.now = max(state.now, next)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            state.awake.formUnion(due.compactMap(\.loop))
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
        return !due.isEmpty
    }

    private func add(_ sleeper: Sleeper) {
        let isDue = change { state in
            guard sleeper.deadline > state.now else { return true }
            if let loop = sleeper.loop { state.awake.remove(loop) }
            state.sleepers.append(sleeper)
            return false
        }
        if isDue { sleeper.continuation.resume() }
        // An earlier cancellation found no sleeper yet.
        if Task.isCancelled { cancel(sleeper.id) }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            let sleeper = state.sleepers.remove(at: index)
            if let loop = sleeper.loop { state.awake.insert(loop) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Changes who sleeps or is awake, and wakes the tasks that wait for such a change.
    private func change<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in
            let result = body(&state)
            defer { state.waiters = [] }
            return (result, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return result
    }

    private func wait(while condition: @Sendable (State) -> Bool) async {
        while state.withLock({ condition($0) }) {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard condition(state) else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
    }
}
