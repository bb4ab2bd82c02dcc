// What waits for one stream that must not be left out, and how much waits for all of a shard.

/// Bytes that wait for the streams of a shard.
struct WaitingRoom {
    /// The most of one stream, unless one event alone is more.
    let maximumBytesPerStream: Int
    /// Bytes of memory, about; those that wait for many counted once.
    private(set) var bytes = 0

    init(maximumBytesPerStream: Int) {
        self.maximumBytesPerStream = maximumBytesPerStream
    }

    mutating func enter(_ piece: WaitingBytes) {
        if piece.holders == 0 { bytes += piece.cost }
        piece.holders += 1
    }

    mutating func leave(_ piece: WaitingBytes) {
        piece.holders -= 1
        if piece.holders == 0 { bytes -= piece.cost }
    }
}

/// What waits for one stream, in order.
struct WaitingQueue {
    private var pieces: [WaitingBytes] = []
    private(set) var bytes = 0
    /// Since when something has always waited, and how much it was then.
    private var since: Int64 = 0
    private var floor = 0

    var isEmpty: Bool { pieces.isEmpty }
    var count: Int { pieces.count }

    /// Whether a piece is what it was given last.
    func endsWith(_ piece: WaitingBytes) -> Bool { pieces.last === piece }

    /// Whether more waits than may; one piece alone may be of any size.
    func isOverfull(_ room: WaitingRoom) -> Bool { bytes > room.maximumBytesPerStream && pieces.count > 1 }

    mutating func append(_ piece: WaitingBytes, _ room: inout WaitingRoom, now: Int64) {
        room.enter(piece)
        pieces.append(piece)
        bytes += piece.bytes.count
        if pieces.count == 1 { beginWait(now) }
    }

    /// Appends pieces to a buffer until that holds `most` bytes or more.
    mutating func move(to buffer: inout [UInt8], most: Int, _ room: inout WaitingRoom) {
        var taken = 0
        for piece in pieces {
            guard buffer.count < most else { break }
            buffer.append(contentsOf: piece.bytes)
            bytes -= piece.bytes.count
            room.leave(piece)
            taken += 1
        }
        if taken == pieces.count { pieces.removeAll() } else { pieces.removeFirst(taken) }
    }

    mutating func drop(_ room: inout WaitingRoom) {
        for piece in pieces { room.leave(piece) }
        pieces = []
        bytes = 0
    }

    /// Looks at what waits: who takes less than comes never gets to the end.
    /// - Parameter longest: Nanoseconds for which it may grow.
    mutating func isStuck(longest: Int64, now: Int64) -> Bool {
        guard !pieces.isEmpty, now - since >= longest else { return false }
        if bytes > floor { return true }
        beginWait(now)
        return false
    }

    private mutating func beginWait(_ now: Int64) {
        since = now
        floor = bytes
    }
}
