// One thread, one epoll set, many streams: whatever its feed has for a stream goes out in one send.
//
// A slow reader is never queued for: while bytes of a stream are unsent, its feed is not asked again, and when the socket
// takes more, the feed gives what is newest then. A reader that takes nothing for the stall timeout is cut off.

import Glibc
import Synchronization
import Threads

/// A loop and its streams.
final class StreamLoop: @unchecked Sendable {
    // @unchecked because: all but `mailbox`, `isAwake` and the counters belong to the loop's thread.
    private struct Stream {
        var descriptor: Int32 = -1
        var generation: UInt32 = 0
        /// What the socket did not take.
        var tail: [UInt8] = []
        /// The feed has more, once the tail is out.
        var wantsFill = false
        var isEnding = false
        /// When the socket last refused bytes; 0 while it takes them.
        var blockedSince: Int64 = 0
    }

    private struct Mailbox {
        var adoptions: [(descriptor: Int32, context: any StreamContext)] = []
        var isStopping = false
    }

    let index: UInt16
    let configuration: StreamConfiguration
    private let feed: any StreamFeed
    let open = Atomic<Int>(0)
    let sends = Atomic<UInt64>(0)
    let bytes = Atomic<UInt64>(0)
    let stalled = Atomic<UInt64>(0)
    private let mailbox = Mutex(Mailbox())
    private let isAwake = Atomic(false)
    private let poll: EventPoll
    private var streams: [Stream] = []
    private var free: [UInt32] = []
    private var buffer: [UInt8] = []
    private var blocked = 0
    private var nextStallCheck = Int64.max
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

    func adopt(_ descriptor: Int32, _ context: any StreamContext) {
        let isTaken = mailbox.withLock { mailbox in
            if !mailbox.isStopping { mailbox.adoptions.append((descriptor, context)) }
            return !mailbox.isStopping
        }
        if isTaken {
            wake()
        } else {
            Glibc.close(descriptor)
            context.failed()
        }
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
        while true {
            poll.wait(until: min(feed.nextDeadline, nextStallCheck), now: monotonicNow())
            let now = monotonicNow()
            for event in poll.events { handle(event, now: now) }
            if poll.wasSignalled {
                isAwake.store(false, ordering: .sequentiallyConsistent)
                if takeMail(now: now) { break }
                feed.receive(now: now)
            }
            while let stream = feed.nextReady(now: now) { offer(stream, now: now) }
            if now >= nextStallCheck { cutStalled(now: now) }
        }
        for slot in streams.indices where streams[slot].descriptor >= 0 { close(slot, .stopped) }
    }

    /// - Returns: Whether the loop should end.
    private func takeMail(now: Int64) -> Bool {
        let (adoptions, isStopping) = mailbox.withLock { mailbox in
            defer { mailbox.adoptions.removeAll() }
            return (mailbox.adoptions, mailbox.isStopping)
        }
        for adoption in adoptions { install(adoption.descriptor, adoption.context, now: now) }
        return isStopping
    }

    private func install(_ descriptor: Int32, _ context: any StreamContext, now: Int64) {
        StreamSocket.prepare(descriptor, configuration)
        let slot: Int
        if let reused = free.popLast() {
            slot = Int(reused)
        } else {
            slot = streams.count
            streams.append(Stream())
        }
        let generation = streams[slot].generation &+ 1
        streams[slot] = Stream(descriptor: descriptor, generation: generation)
        guard poll.add(descriptor, slot: UInt32(slot), generation: generation) else {
            Glibc.close(descriptor)
            streams[slot].descriptor = -1
            free.append(UInt32(slot))
            context.failed()
            return
        }
        open.wrappingAdd(1, ordering: .relaxed)
        let stream = StreamID(loop: index, slot: UInt32(slot), generation: generation)
        feed.opened(stream, now: now)
        context.opened(stream)
    }

    private func handle(_ event: EventPoll.Event, now: Int64) {
        let slot = Int(event.slot)
        guard streams.indices.contains(slot), streams[slot].descriptor >= 0,
            streams[slot].generation == event.generation
        else { return }
        if event.isHangup || event.isReadable && !StreamSocket.discardInput(streams[slot].descriptor) {
            close(slot, .hangup)
            return
        }
        if event.isWritable, !streams[slot].tail.isEmpty || streams[slot].wantsFill { resume(slot, now: now) }
    }

