// The streams of a loop. All that a feed has for a stream goes out in one send. If the loop has a ring, the sends of many
// streams are submitted in one call; the results are the same.
//
// Nothing is queued for a slow reader. While a stream has unsent bytes, its feed isn't asked for more; once its client has
// read them, the feed supplies the newest state. A client is cut off that reads nothing for the stall timeout, too little over
// it, or the stream's end too late.

import Base
import OperatingSystem
import Synchronization

/// The streams of a loop, by slot.
struct StreamTable: ~Copyable {
    private static var stallCheckInterval: Int64 { 1_000_000_000 }
    /// Nanoseconds for which a socket may be full before its client counts as late: less than a tick of 60 Hz. One send may
    /// exceed the socket's buffer; a client that keeps reading empties it in less time.
    private static var lateness: Int64 { 10_000_000 }
    /// Nanoseconds after which a stream is long-lived enough to be registered.
    private static var registrationAge: Int64 { 1_000_000_000 }

    private let loop: UInt16
    private let configuration: StreamConfiguration
    private let feed: any StreamFeed
    private let places: StreamPlaces
    private let poll: EventPoll
    private let counters: LoopCounters
    private var streams: [StreamSlot] = []
    /// Slots that were opened in this turn.
    private var opened: [Int] = []
    /// Nil if each send is a call.
    private var ring: SendRing?
    /// The bytes for the next submission. Only for sockets, since sessions send directly.
    private var batch = SendBatch()
    /// The time of the next check for stalled clients.
    private(set) var nextStallCheck = Int64.max

    init(
        loop: UInt16, _ configuration: StreamConfiguration, _ feed: any StreamFeed, _ places: StreamPlaces,
        _ poll: EventPoll, _ ring: SendRing?, _ counters: LoopCounters
    ) {
        self.loop = loop
        self.configuration = configuration
        self.feed = feed
        self.places = places
        self.poll = poll
        self.ring = ring
        self.counters = counters
    }

    func reports() -> [StreamSocketReport] {
        streams.indices.filter { streams[$0].isOpen }.map { slot in
            let stream = streams[slot]
            let descriptor = stream.outlet.descriptor
            let kept = stream.tail.count - stream.tailStart
            return StreamSocketReport(
                stream: identity(of: slot), peer: StreamSocket.peer(descriptor), opened: stream.opened,
                sentBytes: stream.sentBytes, unsentBytes: kept + StreamSocket.unsentBytes(descriptor),
                isLagging: stream.isLagging)
        }
    }

    /// Installs a stream.
    /// - Returns: false when the loop can't wait for it; the caller keeps it.
    mutating func install(_ adoption: Adoption, now: Int64) -> Bool {
        let descriptor = adoption.outlet.descriptor
        StreamSocket.prepare(descriptor, configuration)
        let stream = adoption.stream
        guard poll.add(descriptor, slot: stream.slot, generation: stream.generation) else { return false }
        let slot = Int(stream.slot)
        while streams.count <= slot { streams.append(StreamSlot()) }
        streams[slot].open(adoption.outlet, stream.generation, head: adoption.head, now: now)
        opened.append(slot)
        feed.opened(stream, now: now)
        adoption.context.opened(stream)
        return true
    }

    /// Sends the heads of streams opened in this turn for which the feed had nothing yet.
    mutating func sendHeads(now: Int64) {
        for slot in opened where streams[slot].isOpen && !streams[slot].head.isEmpty {
            let start = batch.bytes.count
            appendHead(of: slot)
            send(from: start, to: slot, now: now)
        }
        opened.removeAll(keepingCapacity: true)
    }

    private mutating func appendHead(of slot: Int) {
        batch.bytes.append(contentsOf: streams[slot].head)
        streams[slot].head = []
    }

