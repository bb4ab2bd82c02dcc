// Checks the bytes between the pieces of a chunked body. The library (0.9.75) accepts more there than RFC 9112 allows. It
// shows only where these bytes are: before the piece that they announce, if both arrived together. A chunk line at the edge
// of a read, the last chunk's line and the trailer can't be seen.

import CMicroHTTPD

/// Checks the bytes before each piece, and whether the body still advances.
struct ChunkWatch {
    /// The most bytes before a piece. Chunk extensions have no meaning here (RFC 9112, 7.1.1).
    private static let longestLine = 4 * 1_024
    /// Consecutive checks without progress after which the library counts as stuck; it would read in each of its turns.
    private static let mostLooks = 3

    /// The address of the body's first byte; 0 if the body isn't chunked.
    private var start = 0
    /// The address after the last piece.
    private var last = 0
    /// Bytes read at the last check, and the number of checks without progress.
    private var taken: UInt64 = 0
    private var looks = 0

    /// - Parameter start: The address of the body's first byte.
    mutating func begin(at start: Int) {
        self.start = start
        last = start
    }

    /// - Returns: false if the bytes before a piece are ambiguous or too long.
    mutating func admits(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard isNeeded, let address = unsafe piece.baseAddress.map({ Int(bitPattern: $0) }) else { return true }
        // Each read begins at the buffer's start again, after any unused bytes.
        let from = start <= last && last <= address ? last : start
        defer { last = address + piece.count }
        return address - from <= Self.longestLine && tweencast_has_odd_line(from, address) == 0
    }

    /// Checks a connection on which bytes wait.
    /// - Parameter count: Bytes read from it so far.
    /// - Returns: Whether the library can't read on: a chunk line fills its memory.
    mutating func isStuck(at count: UInt64) -> Bool {
        guard isNeeded else { return false }
        looks = count == taken ? looks + 1 : 0
        taken = count
        return looks >= Self.mostLooks
    }

    /// Whether the body is chunked and still checked.
    var isNeeded: Bool { start > 0 }

    /// Ends the checks.
    mutating func stop() { start = 0 }
}
