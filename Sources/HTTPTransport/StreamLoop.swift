// One thread, one epoll set, many streams: whatever its feed has for a stream goes out in one send.
//
// A slow reader is never queued for: while bytes of a stream are unsent, its feed is not asked again, and when its client
// has taken them, the feed gives what is newest then. A reader that takes nothing for the stall timeout is cut off.

import Conversions
import Glibc
import Primitives
import Synchronization
import Threads

/// A socket on its way into a loop.
struct Adoption {
    let descriptor: Int32
    let head: [UInt8]
    let context: any StreamContext
}

/// A loop and its streams.
final class StreamLoop: @unchecked Sendable {
    // @unchecked because: all but `mailbox`, `isAwake` and the counters belong to the loop's thread.
    private struct Mailbox {
        /// At most as many as there may be streams.
        var adoptions: [Adoption] = []
        /// Tickets of those who want to look; who hands them out bounds them.
        var inspections: [UInt64] = []
        var isStopping = false
    }

    private static var stallCheckInterval: Int64 { 1_000_000_000 }
    /// After so many sends the loop looks around: what was posted meanwhile makes the rest fresher.
    private static var sendsPerTurn: Int { 256 }
    /// The most sockets that are taken in before streams are served again.
    private static var adoptionsPerTurn: Int { 16 }

    let index: UInt16
    let configuration: StreamConfiguration
    let feed: any StreamFeed
    /// Streams, and sockets on their way to becoming one.
    let open = Atomic<Int>(0)
    let sends = Atomic<UInt64>(0)
    let bytes = Atomic<UInt64>(0)
    let stalled = Atomic<UInt64>(0)
    let poll: EventPoll
    var streams: [StreamSlot] = []
    var buffer: [UInt8] = []
    var blockedCount = 0
    var nextStallCheck = Int64.max
    private let mailbox = Mutex(Mailbox())
    private let isAwake = Atomic(false)
    private var free: [UInt32] = []
    /// Sockets that were posted and not taken in yet, the last one first.
    private var arriving: [Adoption] = []
    private var thread: OwnedThread?

    init(index: UInt16, configuration: StreamConfiguration, feed: any StreamFeed) throws(TransportError) {
        self.index = index
        self.configuration = configuration
        self.feed = feed
        poll = try EventPoll()
    }

    // MARK: - Any thread

    /// Wakes the loop; wakes before it has looked are one.
    func wake() {
        if !isAwake.exchange(true, ordering: .acquiringAndReleasing) { poll.signal() }
    }

    func adopt(_ adoption: Adoption) {
        open.wrappingAdd(1, ordering: .relaxed)
        let isTaken = mailbox.withLock { mailbox in
            if !mailbox.isStopping { mailbox.adoptions.append(adoption) }
            return !mailbox.isStopping
        }
        if isTaken { wake() } else { refuse(adoption) }
    }

    func inspect(ticket: UInt64) {
        mailbox.withLock { $0.inspections.append(ticket) }
        wake()
    }

    private func refuse(_ adoption: Adoption) {
        Glibc.close(adoption.descriptor)
        open.wrappingSubtract(1, ordering: .relaxed)
        adoption.context.failed()
    }

    func start() throws(TransportError) {
        let thread = OwnedThread(name: "stream-\(index)") { [self] in run() }
        guard thread.start() else { throw .failed(code: EAGAIN) }
        self.thread = thread
    }

    /// Closes what is open and joins the thread.
    func stop() {
        mailbox.withLock { $0.isStopping = true }
        wake()
        thread?.join()
        thread = nil
    }

    // MARK: - The loop's thread

    private func run() {
        var hasMore = false
        while true {
            poll.wait(until: hasMore ? 0 : min(feed.nextDeadline, nextStallCheck), now: monotonicNow())
            let now = monotonicNow()
            for event in poll.events { handle(event, now: now) }
            if poll.wasSignalled {
                // Before the mail is taken: what is posted after this wakes the loop again.
                isAwake.store(false, ordering: .sequentiallyConsistent)
                if takeMail(now: now) { break }
                feed.receive(now: now)
            }
            for adoption in arriving.suffix(Self.adoptionsPerTurn).reversed() { install(adoption, now: now) }
            arriving.removeLast(min(arriving.count, Self.adoptionsPerTurn))
            hasMore = offerAll(now: now) || !arriving.isEmpty
            if now >= nextStallCheck { cutStalled(now: now) }
        }
        for adoption in arriving { refuse(adoption) }
        for slot in streams.indices where streams[slot].isOpen { close(slot, .stopped) }
    }

    /// - Returns: Whether there is more to offer.
    private func offerAll(now: Int64) -> Bool {
        for _ in 0..<Self.sendsPerTurn {
            guard let stream = feed.nextReady(now: now) else { return false }
            offer(stream, now: now)
        }
        return true
    }

