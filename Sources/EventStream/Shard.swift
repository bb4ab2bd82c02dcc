// The subscriber's side: which streams listen to what, and what each should be sent next. Owned by one loop thread; no
// socket, no lock, no clock. A listener is a set of topics that changed, never a queue of frames.

import Conversions
package import Primitives

/// Limits and settings of a shard.
package struct ShardConfiguration: Sendable {
    /// Seconds between heartbeats of a stream that has nothing else to send.
    package var heartbeatSeconds = 15.0
    /// Most bytes of named events that wait for one stream; over it the stream is ended as slow, and its client comes
    /// back for them.
    package var maximumWaitingBytes = 4 << 20
    /// Most bytes of named events that wait for all streams of the shard, those that wait for many counted once; over it
    /// the streams that most waits for are ended as slow.
    package var maximumWaitingTotal = 256 << 20
    /// Seconds for which what waits for a stream may grow without ever having been taken; then it is ended as slow.
    package var maximumWaitingSeconds = 30.0
    /// Bytes that a socket is given at a time: with as many in the socket and a portion of its greeting, a stream that
    /// reads nothing has less than 64 KiB waiting.
    package var maximumFill = 24 * 1_024
    /// Frames a second of a stream that keeps up and asked for no other rate.
    package var fullRate = 60.0

    package init() {}
}

/// What one stream was sent.
package struct StreamStatistics: Hashable, Sendable {
    package var frames: UInt64 = 0
    /// Frames that a newer one replaced before they were sent.
    package var leftOut: UInt64 = 0
    package var events: UInt64 = 0

    package init() {}
}

