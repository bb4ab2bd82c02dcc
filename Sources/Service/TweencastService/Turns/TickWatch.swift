// Whether the tick thread makes progress, as atomics that others can read without waiting for it.

import Base
import Synchronization

/// The tick thread's activity. It takes no lock, so that even a thread that is stuck while it holds one is detected.
final class TickWatch: Sendable {
    /// Monotonic nanoseconds at which the present piece of work began; `asleep` during sleep.
    private let workBegan = Atomic<Int64>(TickWatch.asleep)
    /// Monotonic nanoseconds at which the thread wants to wake.
    private let wakesAt = Atomic<Int64>(.max)
    /// Monotonic nanoseconds since which a message waits; `nothing` if none does.
    private let waitsSince = Atomic<Int64>(TickWatch.nothing)
    private let limit: Int64

    private static var asleep: Int64 { .min }
    private static var nothing: Int64 { .min }

    /// - Parameter seconds: The longest that a piece of work may take, or that the thread may oversleep.
    init(limit seconds: Double) {
        limit = Int64(saturating: seconds * 1e9)
    }

    // MARK: - The tick thread

    /// Records that the thread has woken or begins another piece of work.
    func begin(at now: Int64) {
        workBegan.store(now, ordering: .releasing)
        waitsSince.store(Self.nothing, ordering: .releasing)
    }

    /// Records that the thread goes to sleep or has ended.
    /// - Parameter deadline: When it wakes; nil if only a message wakes it.
    func sleep(until deadline: Int64?, at now: Int64) {
        wakesAt.store(max(deadline ?? .max, now), ordering: .releasing)
        workBegan.store(Self.asleep, ordering: .releasing)
    }

    // MARK: - Any thread

    /// Records that a message is about to be posted. Call it before the post, as the thread may take the message at once.
    func expect(at now: Int64) {
        _ = waitsSince.compareExchange(expected: Self.nothing, desired: now, ordering: .acquiringAndReleasing)
    }

    /// Returns how many seconds the thread has spent on one piece of work, or has overslept; nil within the limit.
    func stuck(at now: Int64) -> Double? {
        let began = workBegan.load(ordering: .acquiring)
        // While the thread works, messages may wait: there may be many.
        let since =
            began == Self.asleep
            ? min(wakesAt.load(ordering: .acquiring), waiting ?? .max) : began
        let length = now.subtractingSaturated(since)
        return length > limit ? Double(length) / 1e9 : nil
    }

    private var waiting: Int64? {
        let since = waitsSince.load(ordering: .acquiring)
        return since == Self.nothing ? nil : since
    }
}
