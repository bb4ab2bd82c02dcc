// A client that changes numbers, one request after the other. What it sent under a key it sends again until it knows the answer.

import Base
import HTTPTransport
import Wire

/// A client that sends commands.
final class Writer {
    private static let latency: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(3))
    private static let retry: ClosedRange<Int64> = .milliseconds(50)...(.milliseconds(600))
    /// Nanoseconds after which an answer must have come, whatever befalls a server.
    private static let patience: Int64 = .seconds(20)
    /// The share of requests that carry another token than the writer's own.
    private static let strangeness = 0.04
    /// Answered requests that it remembers, to send them again.
    private static let remembered = 30

    private struct Request {
        let number: Int
        let command: WriterCommand
        let key: String?
        /// Whose token it carries, in all attempts.
        let bearer: Bearer
        var attempt = 0
    }

    private let world: World
    private let number: Int
    private let servers: [SimulatedServer]
    private let tokens: AccessTokens
    private let table: CommandTable
    private let credential: Credential
    private let keyed: Double
    /// The longest pause between two requests.
    private let pause: Int64
    private var requests = 0
    private var answered: [Request] = []
    /// By the path of a number, the ETag that it heard last, which may be that of an answer under a key.
    private var tags: [String: String] = [:]
    private var isEnding = false
    /// Called once it has sent its last request and knows the answer.
    var ended: () -> Void = {}
    /// What it still sends when it ends.
    private var last: [WriterCommand] = []

    init(_ world: World, _ number: Int, servers: [SimulatedServer], tokens: AccessTokens, hasLongLists: Bool) {
        (self.world, self.number, self.servers, self.tokens) = (world, number, servers, tokens)
        table = CommandTable(world, writer: number, hasLongLists: hasLongLists)
        credential = Credential(world, tokens, of: .writer(number), mayExpire: true) { servers[0].wall }
        keyed = world.pick([0.5, 0.9, 1])
        pause = world.pick([.milliseconds(5), .milliseconds(100), .milliseconds(800)])
    }

    func begin() { world.after(world.nanoseconds(0...pause)) { [self] in sendNext() } }

    /// Sends what brings everything of its own to rest, and ends.
    func end() {
        isEnding = true
        last =
            CommandTable.tracks(of: number).map { WriterCommand(target: "\($0)/resume") }
            + [WriterCommand(method: "DELETE", target: "/v1/schedules/w\(number)-s")]
    }

    private func sendNext() {
        if isEnding {
            guard !last.isEmpty else { return ended() }
            return send(new(last.removeFirst(), isKeyed: true, by: own))
        }
        if !answered.isEmpty, world.happens(0.06) {
            world.history.mark("key repeated")
            return send(world.pick(answered))
        }
        // The number belongs to the command: its targets and data have it.
        let command = table.draw(number * 1_000_000 + requests + 1, tags: tags)
        send(new(command, isKeyed: world.happens(keyed), by: bearer()))
    }

    private var own: Bearer { .writer(number) }
    private var other: Bearer { .writer((number + 1) % AccessTokens.writers) }

    private func bearer() -> Bearer {
        guard tokens.areRequired, world.happens(Self.strangeness) else { return own }
        return world.pick([other, .mute, .stranger, .nobody])
    }

    private func new(_ command: WriterCommand, isKeyed: Bool, by bearer: Bearer) -> Request {
        requests += 1
        let number = number * 1_000_000 + requests
        return Request(
            number: number, command: command, key: isKeyed && command.takesKey ? "key-\(number)" : nil, bearer: bearer)
    }

    private func send(_ known: Request) {
        var request = known
        request.attempt += 1
        let sent = ClientRequest(
            method: request.command.method, target: request.command.target,
            headers: request.command.headers + (request.key.map { [("Idempotency-Key", $0)] } ?? [])
                + (request.bearer == own ? credential.headers : tokens.headers(of: request.bearer)),
            body: request.command.body, isImpatient: request.command.method == "GET")
        let server = world.pick(servers)
        world.history.write("asks", at: world.now) { json in
            json.member("writer", number)
            json.member("server", server.name)
            json.member("n", request.number)
            json.member("method", sent.method)
            json.member("target", sent.target)
            json.member("body", sent.body)
            json.member("key", request.key ?? "")
            json.member("expires", Int(request.bearer == own ? credential.expires ?? 0 : 0))
            let names = [own: "own", other: "other"]
            json.member("bearer", names[request.bearer] ?? "\(request.bearer)")
            json.member("ifMatch", sent.headers.first { $0.name == "If-Match" }?.value ?? "")
        }
        var isOver = false
        let hear = { [self] (reply: Reply) in
            guard !isOver else { return }
            isOver = true
            take(reply, of: request)
        }
        world.after(world.nanoseconds(Self.latency)) { server.receive(sent, of: self.number, reply: hear) }
        world.after(Self.patience) { [world] in
            guard !isOver else { return }
            world.history.write("wrong", at: world.now) { $0.member("what", "request \(request.number) has no answer") }
            hear(.lost)
        }
    }

    private func take(_ reply: Reply, of request: Request) {
        guard case .response(let response) = reply else {
            world.history.write("lost", at: world.now) {
                $0.member("n", request.number)
                if case .cut(let body) = reply { $0.member("body", body.text) }
            }
            return goOn(from: request, isKnown: false)
        }
        world.history.write("answer", at: world.now) { json in
            json.member("n", request.number)
            json.member("status", response.status)
            json.member("body", response.body.text)
            for (name, field) in [("Idempotency-Replayed", "replayed"), ("ETag", "etag")] {
                json.member(field, response.headers.first { $0.name == name }?.value ?? "")
            }
        }
        if request.bearer != own, [401, 403].contains(response.status) {
            world.history.mark("request refused for its token")
        } else if response.status == 401 {
            world.history.mark("request refused for its expired token")
            credential.renew()
            // It says nothing of earlier attempts.
            return goOn(from: request, isKnown: false)
        }
        rememberTag(of: response, to: request.command)
        goOn(from: request, isKnown: response.status < 500)
    }

    private func rememberTag(of response: HTTPResponse, to command: WriterCommand) {
        guard let tag = response.headers.first(where: { $0.name == "ETag" })?.value else { return }
        // A picture has a tag of its own.
        let isOfNumber = { (path: String) in
            command.target == path || command.method != "GET" && command.target.hasPrefix(path + "/")
        }
        if let path = CommandTable.tracks(of: number).first(where: isOfNumber) { tags[path] = tag }
    }

    private func goOn(from request: Request, isKnown: Bool) {
        if !isKnown, request.key != nil {
            return world.after(world.nanoseconds(Self.retry)) { [self] in send(request) }
        }
        if isKnown, request.key != nil {
            answered.append(request)
            if answered.count > Self.remembered { answered.removeFirst() }
        }
        world.after(world.nanoseconds(0...pause)) { [self] in sendNext() }
    }
}
