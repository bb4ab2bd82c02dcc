// What stands around the pieces of a body in chunks. The library (0.9.75) takes more than RFC 9112 allows there, and shows
// nothing of it but where it lies: before the piece that it announces, if both came together. What it announces comes alone
// at the edge of a read, and isn't seen; of the last chunk's line, and of what follows it, nothing is.

import CMicroHTTPD

/// Watches the bytes before each piece, and whether pieces go on to come.
struct ChunkWatch {
    /// The most bytes before a piece: what stands behind a chunk's size says nothing to anybody here (RFC 9112, 7.1.1).
    private static let longestLine = 4 * 1_024
    /// Looks, one after another without a byte taken, after which the library takes no more: it looks at each of its turns.
    private static let patience = 3

    /// The address of the body's first byte; 0 for a body without chunks.
    private var start = 0
    /// The address behind the last piece.
    private var last = 0
    /// Bytes of the connection that were read at the last look, and how often there were as many.
    private var taken: UInt64 = 0
    private var looks = 0

    /// - Parameter start: The address of the body's first byte.
    mutating func begin(at start: Int) {
        self.start = start
        last = start
    }

    /// - Returns: false where what stands before a piece can be read in more than one way, or is too long.
    mutating func admits(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard isNeeded, let address = unsafe piece.baseAddress.map({ Int(bitPattern: $0) }) else { return true }
        // Each read begins anew at the start, with what was not used up.
        let from = start <= last && last <= address ? last : start
        defer { last = address + piece.count }
        return address - from <= Self.longestLine && tweencast_has_odd_line(from, address) == 0
    }

    /// Looks at a connection on which bytes wait.
    /// - Parameter count: Bytes that were read of it so far.
    /// - Returns: Whether the library won't read any more: what it reads, the line of a chunk, takes all the memory there is.
    mutating func isStuck(at count: UInt64) -> Bool {
        guard isNeeded else { return false }
        looks = count == taken ? looks + 1 : 0
        taken = count
        return looks >= Self.patience
    }

    /// Whether there are chunks to be looked at.
    var isNeeded: Bool { start > 0 }

    /// Nothing more is to be looked at.
    mutating func stop() { start = 0 }
}
