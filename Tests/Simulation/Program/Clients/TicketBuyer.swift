// One-time tickets of a reader: it gets one for each stream, and now and then somebody else uses it as well.

import Base
import HTTPTransport
import Wire

/// Gets tickets with a reader's token.
final class TicketBuyer {
    /// What came of a request for a ticket.
    enum Purchase {
        case ticket(String)
        case refused(HTTPResponse)
        case lost
    }

    /// Nanoseconds after which a ticket is certainly too old: the server's lifetime, and a second.
    static let lifetime: Int64 = .seconds(31)
    private static let latency: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(3))
    /// The share of tickets that somebody else uses at the same time.
    private static let theft = 0.2

    private let world: World
    private let reader: Int
    private let servers: [SimulatedServer]
    private let topics: String
    private var uses = 0

    /// - Parameter topics: As in the query of a stream.
    init(_ world: World, _ reader: Int, servers: [SimulatedServer], topics: String) {
        (self.world, self.reader, self.servers, self.topics) = (world, reader, servers, topics)
    }

    /// - Parameter expires: The world's time at which the token ends; 0 for never.
    func buy(
        with headers: [(name: String, value: String)], expiring expires: Int64,
        receive: @escaping (Purchase) -> Void
    ) {
        let (server, asked) = (world.pick(servers), world.now)
        let request = ClientRequest(method: "POST", target: "/v1/tickets", headers: headers, body: body)
        world.after(world.nanoseconds(Self.latency)) { [self] in
            server.receive(request, of: 100 + reader) { [self] reply in
                guard case .response(let response) = reply else { return receive(.lost) }
                let text = response.body.text
                guard response.status == 201, let start = text.end(of: #""ticket":""#) else {
                    return receive(.refused(response))
                }
                let ticket = String(text[start...].prefix { $0 != "\"" })
                world.history.write("ticket", at: world.now) {
                    $0.member("reader", reader)
                    $0.member("ticket", ticket)
                    $0.member("asked", Int(asked))
                    $0.member("expires", Int(expires))
                }
                receive(.ticket(ticket))
                if world.happens(Self.theft) { steal(ticket) }
            }
        }
    }

    private var body: String {
        var kinds: [(kind: String, names: [Substring])] = []
        for topic in topics.split(separator: "&") {
            let parts = topic.split(separator: "=")
            if let place = kinds.firstIndex(where: { $0.kind == parts[0] }) {
                kinds[place].names.append(parts[1])
            } else {
                kinds.append((kind: String(parts[0]), names: [parts[1]]))
            }
        }
        var json = JSONWriter()
        json.object { json in
            for (kind, names) in kinds { json.list("\(kind)") { for name in names { $0.string(name.utf8) } } }
        }
        return json.bytes.text
    }

    /// Somebody else opens a stream with it, and leaves at once.
    private func steal(_ ticket: String) {
        let server = world.pick(servers)
        let use = beginUse(of: ticket, at: server)
        let request = ClientRequest(method: "GET", target: "/v1/events?\(topics)&ticket=\(ticket)")
        world.after(world.nanoseconds(Self.latency)) { [self] in
            let stream = StreamReceiver(receive: { _ in }, end: {})
            server.receive(request, of: 100 + reader, stream: stream) { [self] reply in
                end(use, reply)
                if case .stream(let connection) = reply { connection.breakOff(after: 0) }
            }
        }
    }

    // MARK: - Uses

    /// Writes down that a ticket is used.
    /// - Returns: The number of this use.
    func beginUse(of ticket: String, at server: SimulatedServer) -> Int {
        uses += 1
        world.history.write("spends", at: world.now) {
            $0.member("reader", reader)
            $0.member("use", uses)
            $0.member("ticket", ticket)
            $0.member("server", server.name)
        }
        return uses
    }

    /// Writes down what came of a use.
    func end(_ use: Int, _ reply: Reply) {
        let outcome =
            switch reply {
            case .stream: "stream"
            case .response(let response): "\(response.status)"
            case .lost, .cut: "lost"
            }
        if outcome == "401" { world.history.mark("ticket refused") }
        world.history.write("spent", at: world.now) {
            $0.member("reader", reader)
            $0.member("use", use)
            $0.member("outcome", outcome)
        }
    }
}
