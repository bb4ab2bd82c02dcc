// A feed for tests: every stream gets the newest of the numbered frames, and every event.

import Base
import HTTPTransport
import Synchronization

/// The side that posts and observes, from any thread.
final class Broadcast: Sendable {
    fileprivate struct Posts {
        var version = 0
        var events: [[UInt8]] = []
        var isEnding = false
        var deadline = Int64.max
    }

    fileprivate let posts = Mutex(Posts())
    let opened = Watched<[StreamID]>([])
    let closings = Watched<[SocketCloseReason]>([])
    let lags = Watched<[Bool]>([])
    fileprivate let turns = Atomic<Int>(0)
    /// Bytes of a frame.
    let size: Int
    /// What a stream finds ready when its socket comes; empty for nothing.
    let greeting: [UInt8]
    private let wake = Watched<@Sendable () -> Void>({})

    init(size: Int = 64, greeting: String = "") {
        self.size = size
        self.greeting = Array(greeting.utf8)
    }

    /// The newest frame's number.
    var version: Int { posts.withLock { $0.version } }
    /// How often the loop asked for the next stream.
    var turnCount: Int { turns.load(ordering: .relaxed) }

    func wakes(with wake: @escaping @Sendable () -> Void) { self.wake.update { $0 = wake } }

    /// The next frame for everyone.
    func tick() {
        posts.withLock { $0.version += 1 }
        wake.current()
    }

    /// Bytes that nobody misses.
    func event(_ bytes: [UInt8]) {
        posts.withLock { $0.events.append(bytes) }
        wake.current()
    }

    /// Ends every stream after what it is still to get.
    func end() {
        posts.withLock { $0.isEnding = true }
        wake.current()
    }

    /// A tick at an instant, by the loop's own waking.
    func tick(at instant: Int64) {
        posts.withLock { $0.deadline = instant }
        wake.current()
    }

    /// A frame's bytes; its number stands in its first line.
    func frame(_ version: Int) -> [UInt8] {
        var bytes = Array("data: \(version)\n".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "."), count: max(0, size - bytes.count - 2)))
        bytes.append(contentsOf: [10, 10])
        return bytes
    }
}

/// The side that a loop calls.
final class BroadcastFeed: StreamFeed {
    private struct Listener {
        var id: StreamID
        var isGreeted = false
        var version = 0
        var events = 0
    }

    private let broadcast: Broadcast
    private var listeners: [UInt32: Listener] = [:]
    private var ready: [UInt32] = []
    private var version = 0
    private var events: [[UInt8]] = []
    private var isEnding = false
    private(set) var nextDeadline = Int64.max

    init(_ broadcast: Broadcast) {
        self.broadcast = broadcast
    }

    func opened(_ stream: StreamID, now: Int64) {
        listeners[stream.slot] = Listener(id: stream, version: version, events: events.count)
        if !broadcast.greeting.isEmpty { ready.append(stream.slot) }
        broadcast.opened.update { $0.append(stream) }
    }

    func closed(_ stream: StreamID, _ closure: ClosedSocket) {
        listeners[stream.slot] = nil
        broadcast.closings.update { $0.append(closure.reason) }
    }

    func receive(now: Int64) {
        broadcast.posts.withLock { posts in
            version = posts.version
            events = posts.events
            isEnding = posts.isEnding
            nextDeadline = posts.deadline
        }
        ready = listeners.keys.sorted()
    }

    func nextReady(now: Int64) -> StreamID? {
        broadcast.turns.wrappingAdd(1, ordering: .relaxed)
        if now >= nextDeadline {
            nextDeadline = .max
            version += 1
            ready = listeners.keys.sorted()
        }
        while let slot = ready.popLast() {
            if let listener = listeners[slot] { return listener.id }
        }
        return nil
    }

    func fill(_ stream: StreamID, now: Int64, into buffer: inout [UInt8]) -> Bool {
        guard var listener = listeners[stream.slot] else { return false }
        if !listener.isGreeted { Chunk.append(broadcast.greeting, to: &buffer) }
        listener.isGreeted = true
        for event in events[listener.events...] { Chunk.append(event, to: &buffer) }
        listener.events = events.count
        if version > listener.version { Chunk.append(broadcast.frame(version), to: &buffer) }
        listener.version = version
        listeners[stream.slot] = listener
        return isEnding
    }

    func isEnding(_ stream: StreamID) -> Bool { isEnding }

    func lagChanged(_ stream: StreamID, isLagging: Bool, now: Int64) {
        broadcast.lags.update { $0.append(isLagging) }
    }
}

/// Counts what becomes of requests for streams.
final class CountingContext: StreamContext {
    struct Counts: Equatable {
        var opened = 0
        var failed = 0
    }

    let counts = Watched(Counts())
    let reservation: StreamID?

    init(reservation: StreamID? = nil) {
        self.reservation = reservation
    }

    func opened(_ stream: StreamID) { counts.update { $0.opened += 1 } }
    func failed() { counts.update { $0.failed += 1 } }
}
