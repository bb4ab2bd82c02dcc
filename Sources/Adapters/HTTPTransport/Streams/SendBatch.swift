// The bytes that a loop sends with one call, and their streams.

/// Pieces that are sent together, at most one per stream.
struct SendBatch {
    struct Piece {
        let slot: Int
        let descriptor: Int32
        /// Whether the slot is registered for the socket in the loop's ring.
        let isRegistered: Bool
        /// Its range in the batch's bytes.
        let range: Range<Int>
    }

    /// A batch is sent at this many bytes, since greetings are far longer than frames.
    private static let fullSize = 256 * 1_024

    var bytes: [UInt8] = []
    private(set) var pieces: [Piece] = []

    /// Whether it must be sent before anything is added.
    var isFull: Bool { pieces.count >= SendRing.capacity || bytes.count >= Self.fullSize }

    mutating func append(_ piece: Piece) { pieces.append(piece) }

    /// Drops the bytes from `start` on, which were sent separately.
    mutating func dropBytes(from start: Int) {
        if start == 0 { bytes.removeAll(keepingCapacity: true) } else { bytes.removeLast(bytes.count - start) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
    }
}
