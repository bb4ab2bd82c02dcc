// What the shards are to be sent: the batch of the present tick while it is written, and messages that wait.

import Base

/// The way from a hub to its shards. What it is given goes out in that order.
struct ShardFanOut {
    private let inboxes: [ShardInbox]
    private let configuration: HubConfiguration
    /// The batch that is being written.
    private var batch = BatchDraft()
    /// Of those of its events that name somebody, by their places in it.
    private var attributions: [Int: EventAttribution] = [:]
    /// What waits, by shard.
    private var outgoing: [[ShardMessage]]
    /// Bytes of batches that were not sent yet.
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

    mutating func beginTick(at instant: Int64, follows: Bool) {
        tick = FrameTimes.Tick(number: tick.number &+ (follows ? 1 : 2), instant: instant)
    }

    // MARK: - The batch

    /// - Returns: Whether another batch is to begin: places in one are 32 bits wide.
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
        // Not as an argument: it would be evaluated while a copy of all this is held, which has the batch copied.
        let size = batch.appendFrame(kind, topic, variant, write)
        return isFull(size)
    }

    func isFull(_ size: Int) -> Bool { size >= configuration.batchSize }

    /// Hands the batch over for a series of frames.
    mutating func beginSeries() -> FrameSeries {
        defer { batch = BatchDraft() }
        return FrameSeries(batch)
    }

    /// Takes back what `beginSeries` handed over.
    mutating func endSeries(_ series: consuming FrameSeries) { batch = series.draft() }

    // MARK: - Messages

    /// Ends the present batch: what follows comes after it for everyone.
    mutating func seal() {
        guard
            let full = batch.take(
                room: configuration.batchSize, tick: tick.number, instant: tick.instant, attributions)
        else { return }
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

    /// Adds a stream's beginning. One whose socket is still to come is of no use before that, which wakes the loop.
    mutating func append(_ opening: ShardMessage.Opening) {
        let shard = Int(opening.portion.key.loop)
        outgoing[shard].append(.open(opening))
        if opening.isGreeted, !isHeld, outgoing[shard].count == 1 {
            inboxes[shard].post(&outgoing[shard], wakes: false)
        }
    }

    // MARK: - Sending

    /// Keeps everything back until the next flush.
    mutating func hold() { isHeld = true }

    /// Sends what waits, or keeps it back; where that has come to too much, it goes out at once.
    mutating func flush(isHeld: Bool) {
        self.isHeld = isHeld
        if !isHeld { post() } else { sendIfLarge() }
    }

    /// Sends what is ready, unless it is kept back.
    mutating func send() {
        if !isHeld { post() }
    }

    /// Sends what is ready where it has come to too much to wait.
    mutating func sendIfLarge() {
        if sealedBytes >= configuration.burstSize { post() }
    }

    private mutating func post() {
        for shard in inboxes.indices { inboxes[shard].post(&outgoing[shard]) }
        sealedBytes = 0
    }
}
