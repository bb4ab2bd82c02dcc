// Whether the tick thread is alive, for those who may not wait for it: what it last said of itself, in atomics alone.

import Base
import Synchronization

/// What the tick thread does, as others see it. It takes no lock, so that a thread that holds one can be found out.
final class TickWatch: Sendable {
    /// Monotonic nanoseconds at which the piece of work began that the thread is at; `asleep` while it sleeps.
    private let workBegan = Atomic<Int64>(TickWatch.asleep)
    /// Monotonic nanoseconds at which it wants to be woken.
    private let wakesAt = Atomic<Int64>(.max)
    /// Monotonic nanoseconds since when something waits that it has not taken; `nothing` when nothing does.
    private let waitsSince = Atomic<Int64>(TickWatch.nothing)
    private let limit: Int64

    private static var asleep: Int64 { .min }
    private static var nothing: Int64 { .min }

    /// - Parameter seconds: How long a piece of work, or a sleep beyond its deadline, may last.
    init(limit seconds: Double) {
        limit = Int64(saturating: seconds * 1e9)
    }

    // MARK: - The tick thread

    /// The thread goes on: it has woken, or begins another piece of work.
    func begin(at now: Int64) {
        workBegan.store(now, ordering: .releasing)
        waitsSince.store(Self.nothing, ordering: .releasing)
    }

    /// The thread goes to sleep, or has ended.
    /// - Parameter deadline: Nil for a sleep that only a message ends.
    func sleep(until deadline: Int64?, at now: Int64) {
        wakesAt.store(max(deadline ?? .max, now), ordering: .releasing)
        workBegan.store(Self.asleep, ordering: .releasing)
    }

    // MARK: - Any thread

    /// Something is about to be posted. Before the post: afterwards the thread may have taken it already.
    func expect(at now: Int64) {
        _ = waitsSince.compareExchange(expected: Self.nothing, desired: now, ordering: .acquiringAndReleasing)
    }

    /// For how many seconds the thread has been at one piece of work, or has slept though it should not; nil while that
    /// is within the limit.
    func stuck(at now: Int64) -> Double? {
        let began = workBegan.load(ordering: .acquiring)
        // While it works, what waits may wait: there may be much of it.
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
