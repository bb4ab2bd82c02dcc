// A quiet day: nothing befalls three replicas whose numbers change now and then. It shows how fast worlds go.

import Base
import HTTPTransport
import RecurrenceRules
import TweencastService
import Wire

/// Three replicas with 20 numbers, one of which is sent elsewhere every 2 s, and five readers of all.
final class Day {
    private static let numbers = 20
    private static let pause: Int64 = .seconds(2)

    private let world: World
    private let duration: Int64
    private let servers: [SimulatedServer]
    private let readers: [StreamReader]
    private var changes = 0

    /// - Parameter duration: Nanoseconds.
    init(seed: UInt64, duration: Int64, history: History, zones: ZoneCache) {
        let world = World(seed: seed, history: history)
        (self.world, self.duration) = (world, duration)
        history.write("begins", at: 0) {
            $0.member("seed", "\(seed)")
            $0.member("kind", "log")
            $0.member("tokens", false)
        }
        let (log, receiver) = (SimulatedLog(world), WebhookReceiver(world))
        let servers = (0..<3).map { number in
            SimulatedServer(
                world, "s\(number)", .log(log), ServiceConfiguration(), zones: zones, receiver: receiver,
                socketBytes: 65_536, drift: Int64(world.index(below: 101)) - 50)
        }
        self.servers = servers
        let frames = FrameBook(world)
        readers = (0..<5).map { number in
            StreamReader(
                world, number, topics: "ticker=*",
                StreamReader.Form(query: "&stamp=true", decoder: .events, isStamped: true), servers: servers,
                tokens: AccessTokens(areRequired: false), frames: frames)
        }
    }

    func run() {
        for server in servers { server.start() }
        world.run(until: .milliseconds(200))
        for reader in readers { reader.connect() }
        change()
        world.run(until: duration)
        let all = "/v1/tickers?limit=\(Self.numbers)"
        for target in [all] + (0..<Self.numbers).map({ "/v1/tickers/n\($0)" }) {
            for server in servers { send(ClientRequest(method: "GET", target: target), to: server, isAudit: true) }
        }
        world.run(until: world.now + .seconds(2))
        for reader in readers { reader.writeFrames() }
        world.history.write("ends", at: world.now) { _ in }
        world.history.writeMarks(at: world.now)
    }

    private func change() {
        guard world.now < duration - Self.pause else { return }
        changes += 1
        let (number, to) = (world.index(below: Self.numbers), world.index(below: 1_000))
        send(
            ClientRequest(
                method: "POST", target: "/v1/tickers/n\(number)", headers: [("Idempotency-Key", "\(changes)")],
                body: #"{"to":\#(to),"duration":0.5}"#), to: world.pick(servers))
        world.after(Self.pause) { [self] in change() }
    }

    private func send(_ request: ClientRequest, to server: SimulatedServer, isAudit: Bool = false) {
        server.receive(request, of: 0) { [world] reply in
            guard case .response(let response) = reply, response.status < 300 else {
                return server.wrong("\(request.method) \(request.target) was not carried out")
            }
            guard isAudit else { return }
            world.history.write("audit", at: world.now) {
                $0.member("server", server.name)
                $0.member("target", request.target)
                $0.member("status", response.status)
                $0.member("body", response.body.text)
            }
        }
    }
}
