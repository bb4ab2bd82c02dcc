// A stream's state in its shard: its subscriptions, its queue, and what it sends next. It knows no other stream and no
// socket; each call returns what its shard must do next.

import Base

/// A slot of a shard, and the stream that is open in it.
struct ShardStream {
    private static let heartbeat = Chunk.of(SSE.heartbeat)

    /// Whether the slot is in use.
    let isOpen: Bool
    /// Whether it has a socket and can be served.
    private var hasSocket = false
    /// Whether its greeting continues once this portion is sent.
    private var hasMoreGreeting = false
    let generation: UInt32
    /// Whether it may receive a topic in several forms.
    private(set) var hasSeveralForms = false
    /// Seconds of silence before a heartbeat; 0 is the shard's default.
    private var heartbeat: UInt8 = 0
    private var once = false
    private var readable: TopicSelection?
    private var endsWithTopic = false
    /// What it ends with if it answers a change.
    private var goal: StreamGoal?
    /// Whether its shard has an encoder for it.
    private(set) var isEncoded = false
    /// Whether its encoder has no room for topics that it hides.
    private var isFull = false
    /// Why it ends after what it sends next; nil while it stays open.
    private var ending: StreamEndReason?
    private var isReady = false
    private var isDelayed = false
    private var pace = ReaderPace()
    private var lastSent: Int64
    /// When it last had a turn, whether its socket had room or not.
    private var lastTurn = Int64.min
    private(set) var links = SlotTable<Link>()
    /// Links whose topic changed, in order of change; some may have been removed, or sent before an event since.
    private var dirty: [Int32] = []
    /// What is never dropped: the greeting, final frames and named events, in order.
    private var queue = WaitingQueue()
    private(set) var statistics = StreamStatistics()

    /// Creates a stream whose socket is not there yet.
    init(generation: UInt32, now: Int64) {
        isOpen = true
        self.generation = generation
        lastSent = now
    }

    /// Creates an empty slot.
    init() {
        isOpen = false
        generation = 0
        lastSent = 0
    }

    /// Whether it ends after what it sends next.
    var isEnding: Bool { ending != nil }

    /// The number of queued named events and final frames.
    var waitingEvents: Int { queue.count }
    var waitingBytes: Int { queue.bytes }

    /// Records that it has a socket: it sends now what was queued before.
    mutating func attachSocket(now: Int64) -> Step {
        hasSocket = true
        lastSent = now
        return isReady ? .enqueue : .nothing
    }

    // MARK: - Subscriptions

    /// Applies its client's options.
    mutating func begin(_ opening: ShardMessage.Opening) {
        endsWithTopic = opening.endsWithTopic
        goal = opening.goal
        isEncoded = opening.encoding != nil
        _ = change(opening.terms)
    }

    /// Applies its client's new options.
    mutating func change(_ terms: ShardMessage.Terms) -> Step {
        once = terms.once
        readable = terms.readable
        // An interval that was promised to its client stays.
        if terms.heartbeat > 0 { heartbeat = terms.heartbeat }
        hasSeveralForms = terms.hasSeveralForms
        pace.ask(terms.interval)
        // Frames that waited for the old rate may be sent.
        guard isDelayed else { return .nothing }
        isDelayed = false
        return becomeReady()
    }

    /// - Parameter place: Its index among the topic's subscribers.
    /// - Returns: The link.
    mutating func link(to topic: Int32, _ variant: UInt16, place: Int32) -> Int {
        links.insert(Link(topic: topic, place: place, variant: variant))
    }

    mutating func move(link: Int, to place: Int32) { links.update(link) { $0.place = place } }

    /// Removes the link of a topic that was removed.
    mutating func unlink(_ link: Int) { links.remove(at: link) }

    // MARK: - Receiving

    /// Marks forms whose shown state the topic's other subscribers have not seen yet.
    mutating func markGreeted(_ forms: [TopicForm]) {
        guard !forms.isEmpty else { return }
        let known = Set(forms)
        for (number, link) in links.slots.enumerated() {
            guard let link, known.contains(TopicForm(link.topic, Variant(rawValue: link.variant))) else { continue }
            links.update(number) { $0.isGreeted = true }
        }
    }

    /// Records that the topic of a link has a newer frame.
    mutating func recordFrame(
        on link: Int, for audience: FrameAudience, _ tally: inout StreamStatistics, now: Int64
    ) -> Step {
        let isFull = isFull
        switch links.update(link, { $0.recordFrame(for: audience, isFull: isFull) }) ?? .none {
        case .none: return .nothing
        case .replacing:
            skipFrame(&tally)
            return .nothing
        case .first: break
        }
        dirty.append(Int32(truncatingIfNeeded: link))
        if pace.isDue(now) { return becomeReady() }
        guard !isDelayed else { return .nothing }
        isDelayed = true
        return .delayed(until: pace.nextFrame)
    }

