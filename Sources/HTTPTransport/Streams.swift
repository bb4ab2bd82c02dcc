// What a stream is to the rest of the house: an identity, a source of bytes, and a place that takes sockets in.

/// A stream by its place; a place is used again with another generation.
package struct StreamID: Hashable, Sendable {
    package let loop: UInt16
    package let slot: UInt32
    package let generation: UInt32

    package init(loop: UInt16, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }
}

/// Told what became of a request for a stream: exactly one of these, once.
package protocol StreamContext: AnyObject, Sendable {
    /// The socket is in its loop; whatever its feed has will be sent.
    func opened(_ stream: StreamID)
    /// The client left, or the socket could not be taken.
    func failed()
}

/// Takes sockets whose head has been sent.
package protocol StreamAcceptor: AnyObject, Sendable {
    /// Whether another stream may be taken.
    var hasRoom: Bool { get }
    /// Takes a descriptor; the acceptor closes it.
    func adopt(_ descriptor: Int32, _ context: any StreamContext)
}

/// Why a stream is over.
package enum StreamClosing: String, Hashable, Sendable {
    /// The client left.
    case hangup
    /// The client took nothing for too long.
    case stalled
    /// The feed ended it.
    case ended
    /// The loop stopped.
    case stopped
}

/// What a loop sends. Only the loop's thread calls it; instants are monotonic nanoseconds.
package protocol StreamFeed: AnyObject {
    func opened(_ stream: StreamID, now: Int64)
    func closed(_ stream: StreamID, reason: StreamClosing)
    /// Takes in what other threads posted.
    func receive(now: Int64)
    /// The next stream with something to send.
    func nextReady(now: Int64) -> StreamID?
    /// Appends all that a stream should get now.
    /// - Returns: Whether the stream ends after these bytes.
    func fill(_ stream: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool
    /// When something is due that nobody posts; `Int64.max` for never.
    var nextDeadline: Int64 { get }
}

/// Settings of stream loops.
package struct StreamConfiguration: Sendable {
    /// Most streams of all loops together.
    package var maximumStreams = 15_000
    /// Seconds a stream may take nothing of what waits for it.
    package var stallTimeout = 30.0
    /// Bytes of a socket's send buffer; the kernel doubles it for its own bookkeeping.
    package var sendBuffer: Int32 = 32 * 1_024
    /// Bytes that may wait unsent in a socket: beyond it a frame waits here, where a newer one can replace it.
    package var unsentLimit: Int32 = 4 * 1_024

    package init() {}
}

/// What streams did so far.
package struct StreamCounters: Hashable, Sendable {
    package var open = 0
    package var sends: UInt64 = 0
    package var bytes: UInt64 = 0
    package var stalled: UInt64 = 0
    package var refused: UInt64 = 0
}
