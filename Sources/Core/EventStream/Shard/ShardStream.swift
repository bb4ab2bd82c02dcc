// A stream as its shard knows it: what it hears, what waits for it, and what it is told next. It knows no other stream and
// no socket; what its shard has to do after a call is what the call returns.

import Base

/// What one stream was sent.
package struct StreamStatistics: Hashable, Sendable {
    package var frames: UInt64 = 0
    /// Frames that a newer one replaced before they were sent, and not since the client asked for fewer.
    package var leftOut: UInt64 = 0
    package var events: UInt64 = 0

    package init() {}
}

/// A place of a shard, and the stream that is open there.
struct ShardStream {
    /// What its shard does with it after it was told something.
    enum Step {
        case nothing
        /// It has something to send; said once until it is filled.
        case enqueue
        /// It has a frame, but for its rate not before an instant; said once until its gate opens.
        case gate(until: Int64)
        /// More waits for it than may.
        case cut
    }

    /// What a portion leaves.
    struct Rest {
        /// It ends after this portion.
        var isEnd = false
        /// There is more, in the next portion.
        var hasMore = false
        /// The hub is to go on with its greeting.
        var wantsGreeting = false
        /// Frames are in it, of one that asks for every tick's and keeps up.
        var hasNewest = false
    }

    private static let heartbeat = Chunk.of(SSE.heartbeat)

    /// One topic of the stream.
    struct Link {
        // In this order it takes 12 bytes.
        let topic: Int32
        /// Where the stream stands among the topic's listeners.
        var place: Int32
        let variant: UInt16
        /// The topic's newest frame was not sent yet.
        var isDirty = false
        /// The stream was told what the topic's other listeners are still to be shown.
        var isGreeted = false
    }

    /// Somebody has the place.
    let isOpen: Bool
    /// Its turns come from then on.
    private var hasSocket = false
    /// Its greeting goes on once it has taken this much.
    private var hasMoreGreeting = false
    let generation: UInt32
    /// It may hear a topic in several forms.
    private(set) var hasSeveralForms = false
    /// Seconds of silence before a heartbeat; 0 is the shard's.
    private var heartbeat: UInt8 = 0
    private var once = false
    private var readable: TopicSelection?
    private var endsWithTopic = false
    /// It is sent lines of JSON in place of events.
    private(set) var isLines = false
    /// Why it ends with what is sent next; nil while it goes on.
    private var ending: StreamEndReason?
    private var isReady = false
    private var isGated = false
    private var pace = ReaderPace()
    private var lastSent: Int64
    private(set) var links = SlotTable<Link>()
    /// Links whose topic changed, in the order of change; some may have gone, or been told of an event since.
    private var dirty: [Int32] = []
    /// What everyone gets: the greeting, final frames and named events, in order.
    private var queue = WaitingQueue()
    private(set) var statistics = StreamStatistics()

    /// A stream whose socket is to come.
    init(generation: UInt32, now: Int64) {
        isOpen = true
        self.generation = generation
        lastSent = now
    }

    /// A place where none is.
    init() {
        isOpen = false
        generation = 0
        lastSent = 0
    }

    /// It ends with what is sent next.
    var isEnding: Bool { ending != nil }

    /// Named events and last frames that wait for it.
    var waitingEvents: Int { queue.count }
    var waitingBytes: Int { queue.bytes }

    /// Its socket is there: what it was told before that goes out now.
    mutating func takeSocket(now: Int64) -> Step {
        hasSocket = true
        lastSent = now
        return isReady ? .enqueue : .nothing
    }

    // MARK: - What it hears

    /// Takes what its client asked for.
    mutating func begin(_ opening: ShardMessage.Opening) {
        endsWithTopic = opening.endsWithTopic
        isLines = opening.isLines
        _ = change(opening.terms)
    }

    /// Takes what its client asks for from now on.
    mutating func change(_ terms: ShardMessage.Terms) -> Step {
        once = terms.once
        readable = terms.readable
        // Its client counts on what it was promised.
        if terms.heartbeat > 0 { heartbeat = terms.heartbeat }
        hasSeveralForms = terms.hasSeveralForms
        pace.ask(terms.interval)
        // What waited for the old rate may go.
        guard isGated else { return .nothing }
        isGated = false
        return becomeReady()
    }

    /// - Parameter place: Where it stands among the topic's listeners.
    /// - Returns: The link.
    mutating func link(to topic: Int32, _ variant: UInt16, place: Int32) -> Int {
        links.insert(Link(topic: topic, place: place, variant: variant))
    }

    mutating func move(link: Int, to place: Int32) { links.update(link) { $0.place = place } }

    /// Its topic has gone.
    mutating func unlink(_ link: Int) { links.remove(at: link) }

    // MARK: - What it is told