    /// Queues an event or final frame. An unsent frame is sent before an event of its topic, and dropped for a final frame.
    mutating func enqueue(
        _ delivery: inout Delivery, on link: Int, _ room: inout WaitingRoom, _ tally: inout StreamStatistics, now: Int64
    ) -> Step {
        let piece = delivery.piece(for: readable)
        // A stream with several forms of the topic gets here once for each.
        if queue.endsWith(piece) { return .nothing }
        let hasFrame = links.update(link) { $0.becomeCleanAndShown() } == true
        if delivery.kind == .finalFrame {
            links.update(link) { $0.isGreeted = false }
            if hasFrame { skipFrame(&tally) }
            statistics.frames += 1
            tally.frames += 1
        } else {
            if hasFrame { wait(delivery.frame, &room, now) }
            statistics.events += 1
            tally.events += 1
        }
        wait(piece, &room, now)
        let step = settle(room)
        if delivery.kind == .completion, once || goal?.isReached(by: piece.bytes) == true { end(.completed) }
        if delivery.kind == .lastFiring, goal == .firing { end(.completed) }
        if delivery.kind == .removal, endsWithTopic { end(.removed) }
        return step
    }

    /// Counts a frame that was dropped for a newer one, unless the client requested a lower rate.
    private mutating func skipFrame(_ tally: inout StreamStatistics) {
        guard !(isDelayed && pace.isAsAsked) else { return }
        statistics.leftOut += 1
        tally.leftOut += 1
    }

    /// Sends an unsent frame before an event of its topic.
    mutating func sendFrame(_ frame: WaitingBytes, on link: Int, _ room: inout WaitingRoom, now: Int64) {
        if links.update(link, { $0.becomeCleanAndShown() }) == true { wait(frame, &room, now) }
    }

    /// Queues a part of its greeting. An empty one still requests the next.
    mutating func greet(_ portion: ShardMessage.GreetingChunk, _ room: inout WaitingRoom, now: Int64) -> Step {
        hasMoreGreeting = portion.hasMore
        if !portion.bytes.isEmpty { wait(WaitingBytes(portion.bytes), &room, now) }
        defer { if portion.isOver { end(.completed) } }
        return settle(room)
    }

    /// Queues a chunk, which may be empty, for this stream only.
    /// - Parameter reason: Why the stream ends after it; nil if it stays open.
    mutating func enqueue(
        _ bytes: [UInt8], ending reason: StreamEndReason? = nil, _ room: inout WaitingRoom, now: Int64
    ) -> Step {
        if !bytes.isEmpty { wait(WaitingBytes(bytes), &room, now) }
        defer { if let reason { end(reason) } }
        return settle(room)
    }

    private mutating func end(_ reason: StreamEndReason) { ending = ending ?? reason }

    /// Ends the stream because it reads too slowly, and drops what waits for it.
    mutating func cut(_ bye: [UInt8], _ room: inout WaitingRoom, now: Int64) -> Step {
        queue.drop(&room)
        for link in dirty { links.update(Int(link)) { $0.isDirty = false } }
        dirty = []
        hasMoreGreeting = false
        queue.append(WaitingBytes(bye), &room, now: now)
        end(.slow)
        return becomeReady()
    }

    /// Closes the stream after its socket has closed.
    /// - Parameter end: The end as the socket's side sees it.
    /// - Returns: The complete end.
    mutating func close(_ room: inout WaitingRoom, _ end: StreamEnd) -> StreamEnd {
        queue.drop(&room)
        var whole = end
        whole.statistics = statistics
        switch end.reason {
        // It was sent its end but did not read it.
        case .stalled, .abandoned: break
        case .client, .completed, .removed, .slow, .expired, .revoked, .locales, .draining, .stopped:
            whole.reason = ending ?? end.reason
        }
        return whole
    }

    private mutating func wait(_ piece: WaitingBytes, _ room: inout WaitingRoom, _ now: Int64) {
        if !isEnding { queue.append(piece, &room, now: now) }
    }

    private mutating func settle(_ room: WaitingRoom) -> Step {
        !isEnding && queue.isOverfull(room) ? .cut : becomeReady()
    }

    /// Makes it ready to be filled in its turn.
    mutating func becomeReady() -> Step {
        guard !isReady else { return .nothing }
        isReady = true
        return hasSocket ? .enqueue : .nothing
    }

    // MARK: - Sending

    /// Takes its turn.
    /// - Returns: Its generation; nil when it has nothing left to send.
    mutating func beginTurn(now: Int64) -> UInt32? {
        guard isReady else { return nil }
        isReady = false
        lastTurn = now
        return generation
    }

    /// Whether it has frames that no rate delays.
    func hasDueFrames(now: Int64) -> Bool { !dirty.isEmpty && pace.isDue(now) }