    /// - Returns: Whether the loop should end.
    private func takeMail(now: Int64) -> Bool {
        let mail = mailbox.withLock { mailbox in
            defer {
                mailbox.adoptions = []
                mailbox.inspections = []
            }
            return mailbox
        }
        if !mail.adoptions.isEmpty { arriving.insert(contentsOf: mail.adoptions.reversed(), at: 0) }
        for ticket in mail.inspections { feed.inspected(reports(), ticket: ticket) }
        return mail.isStopping
    }

    private func reports() -> [StreamSocketReport] {
        streams.indices.filter { streams[$0].isOpen }.map { slot in
            let stream = streams[slot]
            let kept = stream.tail.count - stream.tailStart
            return StreamSocketReport(
                stream: identity(of: slot), peer: StreamSocket.peer(stream.descriptor), opened: stream.opened,
                sentBytes: stream.sentBytes, unsentBytes: kept + StreamSocket.unsentBytes(stream.descriptor),
                isLagging: stream.isLagging)
        }
    }

    private func install(_ adoption: Adoption, now: Int64) {
        StreamSocket.prepare(adoption.descriptor, configuration)
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
        } else {
            slot = streams.count
            streams.append(StreamSlot())
        }
        streams[slot].open(adoption.descriptor, now: now)
        guard poll.add(adoption.descriptor, slot: UInt32(slot), generation: streams[slot].generation) else {
            streams[slot].close()
            free.append(UInt32(slot))
            refuse(adoption)
            return
        }
        feed.opened(identity(of: slot), now: now)
        adoption.context.opened(identity(of: slot))
        send(adoption.head, to: slot, now: now)
    }

    private func handle(_ event: EventPoll.Event, now: Int64) {
        let slot = Int(event.slot)
        guard isCurrent(slot, event.generation) else { return }
        let descriptor = streams[slot].descriptor
        if event.isHangup {
            close(slot, StreamSocket.hasTimedOut(descriptor) ? .stalled : .hangup)
        } else if event.isReadable, !StreamSocket.discardInput(descriptor) {
            close(slot, .hangup)
        } else if event.isWritable, streams[slot].isBlocked {
            resume(slot, now: now)
        }
    }

    private func offer(_ stream: StreamID, now: Int64) {
        let slot = Int(stream.slot)
        guard isCurrent(slot, stream.generation) else { return }
        if streams[slot].isBlocked {
            streams[slot].wantsFill = true
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

    func identity(of slot: Int) -> StreamID {
        StreamID(loop: index, slot: UInt32(slot), generation: streams[slot].generation)
    }

    // MARK: - Ends

    var stallTime: Int64 { Int64(saturating: configuration.stallTimeout * 1e9) }

    private func cutStalled(now: Int64) {
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

    /// Whether a client takes nothing, too little, or its end too late. What it takes is what its kernel acknowledges: the
    /// socket's buffer alone would let a byte now and then pass for progress for a long time.
    private func isStalled(_ slot: Int, now: Int64) -> Bool {
        let stream = streams[slot]
        if stream.isBlocked, now - stream.blockedSince >= stallTime || now >= stream.endsBy { return true }
        let taken = takenBytes(slot)
        guard stream.isBlocked || taken < stream.sentBytes else {
            // All is taken: the next refusal begins a new measure.
            streams[slot].measuredSince = 0
            return false
        }
        guard now - stream.measuredSince >= stallTime else { return false }
        streams[slot].measuredSince = now
        streams[slot].measuredBytes = taken
        let least = UInt64(saturating: Double(configuration.lowestRate) * configuration.stallTimeout)
        return taken.subtractingSaturated(stream.measuredBytes) < least
    }

    /// Bytes that a client has acknowledged.
    func takenBytes(_ slot: Int) -> UInt64 {
        let waiting = StreamSocket.outstandingBytes(streams[slot].descriptor)
        return streams[slot].sentBytes.subtractingSaturated(UInt64(clamping: waiting))
    }

    /// From a stream's first refusal on, it is looked at now and then.
    func expectStalls(now: Int64) {
        if nextStallCheck == .max { nextStallCheck = now + Self.stallCheckInterval }
    }

    func close(_ slot: Int, _ reason: StreamClosing) {
        let stream = identity(of: slot)
        let descriptor = streams[slot].descriptor
        if reason == .ended || reason == .stopped { StreamSocket.finish(descriptor) }
        if reason == .stalled { stalled.wrappingAdd(1, ordering: .relaxed) }
        // By name: closing a descriptor leaves it in the set while a duplicate lives, as the library's does for a moment.
        poll.remove(descriptor)
        Glibc.close(descriptor)
        if streams[slot].isBlocked { blockedCount -= 1 }
        streams[slot].close()
        free.append(UInt32(slot))
        open.wrappingSubtract(1, ordering: .relaxed)
        feed.closed(stream, reason: reason)
    }
}
