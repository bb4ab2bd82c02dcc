// What the store has been given and has not answered yet: an answer waits for what it rests on, and when too much waits,
// nothing more is taken. Written by the tick thread and the store's, read by the tick thread.

package import Base
package import Storage
import Synchronization

/// Submissions under way.
package final class CommitsInFlight: Sendable {
    /// The most bytes that may wait for a commit before changes are refused and what falls due waits.
    package static let maximumBytes = 64 << 20
    /// The most submissions that may wait; below the store's own limit, which nothing should meet.
    package static let maximumSubmissions = 20_000

    private let submissions = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    /// How long submissions took from here to the disk, or to their failure.
    package let times = Histogram()

    /// Submissions that wait.
    package var count: Int { submissions.load(ordering: .relaxed) }
    /// Their bytes.
    package var byteCount: Int { bytes.load(ordering: .relaxed) }

    /// Changes of so many bytes go to the store.
    package func begin(_ count: Int) {
        submissions.wrappingAdd(1, ordering: .relaxed)
        bytes.wrappingAdd(count, ordering: .relaxed)
    }

    /// The store has answered.
    package func end(_ count: Int, _ result: Result<Void, StoreError>) {
        // The failure is there before the submission is gone: at no moment does it look as if all were well.
        if case .failure = result { failures.wrappingAdd(1, ordering: .relaxed) }
        bytes.wrappingSubtract(count, ordering: .relaxed)
        submissions.wrappingSubtract(1, ordering: .releasing)
    }

    /// How often the store has refused.
    var failureCount: Int { failures.load(ordering: .relaxed) }

    var isFull: Bool {
        submissions.load(ordering: .relaxed) >= Self.maximumSubmissions
            || bytes.load(ordering: .relaxed) >= Self.maximumBytes
    }

    /// Whether the board is what the store has.
    /// - Parameter known: Failures after which the board has been set back.
    func isSettled(afterFailures known: Int) -> Bool {
        submissions.load(ordering: .acquiring) == 0 && failureCount == known
    }
}
