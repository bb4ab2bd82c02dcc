// Counts submissions that the store has not answered. Answers wait for them, and too many of them make the service reject
// changes. Written by the tick thread and the store's thread, read by the tick thread.

package import Base
package import Storage
import Synchronization

/// Submissions in flight.
package final class CommitsInFlight: Sendable {
    /// The most bytes that may wait for a commit. From here on, changes are rejected and what falls due waits.
    package static let maximumBytes = 64 << 20
    /// The most submissions that may wait. It is below the store's own limit, which should never be reached.
    package static let maximumSubmissions = 20_000

    private let submissions = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    /// The time from a submission until it is on disk or has failed.
    package let times = Histogram()

    /// The number of waiting submissions.
    package var count: Int { submissions.load(ordering: .relaxed) }
    /// The bytes of the waiting submissions.
    package var byteCount: Int { bytes.load(ordering: .relaxed) }

    /// Counts a submission of `count` bytes that goes to the store.
    package func begin(_ count: Int) {
        submissions.wrappingAdd(1, ordering: .relaxed)
        bytes.wrappingAdd(count, ordering: .relaxed)
    }

    /// Counts the store's answer to a submission of `count` bytes.
    package func end(_ count: Int, _ result: Result<Void, StoreError>) {
        // The failure is counted first, so that `isSettled` is never true in between.
        if case .failure = result { failures.wrappingAdd(1, ordering: .relaxed) }
        bytes.wrappingSubtract(count, ordering: .relaxed)
        submissions.wrappingSubtract(1, ordering: .releasing)
    }

    /// How many submissions have failed.
    var failureCount: Int { failures.load(ordering: .relaxed) }

    var isFull: Bool {
        submissions.load(ordering: .relaxed) >= Self.maximumSubmissions
            || bytes.load(ordering: .relaxed) >= Self.maximumBytes
    }

    /// Whether nothing waits, and nothing has failed since the board was restored.
    /// - Parameter known: The failure count at which the board was last restored.
    func isSettled(afterFailures known: Int) -> Bool {
        submissions.load(ordering: .acquiring) == 0 && failureCount == known
    }
}
