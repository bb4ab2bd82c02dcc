// A process's connection to the simulated Redis. Between two requests of a turn others may act.

import ReplicationRedis

/// A connection over which a request takes time in some worlds only. In the others what takes time is that turns come later.
final class SimulatedLink: RedisLink, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Nanoseconds after which a request may still arrive whose sender has given it up.
    private static let latest: ClosedRange<Int64> = .milliseconds(100)...(.seconds(8))

    let endpoint = RedisEndpoint.tcp(host: "redis.test", port: 6379)
    private(set) var failure: RedisError?
    private let redis: SimulatedRedis
    private let way: RedisWay
    private let generation: Int
    private var requests: [[[UInt8]]] = []
    private var replies: [RedisReply] = []

    init(_ redis: SimulatedRedis, _ way: RedisWay) throws(RedisError) {
        (self.redis, self.way, generation) = (redis, way, redis.generation)
        guard way.isOpen else { throw RedisError(.unreachable, "\(endpoint): no answer within 2.0 s") }
    }

    func append(_ arguments: [[UInt8]]) { if failure == nil { requests.append(arguments) } }

    func receive(_ timeout: RedisTimeout) throws(RedisError) -> RedisReply {
        if let failure { throw failure }
        if replies.isEmpty { try send() }
        guard !replies.isEmpty else {
            throw RedisError(.protocolError, "\(endpoint): there is no request to be answered")
        }
        return replies.removeFirst()
    }

    func call(_ arguments: [[UInt8]], _ timeout: RedisTimeout) throws(RedisError) -> RedisReply {
        append(arguments)
        return try value(of: receive(timeout))
    }

    private func send() throws(RedisError) {
        let sent = requests
        requests = []
        for (place, request) in sent.enumerated() {
            way.pause()
            if let failure { throw failure }
            guard generation == redis.generation, !way.isDead else { throw die("the connection was closed") }
            guard way.isOpen else {
                loseReplies(Array(sent[place...]))
                throw die("no answer within 2.0 s")
            }
            replies.append(redis.answer(request))
            way.hasMore = redis.hasMore
        }
    }

    /// The requests arrive now, later or never; the sender can't know which.
    private func loseReplies(_ sent: [[[UInt8]]]) {
        let world = redis.world
        let arrive = { [redis] in for request in sent { _ = redis.answer(request) } }
        switch world.index(below: 4) {
        case 0, 1: break
        case 2:
            world.history.mark("reply of the redis lost")
            arrive()
        default:
            world.history.mark("request came late to the redis")
            world.after(world.nanoseconds(Self.latest)) { [redis, generation] in
                if generation == redis.generation { arrive() }
            }
        }
    }

    private func die(_ reason: String) -> RedisError {
        let error = RedisError(.unreachable, "\(endpoint): \(reason)")
        failure = error
        return error
    }

    func interrupt(because reason: String) { if failure == nil { _ = die(reason) } }
    func close() { if failure == nil { _ = die("the connection was closed") } }
}

/// A process's way to the server.
final class RedisWay: BoardServer, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Nanoseconds that a request takes.
    private static let time: ClosedRange<Int64> = .microseconds(5)...(.milliseconds(2))

    private let redis: SimulatedRedis
    var isOpen = true
    /// Whether the process has died, whose requests go no further.
    var isDead = false
    /// Whether there may be more behind what was read last.
    var hasMore = false
    /// Turns that are under way: each is a thread of the process, which waits for the server.
    private var turns = 0
    /// Requests since there were none.
    private var requests = 0
    /// What befalls the process between two requests of a turn.
    var strike: (() -> Void)?

    init(_ redis: SimulatedRedis) { self.redis = redis }

    var address: RedisAddress { redis.address }
    func connect() throws(RedisError) -> any RedisLink { try SimulatedLink(redis, self) }
    var isInTurn: Bool { turns > 0 }

    /// Takes a turn, in which others may act while it waits.
    func take<Result>(_ turn: () -> Result) -> Result {
        if turns == 0 { requests = 0 }
        turns += 1
        defer { turns -= 1 }
        return turn()
    }

    /// Waits for the server, now and then: meanwhile other threads and processes go on, and faults happen.
    func pause() {
        guard turns > 0, redis.waiting > 0 else { return }
        requests += 1
        let (world, generation) = (redis.world, redis.generation)
        if world.happens(redis.waiting) { world.run(until: world.now + world.nanoseconds(Self.time)) }
        if requests > 1 {
            strike.take()?()
            redis.strike.take()?()
        }
        if isDead { world.history.mark("process died between two requests to its redis") }
        if generation != redis.generation { world.history.mark("redis restarted between two requests of a turn") }
    }

    func namedMaster(while isWanted: () -> Bool) -> RedisEndpoint? { nil }
}