    mutating func handle(_ event: EventPoll.Event, now: Int64) {
        let slot = Int(event.slot)
        finishSend(of: slot, now: now)
        guard isCurrent(slot, event.generation) else { return }
        let outlet = streams[slot].outlet
        if event.isHangup {
            close(slot, StreamSocket.hasTimedOut(outlet.descriptor) ? .stalled : .hangup)
        } else if event.isReadable, !readInput(slot) {
            close(slot, .hangup)
        } else if event.isWritable, streams[slot].isBlocked {
            resume(slot, now: now)
        }
    }

    /// Reads and drops the client's input, or postpones that until all pending bytes are sent. A TLS session would answer a
    /// key update with its next send. If that send has to finish a record first, GnuTLS (3.7.9) takes the record's bytes for new
    /// ones, and sends them twice.
    /// - Returns: false when the client has closed its side, or sends without end.
    private mutating func readInput(_ slot: Int) -> Bool {
        guard case .session = streams[slot].outlet, !streams[slot].tail.isEmpty else {
            streams[slot].hasInput = false
            return streams[slot].outlet.discardInput()
        }
        // The kernel reports it only once.
        streams[slot].hasInput = true
        return true
    }

    /// Fills a stream for which the feed has something, or notes that it should be filled.
    mutating func offer(_ stream: StreamID, now: Int64) {
        let slot = Int(stream.slot)
        finishSend(of: slot, now: now)
        guard isCurrent(slot, stream.generation) else { return }
        if streams[slot].isBlocked {
            streams[slot].wantsFill = true
            if now - streams[slot].fullSince >= Self.lateness { recordDelay(of: slot, now: now) }
            if streams[slot].endsBy == .max, feed.isEnding(stream) {
                streams[slot].endsBy = now.addingSaturated(stallTime)
            }
        } else {
            fill(slot, now: now)
        }
    }

    private func isCurrent(_ slot: Int, _ generation: UInt32) -> Bool {
        streams.indices.contains(slot) && streams[slot].isOpen && streams[slot].generation == generation
    }

    private func identity(of slot: Int) -> StreamID {
        StreamID(loop: loop, slot: UInt32(slot), generation: streams[slot].generation)
    }

    // MARK: - Sending

    /// Asks the feed and sends the bytes in one piece.
    private mutating func fill(_ slot: Int, now: Int64) {
        if streams[slot].isLagging, !isClear(slot, now: now) { return }
        streams[slot].wantsFill = false
        let start = batch.bytes.count
        appendHead(of: slot)
        let body = batch.bytes.count
        if feed.fill(identity(of: slot), now: now, into: &batch.bytes) {
            streams[slot].isEnding = true
            streams[slot].endsBy = min(streams[slot].endsBy, now.addingSaturated(stallTime))
            batch.bytes.append(contentsOf: Chunk.last)
        }
        if !streams[slot].isChunked { Chunk.unwrap(&batch.bytes, from: body) }
        guard batch.bytes.count > start else {
            if streams[slot].isEnding { close(slot, .ended) }
            return
        }
        send(from: start, to: slot, now: now)
    }

    /// Sends the batch's bytes from `start` on to a stream that is not blocked: at once, or with those of others.
    private mutating func send(from start: Int, to slot: Int, now: Int64) {
        let range = start..<batch.bytes.count
        if ring != nil, case .socket(let socket) = streams[slot].outlet {
            register(socket.number, slot, now: now)
            let isRegistered = streams[slot].isRegistered
            batch.append(.init(slot: slot, descriptor: socket.number, isRegistered: isRegistered, range: range))
            streams[slot].isQueued = true
            if batch.isFull { flush(now: now) }
        } else {
            let outcome = streams[slot].outlet.send(batch.bytes, range)
            record(outcome, of: range, in: batch.bytes, to: slot, now: now)
            batch.dropBytes(from: start)
        }
    }

    /// Registers a slot in the ring once its stream has lasted: many streams are short, and registration costs two calls.
    private mutating func register(_ descriptor: Int32, _ slot: Int, now: Int64) {
        guard let ring, !streams[slot].isRegistered, now - streams[slot].opened >= Self.registrationAge else { return }
        streams[slot].isRegistered = ring.register(descriptor, slot: slot)
    }

