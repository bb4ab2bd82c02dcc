// One world from its beginning to its end: clients and faults, then rest, then a look at everything.

import Base
import HTTPTransport
import RecurrenceRules
import TweencastService
import Webhooks
import Wire

/// A world with its servers and clients.
final class Scenario {
    /// Nanoseconds of commands and faults, and after those until everything must be well.
    private static let rest: Int64 = .seconds(10)
    /// Nanoseconds within which everything must have come to rest.
    private static let patience: Int64 = .seconds(600)

    private let world: World
    private let duration: Int64
    private let servers: [SimulatedServer]
    private let writers: [Writer]
    private let readers: [StreamReader]
    private let faults: Faults
    private let inspection: Inspection

    /// What a world's servers keep their board in.
    enum Kind: String {
        /// One server with a store of its own.
        case store
        /// Three that share a log, or the log of a Redis.
        case log, redis
    }

    /// - Parameters:
    ///   - duration: Nanoseconds of commands and faults.
    init(seed: UInt64, kind: Kind, duration: Int64, history: History, zones: ZoneCache) throws {
        let world = World(seed: seed, history: history)
        (self.world, self.duration) = (world, duration)
        history.begin(seed)
        let tokens = AccessTokens(areRequired: world.happens(0.3))
        history.write("begins", at: 0) {
            $0.member("seed", "\(seed)")
            $0.member("kind", kind.rawValue)
            $0.member("tokens", tokens.areRequired)
        }
        let receiver = WebhookReceiver(world)
        let configuration = try Self.configuration(tokens)
        let log = kind == .log ? SimulatedLog(world) : nil
        let redis = kind == .redis ? try SimulatedRedis(world) : nil
        let place = log.map { BoardPlace.log($0) } ?? redis.map { .redis($0) }
        let socketBytes = world.pick([4_096, 65_536, 262_144])
        let servers = (0..<(kind == .store ? 1 : 3)).map { number in
            SimulatedServer(
                world, "s\(number)", place ?? .disk(SimulatedDisk()), configuration, zones: zones,
                receiver: receiver, socketBytes: socketBytes, drift: Int64(world.index(below: 101)) - 50)
        }
        self.servers = servers
        inspection = Inspection(world: world, servers: servers, tokens: tokens)
        let hasLongLists = world.happens(0.25)
        writers = (0...world.index(below: AccessTokens.writers)).map {
            Writer(world, $0, servers: servers, tokens: tokens, hasLongLists: hasLongLists)
        }
        let frames = FrameBook(world)
        let hasNoWaits = (redis?.waiting ?? 0) == 0
        frames.isOfEqualServers = hasNoWaits && (log?.latency ?? redis?.latency ?? 0) < .milliseconds(1)
        log?.isDisturbed = { frames.isOfEqualServers = false }
        redis?.isDisturbed = { frames.isOfEqualServers = false }
        readers = Self.readers(world, tokens).enumerated().map { number, reader in
            StreamReader(
                world, number, topics: reader.topics, reader.form, servers: servers, tokens: tokens, frames: frames)
        }
        faults = Faults(
            world, servers: servers, log: log, redis: redis, readers: readers.filter(\.mayBeDisturbed),
            receiver: receiver, frames: frames, inspection: inspection)
    }

