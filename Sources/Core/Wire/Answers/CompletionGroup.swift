// Motions of one track that ended within one tick without a frame of their own: superseded by the next, or over at once.

package import Board

/// The merged completion of several motions.
package struct CompletionGroup: Hashable, Sendable {
    package var first: UInt64
    package var last: UInt64
    package var count: Int
    package var reason: CompletionReason
    /// What was shown when the last of them ended.
    package var reading: Reading

    package init(first: UInt64, last: UInt64, count: Int, reason: CompletionReason, reading: Reading) {
        self.first = first
        self.last = last
        self.count = count
        self.reason = reason
        self.reading = reading
    }

    /// Adds later completions.
    package mutating func add(_ later: CompletionGroup) {
        last = later.last
        count += later.count
        reading = later.reading
    }
}