    /// After this many sends the loop handles events again, so that the remaining streams get newer frames.
    var sendsPerTurn: Int { ring == nil ? 256 : SendRing.capacity }

    /// Submits the batch; called after each turn.
    mutating func flush(now: Int64) {
        guard let ring, !batch.pieces.isEmpty else { return }
        ring.send(batch)
        // Swapped out, so that nothing is appended to bytes already sent.
        var gone = SendBatch()
        swap(&gone, &batch)
        for (piece, outcome) in zip(gone.pieces, ring.outcomes) {
            streams[piece.slot].isQueued = false
            record(outcome, of: piece.range, in: gone.bytes, to: piece.slot, now: now)
        }
        gone.removeAll()
        swap(&gone, &batch)
        if ring.isBroken { dropRing() }
    }

    /// Closes a broken ring, which releases the sockets it held open. From now on each send is a call.
    private mutating func dropRing() {
        ring = nil
        counters.hasRing.store(false, ordering: .relaxed)
    }

    /// Waits for a pending send: a stream can't be used before its outcome is known.
    private mutating func finishSend(of slot: Int, now: Int64) {
        if streams.indices.contains(slot), streams[slot].isQueued { flush(now: now) }
    }

    /// Keeps the bytes that the socket didn't accept.
    private mutating func record(
        _ outcome: StreamSocket.Sent, of range: Range<Int>, in bytes: [UInt8], to slot: Int, now: Int64
    ) {
        switch outcome {
        case .sent(range.count):
            count(range.count, on: slot)
            if streams[slot].isEnding { close(slot, .ended) }
        case .sent(let sent):
            count(sent, on: slot)
            streams[slot].tail = Array(bytes[range].dropFirst(sent))
            block(slot, now: now)
        case .full:
            streams[slot].tail = Array(bytes[range])
            block(slot, now: now)
        case .failed:
            close(slot, .hangup)
        }
    }

    /// Returns whether a client that lagged has read everything, so that nothing new is queued behind old bytes.
    private mutating func isClear(_ slot: Int, now: Int64) -> Bool {
        if now - streams[slot].lastLate > Int64(saturating: configuration.lagMemory * 1e9) {
            streams[slot].isLagging = false
            feed.lagChanged(identity(of: slot), isLagging: false, now: now)
            return true
        }
        let descriptor = streams[slot].outlet.descriptor
        guard StreamSocket.unsentBytes(descriptor) > 0 else { return true }
        streams[slot].wantsFill = true
        block(slot, now: now)
        recordDelay(of: slot, now: now)
        // No send was rejected, so the kernel would not report; and the socket may have become free just now.
        poll.rearm(descriptor, slot: UInt32(slot), generation: streams[slot].generation)
        return false
    }

    private mutating func block(_ slot: Int, now: Int64) {
        if !streams[slot].isBlocked { (streams[slot].blockedSince, streams[slot].fullSince) = (now, now) }
        if streams[slot].measuredSince == 0 {
            streams[slot].measuredSince = now
            streams[slot].measuredBytes = acknowledgedBytes(slot)
        }
        expectStalls(now: now)
    }

    /// Records that a client has not read older bytes when newer ones are due.
    private mutating func recordDelay(of slot: Int, now: Int64) {
        streams[slot].lastLate = now
        guard !streams[slot].isLagging else { return }
        streams[slot].isLagging = true
        feed.lagChanged(identity(of: slot), isLagging: true, now: now)
    }