    /// Appends what it sends now, in one piece: queued events, then the newest frames.
    /// - Parameter encoder: nil for Server-Sent Events.
    mutating func fill(
        _ buffer: inout [UInt8], _ topics: inout [TopicAudience], _ encoder: inout (any StreamEncoder)?,
        _ room: inout WaitingRoom, _ tally: inout StreamStatistics, _ configuration: ShardConfiguration, now: Int64
    ) -> Rest {
        isReady = false
        let start = buffer.count
        var rest = Rest()
        if !queue.isEmpty {
            queue.move(to: &buffer, most: start + configuration.maximumFill, &room)
            rewrite(&buffer, from: start, by: &encoder, &rest)
        }
        guard queue.isEmpty else {
            (lastSent, isReady, rest.hasMore) = (now, true, true)
            return rest
        }
        rest.isEnd = isEnding
        if !isEnding {
            rest.wantsGreeting = hasMoreGreeting
            hasMoreGreeting = false
            if !dirty.isEmpty, pace.isDue(now) {
                let before = statistics.frames
                let most = start + configuration.maximumFill
                isReady = !appendFrames(of: &topics, by: &encoder, most: most, &rest, now: now, to: &buffer)
                rest.hasMore = isReady
                tally.frames += statistics.frames - before
                rest.hasNewest = statistics.frames > before && pace.takesEveryTick
            }
            if buffer.count == start, isSilent(configuration, now: now) {
                buffer.append(contentsOf: Self.heartbeat)
                rewrite(&buffer, from: start, by: &encoder, &rest)
                lastSent = now
            }
        }
        if buffer.count > start { lastSent = now }
        isFull = encoder?.isFull ?? false
        return rest
    }

    private func rewrite(
        _ buffer: inout [UInt8], from start: Int, by encoder: inout (any StreamEncoder)?, _ rest: inout Rest
    ) {
        guard let size = encoder?.rewriteChunks(&buffer, from: start) else { return }
        rest.work += ReadyStreams.Work.rewriting(size)
    }

    /// - Returns: Whether no frames are left.
    private mutating func appendFrames(
        of topics: inout [TopicAudience], by encoder: inout (any StreamEncoder)?, most: Int, _ rest: inout Rest,
        now: Int64, to buffer: inout [UInt8]
    ) -> Bool {
        var taken = 0
        // Frames that show nothing fill no buffer, but are read.
        let mostWork = rest.work + ReadyStreams.Work.least
        while taken < dirty.count, buffer.count < most, rest.work < mostWork {
            let link = Int(dirty[taken])
            taken += 1
            let heard = links.update(link) { $0.becomeClean() ? (topic: $0.topic, variant: $0.variant) : nil } ?? nil
            guard let heard else { continue }
            if encoder != nil {
                append(heard.variant, of: &topics[Int(heard.topic)], on: link, by: &encoder, &rest, to: &buffer)
            } else if topics[Int(heard.topic)].append(heard.variant, to: &buffer) {
                statistics.frames += 1
            }
        }
        guard taken == dirty.count else {
            dirty.removeFirst(taken)
            return false
        }
        dirty.removeAll(keepingCapacity: true)
        pace.recordFrames(at: now)
        return true
    }

    /// Appends a topic's frame as the encoder writes it.
    private mutating func append(
        _ variant: UInt16, of topic: inout TopicAudience, on link: Int, by encoder: inout (any StreamEncoder)?,
        _ rest: inout Rest, to buffer: inout [UInt8]
    ) {
        guard let outcome = topic.append(variant, by: &encoder, on: link, to: &buffer) else { return }
        var isHidden = false
        switch outcome {
        case .hidden(let size):
            isHidden = true
            rest.work += ReadyStreams.Work.rewriting(size)
        case .shared: rest.work += ReadyStreams.Work.copy
        case .made(let size): rest.work += ReadyStreams.Work.rewriting(size)
        }
        if !isHidden { statistics.frames += 1 }
        links.update(link) { $0.isHidden = isHidden }
    }

    // MARK: - Periodic checks

    /// Whether a heartbeat is due if there is nothing else to send.
    func isSilent(_ configuration: ShardConfiguration, now: Int64) -> Bool {
        now - lastSent >= heartbeatInterval(configuration)
    }

    /// Returns the nanoseconds of silence after which a heartbeat is due.
    func heartbeatInterval(_ configuration: ShardConfiguration) -> Int64 {
        heartbeat == 0 ? configuration.heartbeatInterval : Int64(heartbeat) * 1_000_000_000
    }

    /// Releases its delayed frame if it is due.
    mutating func release(now: Int64) -> Step {
        guard isDelayed else { return .nothing }
        guard pace.isDue(now) else { return .delayed(until: pace.nextFrame) }
        isDelayed = false
        return becomeReady()
    }

    /// Records that its client lags, or has caught up.
    /// - Returns: Whether its pace needs checks from now on.
    mutating func recordLag(_ isLagging: Bool) -> Bool {
        let wasSettled = pace.isSettled
        pace.isLagging = isLagging
        return wasSettled && !pace.isSettled
    }

    /// Checks its pace.
    /// - Returns: The new rate in frames a second; nil if it did not change.
    mutating func reviewPace(fullRate: Double) -> Double? {
        pace.review(leftOut: statistics.leftOut, fullRate: fullRate)
    }

    /// Whether its pace needs no checks.
    var isPaceSettled: Bool { pace.isSettled }

    /// Whether it has read less than it is sent for too long. While its shard gives it no turn, its reader isn't slow.
    mutating func isStuck(longest: Int64, now: Int64) -> Bool {
        !isEnding && queue.isStuck(longest: longest, lastTurn: lastTurn, now: now)
    }
}
