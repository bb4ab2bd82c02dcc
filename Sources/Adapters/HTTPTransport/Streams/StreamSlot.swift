// One stream's place in its loop: little more than a hundred bytes for each of many thousands.

/// A place, open or free.
struct StreamSlot {
    private(set) var outlet = StreamOutlet.nowhere
    private(set) var generation: UInt32 = 0
    /// Monotonic nanoseconds when it was opened.
    private(set) var opened: Int64 = 0
    var sentBytes: UInt64 = 0
    /// Sent before anything else; empty once sent.
    var head: [UInt8] = []
    /// Whether the rest is sent in chunks.
    private(set) var isChunked = false
    /// Bytes that the socket didn't accept, from `tailStart` on.
    var tail: [UInt8] = []
    var tailStart = 0
    /// When filling stopped, because the socket was full or its lagging client had bytes to read, or when the socket last
    /// accepted part of the tail; 0 while it isn't blocked.
    var blockedSince: Int64 = 0
    /// When filling stopped; without a meaning while it isn't blocked.
    var fullSince: Int64 = 0
    /// When the present measurement of the client's reading speed began, and what it had acknowledged then; 0 while nothing
    /// waits.
    var measuredSince: Int64 = 0
    var measuredBytes: UInt64 = 0
    /// The deadline for the client to read the stream's end.
    var endsBy = Int64.max
    /// When older bytes were last still unsent while newer ones were due.
    var lastLate: Int64 = 0
    /// The feed has more to send once the socket is free.
    var wantsFill = false
    /// The client sent input, which is read after the tail is sent.
    var hasInput = false
    /// The stream ends after the tail is sent.
    var isEnding = false
    /// Its bytes are in the loop's batch; their outcome is known when that is sent.
    var isQueued = false
    /// Its socket is registered in the loop's ring.
    var isRegistered = false
    /// Its client was late recently, so its socket is checked before it is filled.
    var isLagging = false

    var isOpen: Bool { outlet.descriptor >= 0 }
    var isBlocked: Bool { blockedSince != 0 }

    mutating func open(_ outlet: StreamOutlet, _ generation: UInt32, head: StreamHead, now: Int64) {
        self = StreamSlot(outlet: outlet, generation: generation)
        self.head = head.bytes
        isChunked = head.isChunked
        opened = now
    }

    mutating func close() {
        self = StreamSlot(generation: generation)
    }

    private init(outlet: StreamOutlet = .nowhere, generation: UInt32) {
        self.outlet = outlet
        self.generation = generation
    }

    init() {}
}