    /// Continues a stream whose socket has room again: first the tail, then the newest state.
    private mutating func resume(_ slot: Int, now: Int64) {
        if !streams[slot].tail.isEmpty {
            switch streams[slot].outlet.send(
                streams[slot].tail, streams[slot].tailStart..<streams[slot].tail.count)
            {
            case .sent(let sent):
                count(sent, on: slot)
                streams[slot].blockedSince = now
                streams[slot].tailStart += sent
                guard streams[slot].tailStart == streams[slot].tail.count else { return }
            case .full:
                return
            case .failed:
                close(slot, .hangup)
                return
            }
            streams[slot].tail = []
            streams[slot].tailStart = 0
            guard !streams[slot].hasInput || readInput(slot) else { return close(slot, .hangup) }
        }
        streams[slot].blockedSince = 0
        if streams[slot].isEnding {
            close(slot, .ended)
        } else if streams[slot].wantsFill {
            fill(slot, now: now)
        }
    }

    private mutating func count(_ sent: Int, on slot: Int) {
        // At a gigabyte a second, an overflow would take five centuries.
        streams[slot].sentBytes += UInt64(sent)
        counters.sends.wrappingAdd(1, ordering: .relaxed)
        counters.bytes.wrappingAdd(UInt64(sent), ordering: .relaxed)
    }

    // MARK: - Ends

    private var stallTime: Int64 { Int64(saturating: configuration.stallTimeout * 1e9) }

    mutating func cutStalled(now: Int64) {
        var mayStall = false
        for slot in streams.indices where streams[slot].isOpen && streams[slot].measuredSince != 0 {
            if isStalled(slot, now: now) {
                close(slot, .stalled)
            } else if streams[slot].measuredSince != 0 {
                mayStall = true
            }
        }
        nextStallCheck = mayStall ? now + Self.stallCheckInterval : .max
    }

    /// Returns whether a client reads nothing, too little, or the end too late. Reading means acknowledging: the socket's
    /// buffer alone would let a byte now and then pass for progress for a long time.
    private mutating func isStalled(_ slot: Int, now: Int64) -> Bool {
        let stream = streams[slot]
        if stream.isBlocked, now - stream.blockedSince >= stallTime || now >= stream.endsBy { return true }
        guard stream.isBlocked || StreamSocket.outstandingBytes(stream.outlet.descriptor) > 0 else {
            // The client has read everything; the next full socket begins a new measurement.
            streams[slot].measuredSince = 0
            return false
        }
        guard now - stream.measuredSince >= stallTime else { return false }
        let taken = acknowledgedBytes(slot)
        streams[slot].measuredSince = now
        streams[slot].measuredBytes = taken
        let least = UInt64(saturating: Double(configuration.lowestRate) * configuration.stallTimeout)
        return taken.subtractingSaturated(stream.measuredBytes) < least
    }

    private func acknowledgedBytes(_ slot: Int) -> UInt64 {
        streams[slot].outlet.acknowledgedBytes(of: streams[slot].sentBytes)
    }

    /// Schedules checks for stalled clients, from a stream's first full socket on.
    private mutating func expectStalls(now: Int64) {
        if nextStallCheck == .max { nextStallCheck = now + Self.stallCheckInterval }
    }

    private mutating func close(_ slot: Int, _ reason: SocketCloseReason) {
        let stream = identity(of: slot)
        let outlet = streams[slot].outlet
        let closure = ClosedSocket(
            reason: reason, sentBytes: streams[slot].sentBytes, opened: streams[slot].opened)
        if reason == .ended || reason == .stopped { outlet.finish() }
        if reason == .stalled { counters.stalled.wrappingAdd(1, ordering: .relaxed) }
        // Removed explicitly: a closed descriptor stays in the set while a duplicate is open, as the library's is for a
        // moment.
        poll.remove(outlet.descriptor)
        if streams[slot].isRegistered { ring?.unregister(slot: slot) }
        streams[slot].close()
        outlet.letGo()
        places.free(stream)
        feed.closed(stream, closure)
    }

    /// Closes all streams when the loop ends.
    mutating func closeAll() {
        for slot in streams.indices where streams[slot].isOpen { close(slot, .stopped) }
    }
}