    private static func configuration(_ tokens: AccessTokens) throws -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.authority = try tokens.authority()
        configuration.webhooks.policy = try WebhookPolicy(hosts: ["hooks.test"], networks: [])
        configuration.heartbeat = 5
        return configuration
    }

    /// The first hears of everything and is never disturbed by others than the servers.
    private static func readers(
        _ world: World, _ tokens: AccessTokens
    ) -> [(topics: String, form: StreamReader.Form)] {
        let all = "ticker=*&progress=*&schedule=*&notification=*"
        // Where there are tokens, one asks for all and has the right to some.
        let some = tokens.areRequired ? all : AccessTokens.narrowTopics.joined(separator: "&")
        // Not all numbers fit on the first.
        let terminals = [
            StreamReader.Form(query: "&as=terminal&height=12", decoder: .terminal, height: 12),
            StreamReader.Form(query: "&as=terminal&height=50", decoder: .terminal, height: 50),
            StreamReader.Form(query: "&as=terminal&color=false&height=50", decoder: .terminal, height: 50),
        ]
        let forms = [
            (all, StreamReader.Form(query: "", decoder: .events)),
            (all, StreamReader.Form(query: "&stamp=true", decoder: .events, isStamped: true)),
            (all, StreamReader.Form(query: "&stamp=true", decoder: .events, isStamped: true)),
            (all, StreamReader.Form(query: "&as=ndjson", decoder: .lines)),
            (some, StreamReader.Form(query: "&wheels=true", decoder: .events, bearer: .narrowReader)),
            ("ticker=w0-a", StreamReader.Form(query: "&as=text", decoder: .events)),
            (all, world.pick(terminals)),
            ("ticker=sum&ticker=w0-a", StreamReader.Form(query: "&locale=de-DE", decoder: .events)),
            ("progress=*&schedule=*", StreamReader.Form(query: "&fps=5", decoder: .events)),
        ]
        return forms.enumerated().compactMap { number, form in
            number < 1 || world.happens(0.7) ? (topics: form.0, form: form.1) : nil
        }
    }

    // MARK: - The course

    func run() {
        for server in servers { server.start() }
        world.run(until: .milliseconds(200))
        for reader in readers { reader.connect() }
        world.run(until: .milliseconds(300))
        for writer in writers { writer.begin() }
        faults.begin()
        world.run(until: duration)
        faults.end()
        for reader in readers { reader.settle() }
        world.history.write("rests", at: world.now) { _ in }
        world.after(Self.rest) { [self] in
            for number in servers.indices { inspection.audit("/readyz", at: number) }
        }
        endWriters()
        world.run(until: world.now + Self.rest)
        waitForRest()
        world.run(until: world.now + .seconds(2))
        lookAtEverything()
        world.history.write("ends", at: world.now) { _ in }
        world.history.writeMarks(at: world.now)
    }

    private func endWriters() {
        var left = writers.count
        for writer in writers {
            writer.ended = { left -= 1 }
            writer.end()
        }
        let deadline = world.now + Self.patience
        while left > 0, world.now < deadline { world.run(until: world.now + .milliseconds(100)) }
        if left > 0 { wrong("\(left) writers never came to an end") }
        // What all share.
        inspection.audit("/v1/schedules/resume", at: 0, method: "POST")
        world.run(until: world.now + .seconds(1))
    }

    /// Waits until nothing moves, and what is to be told has been told.
    private func waitForRest() {
        let deadline = world.now + Self.patience
        var isMoving = true
        while isMoving, world.now < deadline {
            isMoving = false
            for path in ["/v1/tickers?limit=100", "/v1/progress?limit=100"] {
                inspection.ask(path, of: servers[0]) { status, body in
                    if status != 200 || body.contains(#""motion":{"state":"running""#) || body.contains(#""waiting":"#)
                    {
                        isMoving = true
                    }
                }
            }
            world.run(until: world.now + .seconds(1))
            if readers.contains(where: \.isBehind) { isMoving = true }
        }
        if isMoving { wrong("numbers never came to rest, or readers never read all") }
    }

    /// Waits until every server has followed the log to its end: an entry may be on its way.
    private func waitForAgreement() {
        let deadline = world.now + .seconds(2)
        while world.now < deadline, Set(servers.map { $0.process?.progress?.sequence }).count > 1 {
            world.run(until: world.now + .milliseconds(10))
        }
    }

    private func lookAtEverything() {
        waitForAgreement()
        for server in servers {
            if let progress = server.process?.progress {
                world.history.write("progress", at: world.now) {
                    $0.member("server", server.name)
                    $0.member("sequence", Int(progress.sequence))
                    $0.member("digest", progress.digest.map { "\($0)" } ?? "")
                }
            }
            for record in server.disk?.quarantined ?? [] { wrong("a record was set aside: \(record)") }
        }
        let tracks = writers.indices.flatMap(CommandTable.tracks)
        inspection.auditAll(
            [
                "/v1/tickers?limit=200", "/v1/progress?limit=200", "/v1/schedules?limit=200", "/v1/tickers/sum",
                "/metrics",
            ] + tracks
                + tracks.map { "\($0)?locale=de-DE" } + tracks.map { "\($0)/image.svg" })
        for list in ["/v1/tickers", "/v1/progress"] { inspection.walk(list) }
        inspection.lookAtRest(of: tracks)
        for reader in readers { reader.writeFrames() }
        inspection.lookAtMotions(of: tracks, agree: waitForAgreement)
    }

    private func wrong(_ what: String) {
        world.history.write("wrong", at: world.now) { $0.member("what", what) }
    }
}