    /// It was told of these what the topic's other listeners are still to be shown.
    mutating func markGreeted(_ forms: [TopicForm]) {
        guard !forms.isEmpty else { return }
        let told = Set(forms)
        for (number, link) in links.slots.enumerated() {
            guard let link, told.contains(TopicForm(link.topic, Variant(rawValue: link.variant))) else { continue }
            links.update(number) { $0.isGreeted = true }
        }
    }

    /// The topic of a link has a newer frame.
    mutating func recordFrame(
        on link: Int, for audience: FrameAudience, _ tally: inout StreamStatistics, now: Int64
    ) -> Step {
        switch links.update(link, { $0.recordFrame(for: audience) }) ?? .none {
        case .none: return .nothing
        case .replacing:
            leaveOutFrame(&tally)
            return .nothing
        case .first: break
        }
        dirty.append(Int32(truncatingIfNeeded: link))
        if pace.isDue(now) { return becomeReady() }
        guard !isGated else { return .nothing }
        isGated = true
        return .gate(until: pace.nextFrame)
    }

    /// What everyone gets. A frame that was not sent yet goes before an event of its topic, or gives way to a final one.
    mutating func take(
        _ delivery: inout Delivery, on link: Int, _ room: inout WaitingRoom, _ tally: inout StreamStatistics, now: Int64
    ) -> Step {
        let piece = delivery.piece(for: readable)
        // A stream that hears the topic in several forms comes by here for each.
        if queue.endsWith(piece) { return .nothing }
        let hasFrame = links.update(link) { $0.becomeClean() } == true
        if delivery.kind == .finalFrame {
            links.update(link) { $0.isGreeted = false }
            if hasFrame { leaveOutFrame(&tally) }
            statistics.frames += 1
            tally.frames += 1
        } else {
            if hasFrame { wait(delivery.frame, &room, now) }
            statistics.events += 1
            tally.events += 1
        }
        wait(piece, &room, now)
        let step = settle(room)
        if delivery.kind == .completion, once { end(.completed) }
        if delivery.kind == .removal, endsWithTopic { end(.removed) }
        return step
    }

    /// A frame that was not sent gives way to a newer one. What the client asked to do without it doesn't miss.
    private mutating func leaveOutFrame(_ tally: inout StreamStatistics) {
        guard !(isGated && pace.isAsAsked) else { return }
        statistics.leftOut += 1
        tally.leftOut += 1
    }

    /// A frame that was not sent yet is to go before an event of its topic.
    mutating func sendFrame(_ frame: WaitingBytes, on link: Int, _ room: inout WaitingRoom, now: Int64) {
        if links.update(link, { $0.becomeClean() }) == true { wait(frame, &room, now) }
    }

    /// A part of its greeting. One with nothing to tell asks for the next all the same.
    mutating func greet(_ portion: ShardMessage.GreetingChunk, _ room: inout WaitingRoom, now: Int64) -> Step {
        hasMoreGreeting = portion.hasMore
        if !portion.bytes.isEmpty { wait(WaitingBytes(portion.bytes), &room, now) }
        defer { if portion.isOver { end(.completed) } }
        return settle(room)
    }

    /// What it alone is told.
    /// - Parameter reason: Why the stream ends after it; nil where it goes on.
    mutating func tell(
        _ bytes: [UInt8], ending reason: StreamEndReason? = nil, _ room: inout WaitingRoom, now: Int64
    ) -> Step {
        wait(WaitingBytes(bytes), &room, now)
        defer { if let reason { end(reason) } }
        return settle(room)
    }

    private mutating func end(_ reason: StreamEndReason) { ending = ending ?? reason }

    /// Ends it, since it doesn't take what it is sent: what waits for it is let go.
    mutating func cut(_ bye: [UInt8], _ room: inout WaitingRoom, now: Int64) -> Step {
        queue.drop(&room)
        for link in dirty { links.update(Int(link)) { $0.isDirty = false } }
        dirty = []
        hasMoreGreeting = false
        queue.append(WaitingBytes(bye), &room, now: now)
        end(.slow)
        return becomeReady()
    }

    /// Its socket has gone: nothing waits for it any more.
    /// - Parameter end: As the socket's side has it.
    /// - Returns: The whole of it.
    mutating func close(_ room: inout WaitingRoom, _ end: StreamEnd) -> StreamEnd {
        queue.drop(&room)
        var whole = end
        whole.statistics = statistics
        switch end.reason {
        // It was told, and did not take it.
        case .stalled, .abandoned: break
        default: whole.reason = ending ?? end.reason
        }
        return whole
    }

    private mutating func wait(_ piece: WaitingBytes, _ room: inout WaitingRoom, _ now: Int64) {
        if !isEnding { queue.append(piece, &room, now: now) }
    }

    private mutating func settle(_ room: WaitingRoom) -> Step {
        !isEnding && queue.isOverfull(room) ? .cut : becomeReady()
    }

