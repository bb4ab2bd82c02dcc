// One stream's place in its loop: a few dozen bytes for each of many thousands.

/// A place, open or free.
struct StreamSlot {
    private(set) var outlet = StreamOutlet.nowhere
    private(set) var generation: UInt32 = 0
    /// When it was opened, in monotonic nanoseconds.
    private(set) var opened: Int64 = 0
    var sentBytes: UInt64 = 0
    /// What is sent before anything else, until that has gone.
    var head: [UInt8] = []
    /// What follows goes out in chunks.
    private(set) var isChunked = false
    /// What the socket did not take, from `tailStart` on.
    var tail: [UInt8] = []
    var tailStart = 0
    /// When the client began to take nothing; 0 while it takes all.
    var blockedSince: Int64 = 0
    /// Since when something has waited for the client without a break, and what it had taken then; 0 while nothing waits.
    var measuredSince: Int64 = 0
    var measuredBytes: UInt64 = 0
    /// When it is cut off if its end has not been taken.
    var endsBy = Int64.max
    /// When the socket last refused bytes.
    var lastRefusal: Int64 = 0
    /// The feed has more, once the socket is free.
    var wantsFill = false
    /// The client sent something that is read when the tail is out.
    var hasInput = false
    /// It ends when the tail is out.
    var isEnding = false
    /// Its bytes are in the loop's batch: what becomes of them is known when that has gone out.
    var isQueued = false
    /// Its slot stands for its socket in the loop's ring.
    var isRegistered = false
    /// It was refused lately: its socket is looked at before it is filled.
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
