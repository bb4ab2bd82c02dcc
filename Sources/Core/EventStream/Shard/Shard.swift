// The subscribers' side: which streams subscribe to what, and which is served next. Owned by one loop thread; no socket, no
// lock, no clock. A subscriber is a set of changed topics, never a queue of frames.

package import Base

/// The streams of one loop thread. A noncopyable value, so that exclusive access is checked at compile time and not with
/// each frame of each stream.
package struct Shard: ~Copyable {
    let configuration: ShardConfiguration
    let index: UInt16
    /// By slot, as its loop numbers them.
    var streams: [ShardStream] = []
    /// Of streams in other forms than Server-Sent Events, by slot.
    private var encoders: [Int: any StreamEncoder] = [:]
    /// By number, as the hub assigns them.
    var topics: [TopicAudience] = []
    /// Streams with something to send.
    private var ready: ReadyStreams
    /// The streams in front that waited before the last messages; frames among them come late.
    private var leftWaiting = 0
    /// Whether these messages had frames of a tick, so that the next one's come late.
    private var hasTakenFrames = false
    /// Streams that wait because of their frame rate.
    private var delayed: [Int32] = []
    private var delayDeadline = Int64.max
    /// Streams that lag or lagged recently, and when they are checked next.
    private var paced: [Int32] = []
    private var paceDeadline = Int64.max
    /// When streams are checked for heartbeats next.
    private var nextSweep = Int64.max
    /// The shortest heartbeat interval of all streams.
    private var shortestHeartbeat: Int64
    private var openCount = 0
    private var room: WaitingRoom
    /// The time of the last call.
    private var now: Int64 = 0
    private var retryDelays: JitteredRetry
    private var rotation = 0
    private let inbox: ShardInbox
    private let closedStream: @Sendable (StreamID, StreamEnd) -> Void
    private let wantsGreeting: @Sendable (StreamID) -> Void
    /// Counters that any thread may read.
    package let counters = ShardCounters()
    private var messages: [ShardMessage] = []
    /// What streams were sent, until it is published.
    private var tally = StreamStatistics()
    private var times = FrameTimes()

    /// - Parameters:
    ///   - closed: Called for each stream that has ended, with its end, so that the hub forgets it.
    ///   - wantsGreeting: Called when a stream has sent a part of its greeting, so that the hub continues it.
    package init(
        index: UInt16, inbox: ShardInbox, configuration: ShardConfiguration,
        closed: @escaping @Sendable (StreamID, StreamEnd) -> Void, wantsGreeting: @escaping @Sendable (StreamID) -> Void
    ) {
        self.index = index
        self.inbox = inbox
        self.configuration = configuration
        shortestHeartbeat = configuration.heartbeatInterval
        ready = ReadyStreams(tickRate: configuration.tickRate)
        room = WaitingRoom(maximumBytesPerStream: configuration.maximumWaitingBytes)
        retryDelays = JitteredRetry(seed: UInt64(index))
        closedStream = closed
        self.wantsGreeting = wantsGreeting
    }

    /// Bytes of named events and final frames that wait; those that wait for several streams count once.
    package var waitingBytes: Int { room.bytes }

    // MARK: - Sockets

    /// Registers a stream's socket. The hub's greeting comes through the inbox, perhaps before.
    package mutating func opened(_ key: StreamID, now: Int64) {
        if !isCurrent(key) { place(key, now: now) }
        counters.countOpenedStream()
        execute(streams[Int(key.slot)].attachSocket(now: now), Int(key.slot))
    }

    private mutating func place(_ key: StreamID, now: Int64) {
        let slot = Int(key.slot)
        while streams.count <= slot { streams.append(ShardStream()) }
        streams[slot] = ShardStream(generation: key.generation, now: now)
        ready.recordOpening(of: slot)
        openCount += 1
        if nextSweep == .max { nextSweep = now + sweepInterval }
    }

    /// Closes a stream whose socket has closed, or will never come.
    /// - Parameter end: The end as the socket's side sees it; the stream's own reason takes precedence if it has one.
    package mutating func closed(_ key: StreamID, _ end: StreamEnd = StreamEnd(.client)) {
        guard isCurrent(key) else { return }
        let end = streams[Int(key.slot)].close(&room, end)
        counters.ends.add(to: end.reason)
        detach(Int(key.slot))
        if streams[Int(key.slot)].isEncoded { encoders[Int(key.slot)] = nil }
        streams[Int(key.slot)] = ShardStream()
        openCount -= 1
        if openCount == 0 { nextSweep = .max }
        closedStream(key, end)
    }

    /// Records that a stream's client lags, or has caught up.
    package mutating func lagChanged(_ key: StreamID, isLagging: Bool, now: Int64) {
        let slot = Int(key.slot)
        guard isCurrent(key), streams[slot].recordLag(isLagging) else { return }
        paced.append(Int32(slot))
        paceDeadline = min(paceDeadline, now + ReaderPace.review)
    }

    // MARK: - Messages from the hub

    /// Handles the messages from the hub.
    package mutating func receive(now: Int64) {
        self.now = now
        leftWaiting = ready.count.plain
        hasTakenFrames = false
        var messages: [ShardMessage] = []
        swap(&messages, &self.messages)
        inbox.receive(into: &messages)
        for message in messages {
            handle(message)
            if room.bytes > configuration.maximumWaitingTotal { relieve() }
        }
        messages.removeAll(keepingCapacity: messages.count < Self.smallList)
        swap(&messages, &self.messages)
    }

    /// Larger lists are deallocated after use.
    private static var smallList: Int { 16_384 }

    private mutating func handle(_ message: ShardMessage) {
        switch message {
        case .open(let opening): open(opening)
        case .attach(let key, let form): if isCurrent(key) { attach(Int(key.slot), to: form) }
        case .detach(let key, let forms): if isCurrent(key) { detach(Int(key.slot), from: forms) }
        case .change(let key, let terms): if isCurrent(key) { change(Int(key.slot), terms) }
        case .forget(let topic): forget(topic)
        case .batch(let batch): apply(batch)
        case .greet(let portion): greet(portion)
        case .tell(let key, let bytes): send(key, bytes)
        case .end(let key, let bytes, let reason): send(key, bytes, ending: reason)
        }
    }

    private mutating func open(_ opening: ShardMessage.Opening) {
        if opening.isGreeted { place(opening.portion.key, now: now) }
        guard isCurrent(opening.portion.key) else {
            closedStream(opening.portion.key, StreamEnd(.client))
            return
        }
        streams[Int(opening.portion.key.slot)].begin(opening)
        if let encoding = opening.encoding { encoders[Int(opening.portion.key.slot)] = encoding.encoder() }
        recordHeartbeat(of: Int(opening.portion.key.slot))
        greet(opening.portion)
    }

    private mutating func change(_ slot: Int, _ terms: ShardMessage.Terms) {
        execute(streams[slot].change(terms), slot)
        recordHeartbeat(of: slot)
    }

    /// A stream's heartbeat interval may be shorter than the others', so that checks are due sooner.
    private mutating func recordHeartbeat(of slot: Int) {
        let interval = streams[slot].heartbeatInterval(configuration)
        guard interval < shortestHeartbeat else { return }
        shortestHeartbeat = interval
        nextSweep = min(nextSweep, now + sweepInterval)
    }

    private mutating func greet(_ portion: ShardMessage.GreetingChunk) {
        guard isCurrent(portion.key) else { return }
        let slot = Int(portion.key.slot)
        for topic in portion.topics { attach(slot, to: topic) }
        streams[slot].markGreeted(portion.ahead)
        execute(streams[slot].greet(portion, &room, now: now), slot)
    }

    private mutating func send(_ key: StreamID, _ bytes: [UInt8], ending reason: StreamEndReason? = nil) {
        guard isCurrent(key) else { return }
        execute(streams[Int(key.slot)].enqueue(bytes, ending: reason, &room, now: now), Int(key.slot))
    }

    private mutating func apply(_ batch: TickBatch) {
        rotation &+= 1
        let waiting = ready.count
        defer { ready.orderLast(since: waiting) }
        if batch.hasFrames, batch.tick != times.newest {
            if batch.tick.isLate || areFramesWaiting { ready.recordLateTick() }
            hasTakenFrames = true
            times.newest = batch.tick
        }
        for (place, entry) in batch.entries.enumerated() {
            let topic = Int(entry.topic)
            guard topics.indices.contains(topic) else { continue }
            if entry.kind.isEvent, topics[topic].groups.count > 1 { sendGreetedFrames(topic) }
            var piece: WaitingBytes?
            var attributed: AttributedPiece?
            let audience = entry.kind.audience
            for group in topics[topic].groups.indices {
                let isFrame = !entry.kind.isEvent
                let variant = topics[topic].groups[group].variant
                guard isFrame ? variant == entry.variant : variant >> 8 == entry.variant >> 8 else { continue }
                // proven: an entry is of its own batch.
                let bytes = batch.bytes[Int(entry.start)..<Int(entry.end)]
                if isFrame { topics[topic].setNewest(bytes, ofGroup: group) }
                if let audience {
                    recordFrame(topic, group, for: audience)
                } else {
                    let shared = piece ?? WaitingBytes(bytes)
                    if piece == nil { attributed = batch.attributions[place].map { AttributedPiece(shared, $0) } }
                    piece = shared
                    deliver(shared, attributed, entry.kind, topics[topic].groups[group])
                }
            }
        }
    }

    /// Whether frames of an earlier tick wait. Greetings and events that wait make no tick late.
    private var areFramesWaiting: Bool {
        if hasTakenFrames { return true }
        let waiting = ready.waitingPlain.prefix(leftWaiting)
        for slot in waiting where streams[Int(slot)].hasDueFrames(now: now) { return true }
        return false
    }

    /// Records a new frame for its subscribers. They start at another position each time, so that none is always last.
    private mutating func recordFrame(_ topic: Int, _ group: Int, for audience: FrameAudience) {
        let count = topics[topic].groups[group].listeners.count
        guard count > 0 else { return }
        var position = rotation % count
        for _ in 0..<count {
            let listener = topics[topic].groups[group].listeners[position]
            position += 1
            if position == count { position = 0 }
            let slot = Int(listener.slot)
            let step = streams[slot].recordFrame(on: Int(listener.link), for: audience, &tally, now: now)
            execute(step, slot)
        }
    }

    /// Sends streams that receive a topic in several forms the frame of each form, before an event that they receive once.
    private mutating func sendGreetedFrames(_ topic: Int) {
        for group in topics[topic].groups {
            var frame: WaitingBytes?
            for listener in group.listeners where streams[Int(listener.slot)].hasSeveralForms {
                let piece = frame ?? WaitingBytes(group.newest.chunk)
                frame = piece
                streams[Int(listener.slot)].sendFrame(piece, on: Int(listener.link), &room, now: now)
            }
        }
    }

    private mutating func deliver(
        _ piece: WaitingBytes, _ attributed: AttributedPiece?, _ kind: TickBatch.Entry.Kind,
        _ group: TopicAudience.Group
    ) {
        var delivery = Delivery(kind, piece, attributed, latest: group.newest.chunk)
        for listener in group.listeners {
            let slot = Int(listener.slot)
            execute(streams[slot].enqueue(&delivery, on: Int(listener.link), &room, &tally, now: now), slot)
        }
    }

    private mutating func execute(_ step: ShardStream.Step, _ slot: Int) {
        switch step {
        case .nothing: break
        case .enqueue: ready.append(slot, isRewritten: streams[slot].isEncoded)
        case .delayed(let deadline):
            delayed.append(Int32(truncatingIfNeeded: slot))
            delayDeadline = min(delayDeadline, deadline)
        case .cut: cut(slot)
        }
    }

    // MARK: - Slow streams

    /// Ends a slow stream after a `bye`; its client reconnects with its last event id and gets the rest at its own speed.
    private mutating func cut(_ slot: Int) {
        let payload = Array(#"{"reason":"slow"}"#.utf8)
        let bye = SSE.event("bye", retry: retryDelays.next(), payload: payload)
        counters.countSlowStream()
        execute(streams[slot].cut(Chunk.of(bye), &room, now: now), slot)
    }

    /// Ends streams when too much waits in total, those with the most waiting bytes first.
    private mutating func relieve() {
        var waiting: [(bytes: Int, slot: Int)] = []
        for slot in streams.indices {
            guard streams[slot].waitingEvents > 0, !streams[slot].isEnding else { continue }
            waiting.append((streams[slot].waitingBytes, slot))
        }
        for (_, slot) in waiting.sorted(by: { ($1.bytes, $0.slot) < ($0.bytes, $1.slot) }) {
            guard room.bytes > configuration.maximumWaitingTotal / 4 * 3 else { return }
            cut(slot)
        }
    }

    // MARK: - Sending

    /// Returns the next stream with something to send; each is returned once until `fill` serves it.
    package mutating func nextReady(now: Int64) -> StreamID? {
        self.now = now
        if now >= delayDeadline { releaseDelayed() }
        if now >= nextSweep { sweep() }
        if now >= paceDeadline { reviewPaces() }
        while let slot = ready.next(now: now) {
            guard let generation = streams[slot].beginTurn(now: now) else { continue }
            return StreamID(loop: index, slot: UInt32(truncatingIfNeeded: slot), generation: generation)
        }
        return nil
    }

    /// Appends what a stream sends now, each event as a chunk: queued events first, then the newest frames. If there is more
    /// than fits into one write, the stream becomes ready again. Existing bytes of the buffer belong to other streams.
    /// - Returns: Whether the stream ends after these bytes.
    package mutating func fill(_ key: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool {
        self.now = now
        let slot = Int(key.slot)
        guard isCurrent(key) else { return false }
        let isRewritten = streams[slot].isEncoded
        ready.recordTurn(of: slot, isRewritten: isRewritten)
        var encoder: (any StreamEncoder)?
        // Moved out and back, so that its rows stay uniquely owned.
        if isRewritten { swap(&encoder, &encoders[slot]) }
        let rest = streams[slot].fill(&buffer, &topics, &encoder, &room, &tally, configuration, now: now)
        if isRewritten { swap(&encoder, &encoders[slot]) }
        ready.spend(rest.work)
        if rest.hasNewest { times.streams += 1 }
        if rest.hasMore { ready.append(slot, isRewritten: isRewritten) }
        if rest.wantsGreeting { wantsGreeting(key) }
        return rest.isEnd
    }

    /// Records that the kernel has everything that was filled since the last call.
    package mutating func sent(now: Int64) {
        counters.publish(tally, waitingBytes: room.bytes)
        times.record(sentAt: now, in: counters)
    }

    // MARK: - Timers

    /// The next deadline that no message announces: a frame delayed by its rate or for want of room, a heartbeat, a check.
    package var nextDeadline: Int64 { min(delayDeadline, nextSweep, paceDeadline, ready.deadline) }

    private var sweepInterval: Int64 { min(shortestHeartbeat, configuration.maximumWait) / 8 }

    private mutating func releaseDelayed() {
        let waiting = delayed
        delayed = []
        delayDeadline = .max
        for slot in waiting { execute(streams[Int(slot)].release(now: now), Int(slot)) }
    }

    /// Finds streams that need a heartbeat or are stuck. Runs only now and then, since heartbeats need no precision.
    private mutating func sweep() {
        shortestHeartbeat = configuration.heartbeatInterval
        for slot in streams.indices {
            guard streams[slot].isOpen else { continue }
            shortestHeartbeat = min(shortestHeartbeat, streams[slot].heartbeatInterval(configuration))
            if streams[slot].isStuck(longest: configuration.maximumWait, now: now) { cut(slot) }
            if streams[slot].isSilent(configuration, now: now) { execute(streams[slot].becomeReady(), slot) }
        }
        nextSweep = openCount == 0 ? .max : now + sweepInterval
    }

    /// Lowers the rate of readers that lag, and sends them a `rate` event.
    private mutating func reviewPaces() {
        let reviewed = paced
        paced = []
        for slot in reviewed {
            let index = Int(slot)
            guard !streams[index].isPaceSettled else { continue }
            if let rate = streams[index].reviewPace(fullRate: configuration.tickRate) {
                let event = SSE.event("rate", payload: Array("{\"fps\":\(Self.text(rate))}".utf8))
                execute(streams[index].enqueue(Chunk.of(event), &room, now: now), index)
            }
            if !streams[index].isPaceSettled { paced.append(slot) }
        }
        paceDeadline = paced.isEmpty ? .max : now + ReaderPace.review
    }

    /// Formats integers without a point.
    private static func text(_ rate: Double) -> String {
        rate == rate.rounded() ? "\(Int(saturating: rate))" : "\(rate)"
    }
}