    /// Has it filled when its turn comes.
    mutating func becomeReady() -> Step {
        guard !isReady else { return .nothing }
        isReady = true
        return hasSocket ? .enqueue : .nothing
    }

    // MARK: - What goes out

    /// Its turn has come.
    /// - Returns: Its generation; nil when it has nothing to send any more.
    mutating func takeTurn() -> UInt32? {
        defer { isReady = false }
        return isReady ? generation : nil
    }

    /// Appends what it should get now, in one piece: what everyone gets, then the newest frames.
    mutating func fill(
        _ buffer: inout [UInt8], _ topics: [TopicAudience], _ room: inout WaitingRoom,
        _ tally: inout StreamStatistics, _ configuration: ShardConfiguration, now: Int64
    ) -> Rest {
        isReady = false
        let start = buffer.count
        if !queue.isEmpty { queue.move(to: &buffer, most: start + configuration.maximumFill, &room) }
        guard queue.isEmpty else {
            (lastSent, isReady) = (now, true)
            return Rest(hasMore: true)
        }
        var rest = Rest(isEnd: isEnding)
        if !isEnding {
            rest.wantsGreeting = hasMoreGreeting
            hasMoreGreeting = false
            if !dirty.isEmpty, pace.isDue(now) {
                let before = statistics.frames
                isReady = !appendFrames(of: topics, most: start + configuration.maximumFill, now: now, to: &buffer)
                rest.hasMore = isReady
                tally.frames += statistics.frames - before
                rest.hasNewest = statistics.frames > before && pace.takesEveryTick
            }
            if buffer.count == start, isSilent(configuration, now: now) { buffer.append(contentsOf: Self.heartbeat) }
        }
        if buffer.count > start { lastSent = now }
        return rest
    }

    /// - Returns: Whether these are all.
    private mutating func appendFrames(
        of topics: [TopicAudience], most: Int, now: Int64, to buffer: inout [UInt8]
    ) -> Bool {
        var taken = 0
        while taken < dirty.count, buffer.count < most {
            let link = Int(dirty[taken])
            taken += 1
            let heard = links.update(link) { $0.becomeClean() ? (topic: $0.topic, variant: $0.variant) : nil } ?? nil
            guard let heard else { continue }
            if topics[Int(heard.topic)].append(heard.variant, to: &buffer) { statistics.frames += 1 }
        }
        guard taken == dirty.count else {
            dirty.removeFirst(taken)
            return false
        }
        dirty.removeAll(keepingCapacity: true)
        pace.recordFrames(at: now)
        return true
    }

    // MARK: - What its shard looks at now and then

    /// Whether it is to be sent a heartbeat if there is nothing else.
    func isSilent(_ configuration: ShardConfiguration, now: Int64) -> Bool {
        now - lastSent >= heartbeatInterval(configuration)
    }

    /// Nanoseconds of silence after which it is sent a heartbeat.
    func heartbeatInterval(_ configuration: ShardConfiguration) -> Int64 {
        heartbeat == 0 ? configuration.heartbeatInterval : Int64(heartbeat) * 1_000_000_000
    }

    /// Looks at its gate.
    mutating func passGate(now: Int64) -> Step {
        guard isGated else { return .nothing }
        guard pace.isDue(now) else { return .gate(until: pace.nextFrame) }
        isGated = false
        return becomeReady()
    }

    /// Its client began to lag behind what is sent to it, or has caught up.
    /// - Returns: Whether its pace is to be looked at from now on.
    mutating func recordLag(_ isLagging: Bool) -> Bool {
        let wasSettled = pace.isSettled
        pace.isLagging = isLagging
        return wasSettled && !pace.isSettled
    }

    /// Looks at its pace.
    /// - Returns: Frames a second, where they changed.
    mutating func reviewPace(fullRate: Double) -> Double? {
        pace.review(leftOut: statistics.leftOut, fullRate: fullRate)
    }

    /// Whether there is nothing to look at in its pace.
    var isPaceSettled: Bool { pace.isSettled }

    /// Whether it takes less than it is sent, and has for too long.
    mutating func isStuck(longest: Int64, now: Int64) -> Bool { !isEnding && queue.isStuck(longest: longest, now: now) }
}

extension ShardStream.Link {
    /// What a newer frame is to a stream.
    fileprivate enum Newer {
        /// Nothing: it is for others.
        case none
        /// Something to send, in place of another that was not sent.
        case replacing
        case first
    }

    fileprivate mutating func recordFrame(for audience: FrameAudience) -> Newer {
        let wasGreeted = isGreeted
        isGreeted = false
        guard audience == .all || (audience == .greetedOnly) == wasGreeted else { return .none }
        defer { isDirty = true }
        return isDirty ? .replacing : .first
    }

    /// - Returns: Whether it was dirty.
    fileprivate mutating func becomeClean() -> Bool {
        defer { isDirty = false }
        return isDirty
    }
}
