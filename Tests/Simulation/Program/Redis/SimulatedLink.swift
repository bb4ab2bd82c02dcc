// A process's connection to the simulated Redis.

import ReplicationRedis

/// A connection over which a request takes no time: what takes time is that turns come later.
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
        guard generation == redis.generation else { throw die("the connection was closed") }
        guard way.isOpen else {
            loseReplies(sent)
            throw die("no answer within 2.0 s")
        }
        replies = sent.map { redis.answer($0) }
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
    private let redis: SimulatedRedis
    var isOpen = true

    init(_ redis: SimulatedRedis) { self.redis = redis }

    var address: RedisAddress { redis.address }
    func connect() throws(RedisError) -> any RedisLink { try SimulatedLink(redis, self) }
    func namedMaster(while isWanted: () -> Bool) -> RedisEndpoint? { nil }
}
