// What shards are to be sent: the batch of the present tick while it is written, and waiting messages.

import Base

/// Passes messages from a hub to its shards, in order.
struct ShardFanOut {
    private let inboxes: [ShardInbox]
    private let configuration: HubConfiguration
    /// The batch that is being written.
    private var batch = BatchDraft()
    /// The attributions of events in the batch, by index.
    private var attributions: [Int: EventAttribution] = [:]
    /// Waiting messages, by shard.
    private var outgoing: [[ShardMessage]]
    /// Bytes of closed batches that were not sent yet.
    private var sealedBytes = 0
    /// Nothing is sent before the next flush.
    private(set) var isHeld = false
    /// The tick whose frames are written.
    private var tick = FrameTimes.Tick(number: 0)

    init(to inboxes: [ShardInbox], _ configuration: HubConfiguration) {
        self.inboxes = inboxes
        self.configuration = configuration
        outgoing = Array(repeating: [], count: inboxes.count)
    }

    mutating func beginTick(at instant: Int64, follows: Bool, isLate: Bool) {
        tick = FrameTimes.Tick(number: tick.number &+ (follows ? 1 : 2), instant: instant, isLate: isLate)
    }

    // MARK: - The batch

    /// - Returns: Whether to start another batch: offsets are 32 bits wide.
    mutating func append(
        _ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant,
        _ attribution: EventAttribution?
    ) -> Bool {
        if let attribution { attributions[batch.count] = attribution }
        let size = batch.append(event, kind, topic, variant)
        return isFull(size)
    }

    /// - Returns: As `append`.
    mutating func appendFrame(
        _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant, _ write: (inout [UInt8]) -> Void
    ) -> Bool {
        // Not inline as an argument: that would hold a copy of `self`, and so copy the batch.
        let size = batch.appendFrame(kind, topic, variant, write)
        return isFull(size)
    }

    func isFull(_ size: Int) -> Bool { size >= configuration.batchSize }

    /// Lends the batch for a series of frames.
    mutating func beginSeries() -> FrameSeries {
        defer { batch = BatchDraft() }
        return FrameSeries(batch)
    }

    /// Returns the batch of `beginSeries`.
    mutating func endSeries(_ series: consuming FrameSeries) { batch = series.draft() }

    // MARK: - Messages

    /// Ends the present batch: what follows comes after it on every stream.
    mutating func seal() {
        guard let full = batch.drain(room: configuration.batchSize, tick: tick, attributions) else { return }
        if !attributions.isEmpty { attributions = [:] }
        for shard in outgoing.indices { outgoing[shard].append(.batch(full)) }
        sealedBytes = sealedBytes.addingSaturated(full.bytes.count)
    }

    /// Adds a message for all shards.
    mutating func append(_ message: ShardMessage) {
        for shard in outgoing.indices { outgoing[shard].append(message) }
    }

    /// Adds a message for the shard of a stream.
    mutating func append(_ message: ShardMessage, to key: StreamID) { outgoing[Int(key.loop)].append(message) }

    /// Adds the opening of a stream. It is posted without a wake-up: the shard needs the socket too, and that wakes its
    /// loop.
    mutating func append(_ opening: ShardMessage.Opening) {
        let shard = Int(opening.portion.key.loop)
        outgoing[shard].append(.open(opening))
        if opening.isGreeted, !isHeld, outgoing[shard].count == 1 {
            inboxes[shard].post(&outgoing[shard], wakes: false)
        }
    }

    // MARK: - Sending

    /// Sends nothing until the next flush.
    mutating func hold() { isHeld = true }

    /// Sends waiting messages. With `isHeld` it keeps them, unless too many bytes are waiting.
    mutating func flush(isHeld: Bool) {
        self.isHeld = isHeld
        if !isHeld { post() } else { sendIfLarge() }
    }

    /// Sends what is ready, unless on hold.
    mutating func send() {
        if !isHeld { post() }
    }

    /// Sends what is ready if too many bytes are waiting.
    mutating func sendIfLarge() {
        if sealedBytes >= configuration.burstSize { post() }
    }

    private mutating func post() {
        for shard in inboxes.indices { inboxes[shard].post(&outgoing[shard]) }
        sealedBytes = 0
    }
}
