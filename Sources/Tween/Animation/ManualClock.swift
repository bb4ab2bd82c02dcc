// Time that a test moves by hand. Animations on it run to their next sleep before time goes on, so tests need no wait.

/// A clock that stands still until it is advanced.
public actor ManualClock: FrameClock {
    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let isAttended: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// Set within `attend`, so that a sleep can be told to be an animation's.
    @TaskLocal private static var isAttended = false

    /// The time now.
    public private(set) var now: Instant

    private let skipsSleep: Bool
    private var sleepers: [Sleeper] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var attended = 0
    private var lastID = 0

    /// A clock at an instant. One that skips sleep goes to each deadline at once: time passes as fast as it is asked.
    public init(at instant: Instant = Instant(nanoseconds: 0), skipsSleep: Bool = false) {
        now = instant
        self.skipsSleep = skipsSleep
    }

    /// Moves time on by `seconds`, waking everyone on the way in the order of their deadlines.
    ///
    /// Returns when every animation that runs on this clock sleeps again or is over.
    public func advance(by seconds: Double) async {
        await advance(to: now.advanced(bySeconds: seconds))
    }

    /// Moves time on to `instant`; see ``advance(by:)``. Time never goes back.
    public func advance(to instant: Instant) async {
        while true {
            while sleepers.count(where: \.isAttended) < attended { await change() }
            guard let next = sleepers.map(\.deadline).min(), next <= instant else { break }
            now = max(now, next)
            let due = sleepers.filter { $0.deadline <= now }.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
            sleepers.removeAll { $0.deadline <= now }
            for sleeper in due { sleeper.continuation.resume() }
        }
        now = max(now, instant)
    }

    /// Waits until at least `count` tasks sleep on this clock: those just started have reached their first frame.
    public func untilAsleep(_ count: Int) async {
        while sleepers.count < count { await change() }
    }

    /// Waits until the clock is advanced to `deadline`.
    public func sleep(until deadline: Instant) async throws {
        try Task.checkCancellation()
        guard deadline > now else { return }
        guard !skipsSleep else {
            now = deadline
            return
        }
        lastID += 1
        let id = lastID
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(
                    id: id, deadline: deadline, isAttended: Self.isAttended, continuation: continuation)
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    sleepers.append(sleeper)
                    wakeWaiters()
                }
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    /// Runs an animation that ``advance(by:)`` waits for at each of its frames.
    public func attend(_ animation: @Sendable () async -> Bool) async -> Bool {
        attended += 1
        let result = await Self.$isAttended.withValue(true) { await animation() }
        attended -= 1
        wakeWaiters()
        return result
    }

    private func cancel(_ id: Int) {
        guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return }
        sleepers.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    /// The next time that someone falls asleep or is done.
    private func change() async {
        await withCheckedContinuation { waiters.append($0) }
    }

    private func wakeWaiters() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}
