// The subscriber's side: which streams listen to what, and whose turn it is. Owned by one loop thread; no socket, no lock,
// no clock. A listener is a set of topics that changed, never a queue of frames.

package import Base

/// The streams of one loop thread. A value that its one owner keeps, so that access to it is checked when it is compiled and
/// not with each frame of each stream.
package struct Shard: ~Copyable {
    let configuration: ShardConfiguration
    let index: UInt16
    /// By slot, as its loop numbers them.
    var streams: [ShardStream] = []
    /// By number, as the hub gives them.
    var topics: [TopicAudience] = []
    /// Streams with something to send.
    private var ready = TurnQueue()
    /// Streams that wait for their frame rate.
    private var gated: [Int32] = []
    private var gateDeadline = Int64.max
    /// Streams that lag or lagged lately, and when they are next looked at.
    private var paced: [Int32] = []
    private var paceDeadline = Int64.max
    /// When streams are next looked at for heartbeats.
    private var nextSweep = Int64.max
    /// The shortest time of silence after which one of them is sent a heartbeat.
    private var shortestHeartbeat: Int64
    private var openCount = 0
    private var room: WaitingRoom
    /// When it was called last.
    private var now: Int64 = 0
    private var retryDelays: JitteredRetry
    private var rotation = 0
    private let inbox: ShardInbox
    private let closedStream: @Sendable (StreamID, StreamEnd) -> Void
    private let wantsGreeting: @Sendable (StreamID) -> Void
    /// What others may read from their threads.
    package let counters = ShardCounters()
    private var messages: [ShardMessage] = []
    /// What streams were sent, until others are told of it.
    private var tally = StreamStatistics()
    private var times = FrameTimes()

    /// - Parameters:
    ///   - closed: Told of each stream that has gone, and how, so that the hub forgets it.
    ///   - wantsGreeting: Told of each stream that has taken a part of its greeting, so that the hub goes on with it.
    package init(
        index: UInt16, inbox: ShardInbox, configuration: ShardConfiguration,
        closed: @escaping @Sendable (StreamID, StreamEnd) -> Void, wantsGreeting: @escaping @Sendable (StreamID) -> Void
    ) {
        self.index = index
        self.inbox = inbox
        self.configuration = configuration
        shortestHeartbeat = configuration.heartbeatInterval
        room = WaitingRoom(maximumBytesPerStream: configuration.maximumWaitingBytes)
        retryDelays = JitteredRetry(seed: UInt64(index))
        closedStream = closed
        self.wantsGreeting = wantsGreeting
    }

    /// Named events and last frames that wait for a stream.
    package func waitingEvents(of key: StreamID) -> Int {
        isCurrent(key) ? streams[Int(key.slot)].waitingEvents : 0
    }

    /// Bytes of named events and last frames that wait for all streams, those that wait for many counted once.
    package var waitingBytes: Int { room.bytes }

    /// Whether a stream ends with what is sent next.
    package func isEnding(_ key: StreamID) -> Bool { isCurrent(key) && streams[Int(key.slot)].isEnding }

    /// What a stream was sent so far.
    package func statistics(of key: StreamID) -> StreamStatistics? {
        isCurrent(key) ? streams[Int(key.slot)].statistics : nil
    }

    private func isCurrent(_ key: StreamID) -> Bool {
        let slot = Int(key.slot)
        return streams.indices.contains(slot) && streams[slot].isOpen && streams[slot].generation == key.generation
    }

    // MARK: - Sockets

    /// A socket took its place. The hub's greeting has come by the inbox where the stream was subscribed ahead, or is to.
    package mutating func opened(_ key: StreamID, now: Int64) {
        if !isCurrent(key) { place(key, now: now) }
        counters.countOpenedStream()
        execute(streams[Int(key.slot)].takeSocket(now: now), Int(key.slot))
    }

    private mutating func place(_ key: StreamID, now: Int64) {
        let slot = Int(key.slot)
        while streams.count <= slot { streams.append(ShardStream()) }
        streams[slot] = ShardStream(generation: key.generation, now: now)
        ready.recordTurn(of: slot)
        openCount += 1
        if nextSweep == .max { nextSweep = now + sweepInterval }
    }

    /// A socket has gone, or won't come.
    /// - Parameter end: As the socket's side has it; where the stream was told of its end, that is the reason.
    package mutating func closed(_ key: StreamID, _ end: StreamEnd = StreamEnd(.client)) {
        guard isCurrent(key) else { return }
        let end = streams[Int(key.slot)].close(&room, end)
        counters.ends.add(to: end.reason)
        detach(Int(key.slot))
        streams[Int(key.slot)] = ShardStream()
        openCount -= 1
        if openCount == 0 { nextSweep = .max }
        closedStream(key, end)
    }

    /// A stream's client began to lag behind what is sent to it, or has caught up.
    package mutating func lagChanged(_ key: StreamID, isLagging: Bool, now: Int64) {
        let slot = Int(key.slot)
        guard isCurrent(key), streams[slot].recordLag(isLagging) else { return }
        paced.append(Int32(slot))
        paceDeadline = min(paceDeadline, now + ReaderPace.review)
    }

    // MARK: - From the hub

    /// Takes in what the hub posted.
    package mutating func receive(now: Int64) {
        self.now = now
        var messages: [ShardMessage] = []
        swap(&messages, &self.messages)
        inbox.take(into: &messages)
        for message in messages {
            take(message)
            if room.bytes > configuration.maximumWaitingTotal { relieve() }
        }
        messages.removeAll(keepingCapacity: messages.count < Self.smallList)
        swap(&messages, &self.messages)
    }

    /// Lists with room for more are given back when they have been used.
    private static var smallList: Int { 16_384 }

    private mutating func take(_ message: ShardMessage) {
        switch message {
        case .open(let opening): open(opening)
        case .attach(let key, let form): if isCurrent(key) { attach(Int(key.slot), to: form) }
        case .detach(let key, let forms): if isCurrent(key) { detach(Int(key.slot), from: forms) }
        case .change(let key, let terms): if isCurrent(key) { change(Int(key.slot), terms) }
        case .forget(let topic): forget(topic)
        case .batch(let batch): apply(batch)
        case .greet(let portion): greet(portion)
        case .tell(let key, let bytes): tell(key, bytes)
        case .end(let key, let bytes, let reason): tell(key, bytes, ending: reason)
        }
    }

    private mutating func open(_ opening: ShardMessage.Opening) {
        if opening.isGreeted { place(opening.portion.key, now: now) }
        guard isCurrent(opening.portion.key) else {
            closedStream(opening.portion.key, StreamEnd(.client))
            return
        }
        streams[Int(opening.portion.key.slot)].begin(opening)
        recordHeartbeat(of: Int(opening.portion.key.slot))
        greet(opening.portion)
    }

    private mutating func change(_ slot: Int, _ terms: ShardMessage.Terms) {
        execute(streams[slot].change(terms), slot)
        recordHeartbeat(of: slot)
    }

    /// A stream may be silent for less long than the others: they are looked at sooner.
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

    private mutating func tell(_ key: StreamID, _ bytes: [UInt8], ending reason: StreamEndReason? = nil) {
        guard isCurrent(key) else { return }
        execute(streams[Int(key.slot)].tell(bytes, ending: reason, &room, now: now), Int(key.slot))
    }

    private mutating func apply(_ batch: TickBatch) {
        rotation &+= 1
        let waiting = ready.count
        defer { ready.orderLast(ready.count - waiting) }
        if batch.hasFrames { times.newest = FrameTimes.Tick(number: batch.tick, instant: batch.instant) }
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
                if isFrame { topics[topic].setLatest(bytes, ofGroup: group) }
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

    /// A frame: its listeners are to have the newest. The order begins elsewhere each time, so that none is always last.
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

    /// Has streams that hear a topic in several forms be sent the frame of each before the event that follows, which they
    /// are sent once.
    private mutating func sendGreetedFrames(_ topic: Int) {
        for group in topics[topic].groups {
            var frame: WaitingBytes?
            for listener in group.listeners where streams[Int(listener.slot)].hasSeveralForms {
                let piece = frame ?? WaitingBytes(group.latest)
                frame = piece
                streams[Int(listener.slot)].sendFrame(piece, on: Int(listener.link), &room, now: now)
            }
        }
    }

    private mutating func deliver(
        _ piece: WaitingBytes, _ attributed: AttributedPiece?, _ kind: TickBatch.Entry.Kind,
        _ group: TopicAudience.Group
    ) {
        var delivery = Delivery(kind, piece, attributed, latest: group.latest)
        for listener in group.listeners {
            let slot = Int(listener.slot)
            execute(streams[slot].take(&delivery, on: Int(listener.link), &room, &tally, now: now), slot)
        }
    }

    private mutating func execute(_ step: ShardStream.Step, _ slot: Int) {
        switch step {
        case .nothing: break
        case .enqueue: ready.append(slot)
        case .gate(let deadline):
            gated.append(Int32(truncatingIfNeeded: slot))
            gateDeadline = min(gateDeadline, deadline)
        case .cut: cut(slot)
        }
    }

    // MARK: - Ends of streams that are slow

    /// Tells a stream that it is slow, and ends it: its client comes back with its last event's id, and is told the rest as
    /// it takes it.
    private mutating func cut(_ slot: Int) {
        let payload = Array(#"{"reason":"slow"}"#.utf8)
        let bye = SSE.event("bye", retry: retryDelays.next(), payload: payload)
        counters.countSlowStream()
        execute(streams[slot].cut(Chunk.of(bye), &room, now: now), slot)
    }

    /// Makes room where too much waits for all: those that most waits for go first.
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

    // MARK: - What goes out

    /// The next stream with something to send now; each is given once until `fill` takes it.
    package mutating func nextReady(now: Int64) -> StreamID? {
        self.now = now
        if now >= gateDeadline { openGates() }
        if now >= nextSweep { sweep() }
        if now >= paceDeadline { reviewPaces() }
        while let slot = ready.next() {
            guard let generation = streams[slot].takeTurn() else { continue }
            return StreamID(loop: index, slot: UInt32(truncatingIfNeeded: slot), generation: generation)
        }
        return nil
    }

    /// Appends what a stream should get now, each event as a chunk: what everyone gets, then the newest frames. What is more
    /// than a socket is given at a time makes it ready again. What the buffer holds already is somebody else's.
    /// - Returns: Whether the stream ends after these bytes.
    package mutating func fill(_ key: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool {
        self.now = now
        let slot = Int(key.slot)
        guard isCurrent(key) else { return false }
        ready.recordTurn(of: slot)
        let start = buffer.count
        let rest = streams[slot].fill(&buffer, topics, &room, &tally, configuration, now: now)
        if streams[slot].isLines { EventLines.rewriteChunks(&buffer, from: start) }
        if rest.hasNewest { times.streams += 1 }
        if rest.hasMore { ready.append(slot) }
        if rest.wantsGreeting { wantsGreeting(key) }
        return rest.isEnd
    }

    /// All that was filled since the last call is with the kernel.
    package mutating func sent(now: Int64) {
        counters.publish(tally, waitingBytes: room.bytes)
        times.record(sentAt: now, in: counters)
    }

    // MARK: - What is due by itself

    /// When something is due that no message brings: a frame held back for its rate, a heartbeat.
    package var nextDeadline: Int64 { min(gateDeadline, nextSweep, paceDeadline) }

    private var sweepInterval: Int64 { min(shortestHeartbeat, configuration.maximumWait) / 8 }

    private mutating func openGates() {
        let waiting = gated
        gated = []
        gateDeadline = .max
        for slot in waiting { execute(streams[Int(slot)].passGate(now: now), Int(slot)) }
    }

    /// Looks for streams that were silent for a heartbeat's time; now and then, since a heartbeat needs no precision.
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

    /// Looks at readers that lag: they are sent fewer frames, and told so.
    private mutating func reviewPaces() {
        let reviewed = paced
        paced = []
        for slot in reviewed {
            let index = Int(slot)
            guard !streams[index].isPaceSettled else { continue }
            if let rate = streams[index].reviewPace(fullRate: configuration.fullRate) {
                let event = SSE.event("rate", payload: Array("{\"fps\":\(Self.text(rate))}".utf8))
                execute(streams[index].tell(Chunk.of(event), &room, now: now), index)
            }
            if !streams[index].isPaceSettled { paced.append(slot) }
        }
        paceDeadline = paced.isEmpty ? .max : now + ReaderPace.review
    }

    /// Whole numbers without a point.
    private static func text(_ rate: Double) -> String {
        rate == rate.rounded() ? "\(Int(saturating: rate))" : "\(rate)"
    }
}
