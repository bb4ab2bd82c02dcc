// A stream's connection: the kernel's buffers, the network, and a client that may not read.

import Base

/// How a client reads that never reads all at once.
struct ReadingPace {
    /// Bytes that it reads at a time.
    let bytes: Int
    /// Nanoseconds until it reads again.
    let pause: Int64
}

/// The way from a server's shard to a reader.
final class StreamConnection {
    private let world: World
    let id: StreamID
    /// Bytes that the kernel accepts before the client has read some.
    private let capacity: Int
    /// Bytes that wait on the client's side, which has acknowledged them.
    private let window: Int
    private let latency: Int64
    private let receive: ([UInt8]) -> Void
    private let end: () -> Void
    /// Bytes that were sent and that the client has not read.
    private var unread = 0
    private var arrived: [[UInt8]] = []
    private var hasEnded = false
    private(set) var isClosed = false
    /// Whether the streams' thread has it.
    var isAdopted = false
    /// Whether the shard has something for it that did not fit.
    var wantsFill = false
    /// Since when it accepts nothing; nil while it does.
    private(set) var fullSince: Int64?
    /// Whether the client has not read older bytes when newer ones were due, so that all must be sent before there are more.
    var isLagging = false
    /// When that was last so, on the server's clock.
    var lastLate: Int64 = 0
    /// Whether it waits until all is sent.
    private var isClearing = false
    /// Called when there is room again.
    var hasRoomAgain: () -> Void = {}
    /// Whether the client reads.
    var isReading = true { didSet { if isReading, !oldValue { read() } } }
    /// How slowly the client reads; nil if it reads all that has arrived.
    var pace: ReadingPace?
    private var isPausing = false

    /// - Parameters:
    ///   - receive: Receives what the client reads.
    ///   - end: Called when the client has read everything, or the connection broke.
    init(
        _ world: World, _ id: StreamID, capacity: Int, receive: @escaping ([UInt8]) -> Void, end: @escaping () -> Void
    ) {
        (self.world, self.id, self.capacity, window) = (world, id, capacity, capacity / 4)
        latency = world.nanoseconds(.microseconds(50)...(.milliseconds(3)))
        (self.receive, self.end) = (receive, end)
    }

    var isFull: Bool { unread >= capacity }
    /// Whether the server's side has bytes that the client's has not acknowledged.
    private var hasUnsent: Bool { unread > window }
    /// Nanoseconds for which it has accepted nothing.
    var fullTime: Int64 { fullSince.map { world.now - $0 } ?? 0 }

    /// Whether all has been sent, so that there may be more; calls `hasRoomAgain` once it is.
    func isClear() -> Bool {
        isClearing = hasUnsent
        return !isClearing
    }

    /// Whether bytes are on their way to the client, or wait for it.
    var isBehind: Bool { unread > 0 }

    /// Sends chunks.
    /// - Parameter isLast: Whether the stream ends with them.
    func send(_ chunks: [UInt8], isLast: Bool) {
        unread += chunks.count
        if isFull, fullSince == nil {
            fullSince = world.now
            if pace != nil { world.history.mark("slow reader has no room") }
        }
        world.after(latency) { [self] in
            guard !isClosed else { return }
            arrived.append(chunks)
            hasEnded = hasEnded || isLast
            if isReading { read() }
        }
    }

    private func read() {
        guard !isPausing else { return }
        for chunk in take() {
            unread -= chunk.count
            receive(chunk)
        }
        if hasEnded, arrived.isEmpty { return breakOff(after: 0) }
        guard fullSince != nil || isClearing, !isFull, !isClearing || !hasUnsent else { return }
        (fullSince, isClearing) = (nil, false)
        hasRoomAgain()
    }

    /// Takes what the client reads now, and reads the rest later.
    private func take() -> [[UInt8]] {
        defer { if pace == nil { arrived = [] } }
        guard let pace else { return arrived }
        let bytes = arrived.joined()
        arrived = bytes.count > pace.bytes ? [Array(bytes.dropFirst(pace.bytes))] : []
        isPausing = true
        world.after(pace.pause) { [self] in
            isPausing = false
            if !isClosed, isReading, !arrived.isEmpty { read() }
        }
        return [Array(bytes.prefix(pace.bytes))]
    }

    /// The client leaves, or the server dies. What has not been read is lost.
    func breakOff(after delay: Int64) {
        guard !isClosed else { return }
        isClosed = true
        world.after(delay, end)
    }
}
