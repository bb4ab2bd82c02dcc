// One thread, one epoll set, many streams: what wakes the thread, and the order of its work.

import Base
import Glibc
import OperatingSystem
import Synchronization

/// A stream that enters a loop.
struct Adoption {
    let stream: StreamID
    let outlet: StreamOutlet
    let head: StreamHead
    let context: any StreamContext
}

/// A loop's counters, readable on any thread.
final class LoopCounters: Sendable {
    let sends = Atomic<UInt64>(0)
    let bytes = Atomic<UInt64>(0)
    let stalled = Atomic<UInt64>(0)
    /// Whether it sends by a ring.
    let hasRing = Atomic<Bool>(false)
}

/// A loop and its streams.
final class StreamLoop: @unchecked Sendable {
    // @unchecked because: `feed` belongs to the loop's thread, `thread` to its owner.
    private struct Mailbox {
        /// At most as many as there may be streams.
        var adoptions: [Adoption] = []
        /// Places whose socket won't come; at most as many as there may be streams.
        var abandoned: [StreamID] = []
        /// Numbers of inspections; their sender bounds them.
        var inspections: [UInt64] = []
        var isStopping = false
    }

    /// The most sockets to install before streams are served again.
    private static var adoptionsPerTurn: Int { 16 }

    let counters = LoopCounters()
    private let index: UInt16
    private let configuration: StreamConfiguration
    private let feed: any StreamFeed
    private let places: StreamPlaces
    private let poll: EventPoll
    private let mailbox = Mutex(Mailbox())
    private let isAwake = Atomic(false)
    private var thread: OwnedThread?

    init(
        index: UInt16, configuration: StreamConfiguration, feed: any StreamFeed, places: StreamPlaces
    ) throws(TransportError) {
        self.index = index
        self.places = places
        self.configuration = configuration
        self.feed = feed
        poll = try EventPoll()
    }

    // MARK: - Any thread

    /// Wakes the loop. Several calls before it runs wake it once.
    func wake() {
        if !isAwake.exchange(true, ordering: .acquiringAndReleasing) { poll.signal() }
    }

    func adopt(_ adoption: Adoption) {
        let isTaken = mailbox.withLock { mailbox in
            if !mailbox.isStopping { mailbox.adoptions.append(adoption) }
            return !mailbox.isStopping
        }
        if isTaken { wake() } else { refuse(adoption) }
    }

    /// Makes the feed close a stream that never opened.
    func abandon(_ stream: StreamID) {
        let isTaken = mailbox.withLock { mailbox in
            if !mailbox.isStopping { mailbox.abandoned.append(stream) }
            return !mailbox.isStopping
        }
        if isTaken { wake() } else { places.free(stream) }
    }

    func inspect(number: UInt64) {
        mailbox.withLock { $0.inspections.append(number) }
        wake()
    }

    private func refuse(_ adoption: Adoption) {
        adoption.outlet.letGo()
        // A reserved place is abandoned by the code that reserved it, since its feed knows of the stream.
        if adoption.context.reservation == nil { places.free(adoption.stream) }
        adoption.context.failed()
    }

    func start() throws(TransportError) {
        let thread = OwnedThread(name: "stream-\(index)") { [self] in run() }
        guard thread.start() else { throw .failed(code: EAGAIN) }
        self.thread = thread
    }

    /// Closes all streams and joins the thread.
    func stop() {
        mailbox.withLock { $0.isStopping = true }
        wake()
        thread?.join()
        thread = nil
    }

    // MARK: - The loop's thread

    private func run() {
        // A local variable, so that exclusive access is checked at compile time and not for each byte sent.
        var streams = StreamTable(loop: index, configuration, feed, places, poll, ring(), counters)
        /// Posted sockets that are not installed yet, the last one first.
        var arriving: [Adoption] = []
        var hasMore = false
        while true {
            poll.wait(until: hasMore ? 0 : min(feed.nextDeadline, streams.nextStallCheck), now: monotonicNow())
            let now = monotonicNow()
            for event in poll.events { streams.handle(event, now: now) }
            if poll.wasSignalled {
                // Before taking the mail, so that later posts wake the loop again.
                isAwake.store(false, ordering: .sequentiallyConsistent)
                let mail = receiveMail()
                arriving.insert(contentsOf: mail.adoptions.reversed(), at: 0)
                for number in mail.inspections { feed.inspected(streams.reports(), number: number) }
                // Before the sockets: the feed then knows of the streams with reserved places.
                feed.receive(now: now)
                for stream in mail.abandoned {
                    places.free(stream)
                    feed.closed(stream, ClosedSocket(reason: .abandoned))
                }
                if mail.isStopping { break }
            }
            for adoption in arriving.suffix(Self.adoptionsPerTurn).reversed() {
                if !streams.install(adoption, now: now) { refuse(adoption) }
            }
            arriving.removeLast(min(arriving.count, Self.adoptionsPerTurn))
            hasMore = offer(to: &streams, now: now) || !arriving.isEmpty
            streams.sendHeads(now: now)
            streams.flush(now: now)
            feed.sent(now: monotonicNow())
            if now >= streams.nextStallCheck { streams.cutStalled(now: now) }
        }
        for adoption in arriving { refuse(adoption) }
        streams.flush(now: monotonicNow())
        streams.closeAll()
    }

    /// Made on the loop's thread, to which a ring belongs. Without a ring, each send is a call.
    private func ring() -> SendRing? {
        guard configuration.sendPath == .uring else { return nil }
        guard let ring = try? SendRing(places: configuration.maximumStreams) else { return nil }
        counters.hasRing.store(true, ordering: .relaxed)
        return ring
    }

    /// Offers streams with something to send, up to a limit.
    /// - Returns: Whether the limit was reached, so that there may be more.
    private func offer(to streams: inout StreamTable, now: Int64) -> Bool {
        for _ in 0..<streams.sendsPerTurn {
            guard let stream = feed.nextReady(now: now) else { return false }
            streams.offer(stream, now: now)
        }
        return true
    }

    private func receiveMail() -> Mailbox {
        mailbox.withLock { mailbox in
            defer {
                mailbox.adoptions = []
                mailbox.abandoned = []
                mailbox.inspections = []
            }
            return mailbox
        }
    }
}