/// The streams of one loop thread.
package final class Shard {
    /// One topic of one stream.
    struct Link {
        var topic: Int32
        /// Where the stream stands among the topic's listeners.
        var place: Int32
        /// The topic's newest frame was not sent yet.
        var isDirty: Bool
    }

    struct Stream {
        var generation: UInt32 = 0
        var isOpen = false
        /// Waits in `ready`.
        var isReady = false
        /// Waits in `gated`.
        var isGated = false
        var variant: UInt8 = 0
        var once = false
        var endsWithTopic = false
        var isEnding = false
        /// Its greeting goes on once it has taken this much.
        var hasMoreGreeting = false
        /// Nanoseconds between frames: what the client asked for, or more while it lags.
        var interval: Int64 = 0
        /// What the client asked for; 0 is every tick.
        var askedInterval: Int64 = 0
        var pace = ReaderPace()
        var nextFrame: Int64 = 0
        var lastSent: Int64 = 0
        var links: [Link] = []
        /// Links whose topic has gone, to be used again.
        var freeLinks: [Int32] = []
        /// Links whose topic changed, in the order of change.
        var dirty: [Int32] = []
        /// What everyone gets: the greeting, final frames and named events, in order.
        var queue: [WaitingBytes] = []
        var queuedBytes = 0
        /// Since when something has always waited, and how much it was then.
        var waitingSince: Int64 = 0
        var waitingFloor = 0
        var statistics = StreamStatistics()
    }

    /// The listeners of one topic in one variant, and the frame they are to have.
    struct Group {
        var variant: UInt8
        var latest: [UInt8] = []
        var listeners: [Listener] = []
    }

    struct Listener {
        var slot: Int32
        var link: Int32
    }

    let configuration: ShardConfiguration
    let index: UInt16
    var streams: [Stream] = []
    var topics: [[Group]] = []
    /// Streams with something to send, in order; those before `readyStart` are done.
    var ready: [Int32] = []
    var readyStart = 0
    /// Streams that wait for their frame rate.
    var gated: [Int32] = []
    var gateDeadline = Int64.max
    /// Streams that lag or lagged lately, and when they are next looked at.
    var paced: [Int32] = []
    var paceDeadline = Int64.max
    /// When streams are next looked at for heartbeats.
    var nextSweep = Int64.max
    var openCount = 0
    /// Bytes that wait for streams, those that wait for many counted once.
    var waitingTotal = 0
    /// When it was called last.
    var now: Int64 = 0
    var retryDelays: JitteredRetry
    private var rotation = 0
    private let inbox: ShardInbox
    private let closedStream: @Sendable (StreamID) -> Void
    let wantsGreeting: @Sendable (StreamID) -> Void
    /// What others may read from their threads.
    package let counters = ShardCounters()
    private var messages: [ShardMessage] = []

    /// - Parameters:
    ///   - closed: Told of each stream that has gone, so that the hub forgets it.
    ///   - wantsGreeting: Told of each stream that has taken a part of its greeting, so that the hub goes on with it.
    package init(
        index: UInt16, inbox: ShardInbox, configuration: ShardConfiguration,
        closed: @escaping @Sendable (StreamID) -> Void, wantsGreeting: @escaping @Sendable (StreamID) -> Void
    ) {
        self.index = index
        self.inbox = inbox
        self.configuration = configuration
        retryDelays = JitteredRetry(seed: UInt64(index))
        closedStream = closed
        self.wantsGreeting = wantsGreeting
    }

    /// Named events and last frames that wait for a stream.
    package func waitingEvents(of key: StreamID) -> Int {
        isCurrent(key) ? streams[Int(key.slot)].queue.count : 0
    }

    /// Bytes of named events and last frames that wait for all streams, those that wait for many counted once.
    package var waitingBytes: Int { waitingTotal }

    /// Whether a stream ends with what is sent next.
    package func isEnding(_ key: StreamID) -> Bool { isCurrent(key) && streams[Int(key.slot)].isEnding }

    /// What a stream was sent so far.
    package func statistics(of key: StreamID) -> StreamStatistics? {
        isCurrent(key) ? streams[Int(key.slot)].statistics : nil
    }

    // MARK: - Sockets

    /// A socket took its place; the hub's greeting comes by the inbox.
    package func opened(_ key: StreamID, now: Int64) {
        let slot = Int(key.slot)
        while streams.count <= slot { streams.append(Stream()) }
        streams[slot] = Stream()
        streams[slot].generation = key.generation
        streams[slot].isOpen = true
        streams[slot].lastSent = now
        openCount += 1
        if nextSweep == .max { nextSweep = now + sweepInterval }
    }

    /// A socket has gone.
    package func closed(_ key: StreamID) {
        guard isCurrent(key) else { return }
        detachAll(Int(key.slot))
        dropQueue(Int(key.slot))
        let generation = streams[Int(key.slot)].generation
        streams[Int(key.slot)] = Stream()
        streams[Int(key.slot)].generation = generation
        openCount -= 1
        if openCount == 0 { nextSweep = .max }
        closedStream(key)
    }

    func isCurrent(_ key: StreamID) -> Bool {
        let slot = Int(key.slot)
        return streams.indices.contains(slot) && streams[slot].isOpen && streams[slot].generation == key.generation
    }

    var sweepInterval: Int64 {
        let seconds = min(configuration.heartbeatSeconds, configuration.maximumWaitingSeconds)
        return Int64(saturating: seconds * 1e9) / 8
    }

    // MARK: - From the hub

    /// Takes in what the hub posted.
    package func receive(now: Int64) {
        self.now = now
        inbox.take(into: &messages)
        for message in messages {
            switch message {
            case .open(let opening): open(opening)
            case .attach(let key, let topic): if isCurrent(key) { attach(Int(key.slot), to: topic) }
            case .forget(let topic): forget(topic)
            case .batch(let batch): apply(batch, now: now)
            case .greet(let portion): greet(portion)
            case .tell(let key, let bytes): tell(key, bytes)
            case .end(let key, let bytes): end(key, bytes)
            }
            if waitingTotal > configuration.maximumWaitingTotal { relieve() }
        }
        messages.removeAll(keepingCapacity: messages.count < Self.smallList)
    }

    /// Lists with room for more are given back when they have been used.
    private static let smallList = 16_384

    private func open(_ opening: ShardMessage.StreamOpening) {
        guard isCurrent(opening.portion.key) else {
            closedStream(opening.portion.key)
            return
        }
        let slot = Int(opening.portion.key.slot)
        streams[slot].variant = opening.variant
        streams[slot].interval = opening.interval
        streams[slot].askedInterval = opening.interval
        streams[slot].once = opening.once
        streams[slot].endsWithTopic = opening.endsWithTopic
        greet(opening.portion)
    }

    private func greet(_ portion: ShardMessage.GreetingPortion) {
        guard isCurrent(portion.key) else { return }
        let slot = Int(portion.key.slot)
        for topic in portion.topics { attach(slot, to: topic) }
        streams[slot].hasMoreGreeting = portion.hasMore
        // One with nothing to tell asks for the next all the same.
        if !portion.bytes.isEmpty { enqueue(slot, WaitingBytes(portion.bytes)) }
        if portion.isOver { streams[slot].isEnding = true }
        markReady(slot)
    }

    private func tell(_ key: StreamID, _ bytes: [UInt8]) {
        guard isCurrent(key) else { return }
        enqueue(Int(key.slot), WaitingBytes(bytes))
        markReady(Int(key.slot))
    }

    private func end(_ key: StreamID, _ bytes: [UInt8]) {
        guard isCurrent(key) else { return }
        enqueue(Int(key.slot), WaitingBytes(bytes))
        streams[Int(key.slot)].isEnding = true
        markReady(Int(key.slot))
    }

    private func apply(_ batch: TickBatch, now: Int64) {
        rotation &+= 1
        for entry in batch.entries {
            let topic = Int(entry.topic)
            guard topics.indices.contains(topic) else { continue }
            // What everyone gets is copied once, so that a stream it waits for keeps its own bytes and not the batch.
            var piece: WaitingBytes?
            for group in topics[topic].indices {
                switch entry.kind {
                case .frame, .finalFrame:
                    guard topics[topic][group].variant == entry.variant else { continue }
                    topics[topic][group].latest.removeAll(keepingCapacity: true)
                    // proven: an entry is of its own batch.
                    topics[topic][group].latest.append(contentsOf: batch.bytes[Int(entry.start)..<Int(entry.end)])
                    entry.kind == .frame
                        ? markDirty(topic, group, now: now) : deliver(batch, entry, topic, group, &piece)
                case .event, .completion, .removal:
                    deliver(batch, entry, topic, group, &piece)
                }
            }
        }
    }

    /// A frame: its listeners are to have the newest. The order begins elsewhere each time, so that none is always last.
    private func markDirty(_ topic: Int, _ group: Int, now: Int64) {
        let count = topics[topic][group].listeners.count
        guard count > 0 else { return }
        var position = rotation % count
        for _ in 0..<count {
            let listener = topics[topic][group].listeners[position]
            position += 1
            if position == count { position = 0 }
            let slot = Int(listener.slot), link = Int(listener.link)
            if streams[slot].links[link].isDirty {
                streams[slot].statistics.leftOut += 1
                continue
            }
            streams[slot].links[link].isDirty = true
            streams[slot].dirty.append(listener.link)
            if streams[slot].interval > 0, now < streams[slot].nextFrame {
                gate(slot)
            } else {
                markReady(slot)
            }
        }
    }

    /// What everyone gets. A frame that was not sent yet goes before an event of its topic, or gives way to a final one.
    private func deliver(
        _ batch: TickBatch, _ entry: TickBatch.Entry, _ topic: Int, _ group: Int, _ shared: inout WaitingBytes?
    ) {
        guard !topics[topic][group].listeners.isEmpty else { return }
        // proven: an entry is of its own batch.
        let piece = shared ?? WaitingBytes(batch.bytes[Int(entry.start)..<Int(entry.end)])
        shared = piece
        var latest: WaitingBytes?
        for listener in topics[topic][group].listeners {
            let slot = Int(listener.slot), link = Int(listener.link)
            if streams[slot].links[link].isDirty {
                streams[slot].links[link].isDirty = false
                if entry.kind != .finalFrame {
                    let frame = latest ?? WaitingBytes(topics[topic][group].latest)
                    latest = frame
                    enqueue(slot, frame)
                } else {
                    streams[slot].statistics.leftOut += 1
                }
            }
            enqueue(slot, piece)
            if entry.kind == .completion, streams[slot].once { streams[slot].isEnding = true }
            if entry.kind == .removal, streams[slot].endsWithTopic { streams[slot].isEnding = true }
            if entry.kind == .finalFrame {
                streams[slot].statistics.frames += 1
            } else {
                streams[slot].statistics.events += 1
            }
            markReady(slot)
        }
    }

    func markReady(_ slot: Int) {
        guard !streams[slot].isReady else { return }
        streams[slot].isReady = true
        ready.append(Int32(slot))
    }

    private func gate(_ slot: Int) {
        gateDeadline = min(gateDeadline, streams[slot].nextFrame)
        guard !streams[slot].isGated else { return }
        streams[slot].isGated = true
        gated.append(Int32(slot))
    }
}