    private func offer(_ stream: StreamID, now: Int64) {
        let slot = Int(stream.slot)
        guard streams.indices.contains(slot), streams[slot].generation == stream.generation,
            streams[slot].descriptor >= 0
        else { return }
        if streams[slot].tail.isEmpty {
            fill(slot, now: now)
        } else {
            streams[slot].wantsFill = true
        }
    }

    private func fill(_ slot: Int, now: Int64) {
        let stream = StreamID(loop: index, slot: UInt32(slot), generation: streams[slot].generation)
        buffer.removeAll(keepingCapacity: true)
        streams[slot].wantsFill = false
        if feed.fill(stream, now: now, into: &buffer) { streams[slot].isEnding = true }
        guard !buffer.isEmpty else {
            if streams[slot].isEnding { close(slot, .ended) }
            return
        }
        switch StreamSocket.send(streams[slot].descriptor, buffer, from: 0) {
        case .sent(let count):
            sends.wrappingAdd(1, ordering: .relaxed)
            bytes.wrappingAdd(UInt64(count), ordering: .relaxed)
            if count == buffer.count {
                if streams[slot].isEnding { close(slot, .ended) }
            } else {
                block(slot, keeping: buffer[count...], now: now)
            }
        case .full: block(slot, keeping: buffer[...], now: now)
        case .failed: close(slot, .hangup)
        }
    }

    private func block(_ slot: Int, keeping rest: ArraySlice<UInt8>, now: Int64) {
        streams[slot].tail = Array(rest)
        if streams[slot].blockedSince == 0 { blocked += 1 }
        streams[slot].blockedSince = now
        if nextStallCheck == .max { nextStallCheck = now + 1_000_000_000 }
    }

    /// The socket takes bytes again: first what it left, then what is newest.
    private func resume(_ slot: Int, now: Int64) {
        if !streams[slot].tail.isEmpty {
            switch StreamSocket.send(streams[slot].descriptor, streams[slot].tail, from: 0) {
            case .sent(let count):
                bytes.wrappingAdd(UInt64(count), ordering: .relaxed)
                streams[slot].blockedSince = now
                streams[slot].tail.removeFirst(count)
                guard streams[slot].tail.isEmpty else { return }
            case .full: return
            case .failed:
                close(slot, .hangup)
                return
            }
        }
        streams[slot].tail = []
        if streams[slot].blockedSince != 0 {
            streams[slot].blockedSince = 0
            blocked -= 1
        }
        if streams[slot].isEnding {
            close(slot, .ended)
        } else if streams[slot].wantsFill {
            fill(slot, now: now)
        }
    }

    private func cutStalled(now: Int64) {
        let limit = Int64(configuration.stallTimeout * 1e9)
        if blocked > 0 {
            for slot in streams.indices where streams[slot].descriptor >= 0 && streams[slot].blockedSince > 0 {
                if now - streams[slot].blockedSince >= limit {
                    stalled.wrappingAdd(1, ordering: .relaxed)
                    close(slot, .stalled)
                }
            }
        }
        nextStallCheck = blocked > 0 ? now + 1_000_000_000 : .max
    }

    private func close(_ slot: Int, _ reason: StreamClosing) {
        let stream = StreamID(loop: index, slot: UInt32(slot), generation: streams[slot].generation)
        if reason == .ended { shutdown(streams[slot].descriptor, Int32(SHUT_WR)) }
        // Out of the epoll set by name: closing alone is not enough while a duplicate may live.
        poll.remove(streams[slot].descriptor)
        Glibc.close(streams[slot].descriptor)
        if streams[slot].blockedSince != 0 { blocked -= 1 }
        streams[slot] = Stream(generation: streams[slot].generation)
        free.append(UInt32(slot))
        open.wrappingSubtract(1, ordering: .relaxed)
        feed.closed(stream, reason: reason)
    }
}

/// Nanoseconds of the monotonic clock.
func monotonicNow() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
