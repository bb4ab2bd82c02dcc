// A ring that fails under the streams of its loop: each socket gets its own frames, in order, or ends.

import Base
import CUring
import Glibc
import Synchronization
import Testing

@testable import HTTPTransport

@Suite(.enabled(if: SendPath.obstacleToRings(streams: 1) == nil, "io_uring can't be used here"))
struct BrokenRingTests {
    /// Gives each stream its own text: its slot and the frame's number.
    private final class NumberingFeed: StreamFeed {
        var frame = 0
        private(set) var closed: [UInt32] = []
        let nextDeadline = Int64.max

        func opened(_ stream: StreamID, now: Int64) {}
        func closed(_ stream: StreamID, _ closure: ClosedSocket) { closed.append(stream.slot) }
        func receive(now: Int64) {}
        func nextReady(now: Int64) -> StreamID? { nil }
        func fill(_ stream: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool {
            Chunk.append(Array("\(stream.slot):\(frame) ".utf8), to: &buffer)
            return false
        }
    }

    private static let count = 6
    /// Late enough for streams of the instant 0 to be registered.
    private static let now: Int64 = 2_000_000_000

    private let feed = NumberingFeed()
    private let counters = LoopCounters()
    private let pairs: [SocketPair]
    private let streams: [StreamID]
    private let places: StreamPlaces
    private let poll: EventPoll

    init() throws {
        let places = StreamPlaces(loops: 1, StreamConfiguration())
        pairs = try (0..<Self.count).map { _ in try SocketPair() }
        streams = try (0..<Self.count).map { _ in try #require(places.reserve()) }
        self.places = places
        poll = try EventPoll()
    }

    private var hasRing: Bool { counters.hasRing.load(ordering: .relaxed) }

    /// A loop's table with all streams in it.
    private func table(_ ring: consuming SendRing) throws -> StreamTable {
        counters.hasRing.store(true, ordering: .relaxed)
        var table = StreamTable(loop: 0, StreamConfiguration(), feed, places, poll, ring, counters)
        for (stream, pair) in zip(streams, pairs) {
            let outlet = StreamOutlet.socket(try pair.giveSender())
            let adoption = Adoption(
                stream: stream, outlet: outlet, head: StreamHead(bytes: [], isChunked: false),
                context: CountingContext())
            let isTaken = table.install(adoption, now: 0)
            #expect(isTaken)
        }
        return table
    }

    /// Sends streams a frame, in one batch.
    private func send(_ frame: Int, to streams: ArraySlice<StreamID>, by table: inout StreamTable) {
        feed.frame = frame
        for stream in streams { table.offer(stream, now: Self.now) }
        table.flush(now: Self.now)
    }

    @Test func `streams continue with plain sends when each call of their ring fails`() throws {
        let ring = try SendRing(places: Self.count)
        let descriptor = unsafe ring.ring.pointee.ring_fd
        var table = try table(consume ring)
        send(1, to: streams[...], by: &table)
        let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        try #require(dup2(nowhere, descriptor) == descriptor)
        close(nowhere)
        for frame in 2...4 { send(frame, to: streams[...], by: &table) }
        for (slot, pair) in pairs.enumerated() { #expect(pair.read() == "\(slot):1 \(slot):2 \(slot):3 \(slot):4 ") }
        #expect(!hasRing)
        for stream in streams {
            let (slot, generation) = (stream.slot, stream.generation)
            table.handle(
                .init(slot: slot, generation: generation, isReadable: false, isWritable: false, isHangup: true),
                now: Self.now)
        }
        #expect(eventually { pairs.allSatisfy(\.hasEnded) })
    }

    @Test func `sends that the kernel's ring never completes end their own streams and no others`() throws {
        let ring = try SendRing(places: Self.count)
        let gate = try SocketPair()
        let kernel = unsafe ring.ring
        var table = try table(consume ring)
        send(1, to: streams[...], by: &table)
        unsafe holdUp(kernel, until: gate)
        send(2, to: streams[..<3], by: &table)
        #expect(feed.closed == [0, 1, 2])
        #expect(!hasRing)
        _ = StreamSocket.send(gate.sender, [0], 0..<1)
        for frame in 3...5 { send(frame, to: streams[3...], by: &table) }
        #expect(feed.closed == [0, 1, 2])
        for slot in 0..<3 {
            #expect(pairs[slot].read() == "\(slot):1 ")
            #expect(eventually { pairs[slot].hasEnded })
        }
        for slot in 3..<Self.count {
            #expect(pairs[slot].read() == "\(slot):1 \(slot):3 \(slot):4 \(slot):5 ")
        }
    }

    @Test func `bytes that a broken ring still holds are not sent when it resumes`() throws {
        let ring = try SendRing(places: 1)
        let (gate, pair) = (try SocketPair(), try SocketPair())
        unsafe holdUp(ring.ring, until: gate)
        var batch = SendBatch()
        batch.bytes.append(contentsOf: "frame".utf8)
        batch.append(.init(slot: 0, descriptor: pair.sender, isRegistered: false, range: 0..<batch.bytes.count))
        ring.send(batch)
        #expect(ring.isBroken && ring.outcomes == [.failed])
        _ = StreamSocket.send(gate.sender, [0], 0..<1)
        // The poll, what stood behind it, and the send.
        var told = 0
        while told < 3 {
            var completion: UnsafeMutablePointer<io_uring_cqe>?
            try #require(unsafe io_uring_wait_cqe(ring.ring, &completion) == 0)
            unsafe io_uring_cqe_seen(ring.ring, completion)
            told += 1
        }
        #expect(pair.read() == "" && pair.hasEnded)
    }

    /// Has a ring keep what it is given until a byte is in a socket: it stands behind what waits for that.
    private func holdUp(_ ring: UnsafeMutablePointer<io_uring>, until gate: SocketPair) {
        let wait = unsafe io_uring_get_sqe(ring)
        unsafe io_uring_prep_poll_add(wait, gate.reader, UInt32(POLLIN))
        unsafe wait?.pointee.user_data = .max
        let barrier = unsafe io_uring_get_sqe(ring)
        unsafe io_uring_prep_nop(barrier)
        unsafe barrier?.pointee.flags |= UInt8(1 << IOSQE_IO_DRAIN_BIT)
        unsafe barrier?.pointee.user_data = .max
        #expect(unsafe io_uring_submit(ring) == 2)
    }
}
