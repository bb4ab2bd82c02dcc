// Many motions of one track that ended within one tick because each was superseded by the next.

package import Board

/// What one event says of them all.
package struct SupersededCrowd: Hashable, Sendable {
    package var first: UInt64
    package var last: UInt64
    package var count: Int
    /// What was shown when the last of them ended.
    package var reading: Reading

    package init(first: UInt64, last: UInt64, count: Int, reading: Reading) {
        self.first = first
        self.last = last
        self.count = count
        self.reading = reading
    }
}
