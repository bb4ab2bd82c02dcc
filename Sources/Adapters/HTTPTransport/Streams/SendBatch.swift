// What the streams of a loop are to be sent with one call: their bytes in a row, and whose they are.

/// Pieces that are sent together; each of another stream.
struct SendBatch {
    struct Piece {
        let slot: Int
        let descriptor: Int32
        /// The slot stands for the socket in the loop's ring.
        let isRegistered: Bool
        /// Where it is in the batch's bytes.
        let range: Range<Int>
    }

    /// A batch goes out when it has so many bytes: greetings have far more than frames.
    private static let fullSize = 256 * 1_024

    var bytes: [UInt8] = []
    private(set) var pieces: [Piece] = []

    /// Whether it is to go out before anything is added.
    var isFull: Bool { pieces.count >= SendRing.capacity || bytes.count >= Self.fullSize }

    mutating func append(_ piece: Piece) { pieces.append(piece) }

    /// Bytes from `start` on have been sent by themselves.
    mutating func dropBytes(from start: Int) {
        if start == 0 { bytes.removeAll(keepingCapacity: true) } else { bytes.removeLast(bytes.count - start) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
    }
}
