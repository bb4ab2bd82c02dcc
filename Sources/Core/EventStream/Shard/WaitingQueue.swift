// The queue of one stream for what must not be dropped, and the total of all queues of a shard.

/// The bytes that wait for the streams of a shard.
struct WaitingRoom {
    /// The maximum for one stream; a single larger event is allowed.
    let maximumBytesPerStream: Int
    /// The approximate memory in bytes; what waits for several streams counts once.
    private(set) var bytes = 0

    init(maximumBytesPerStream: Int) {
        self.maximumBytesPerStream = maximumBytesPerStream
    }

    mutating func add(_ piece: WaitingBytes) {
        if piece.holders == 0 { bytes += piece.cost }
        piece.holders += 1
    }

    mutating func remove(_ piece: WaitingBytes) {
        piece.holders -= 1
        if piece.holders == 0 { bytes -= piece.cost }
    }
}

/// What waits for one stream, in order.
struct WaitingQueue {
    private var pieces: [WaitingBytes] = []
    private(set) var bytes = 0
    /// The start of the current check of a queue that never becomes empty, and the queue's size then.
    private var since: Int64 = 0
    private var floor = 0

    var isEmpty: Bool { pieces.isEmpty }
    var count: Int { pieces.count }

    /// Whether a piece was appended last.
    func endsWith(_ piece: WaitingBytes) -> Bool { pieces.last === piece }

    /// Whether the queue is too large; a single piece may have any size.
    func isOverfull(_ room: WaitingRoom) -> Bool { bytes > room.maximumBytesPerStream && pieces.count > 1 }

    mutating func append(_ piece: WaitingBytes, _ room: inout WaitingRoom, now: Int64) {
        room.add(piece)
        pieces.append(piece)
        bytes += piece.bytes.count
        if pieces.count == 1 { beginWait(now) }
    }

    /// Moves pieces to a buffer until the buffer holds `most` bytes or more.
    mutating func move(to buffer: inout [UInt8], most: Int, _ room: inout WaitingRoom) {
        var taken = 0
        for piece in pieces {
            guard buffer.count < most else { break }
            buffer.append(contentsOf: piece.bytes)
            bytes -= piece.bytes.count
            room.remove(piece)
            taken += 1
        }
        if taken == pieces.count { pieces.removeAll() } else { pieces.removeFirst(taken) }
    }

    mutating func drop(_ room: inout WaitingRoom) {
        for piece in pieces { room.remove(piece) }
        pieces = []
        bytes = 0
    }

    /// Whether the queue has grown for too long: a reader slower than its events never empties it.
    /// - Parameters:
    ///   - longest: Nanoseconds for which it may grow.
    ///   - lastTurn: When its stream last had a turn; without one since the check began, the check begins again.
    mutating func isStuck(longest: Int64, lastTurn: Int64, now: Int64) -> Bool {
        guard !pieces.isEmpty, now - since >= longest else { return false }
        if bytes > floor, lastTurn >= since { return true }
        beginWait(now)
        return false
    }

    private mutating func beginWait(_ now: Int64) {
        since = now
        floor = bytes
    }
}
