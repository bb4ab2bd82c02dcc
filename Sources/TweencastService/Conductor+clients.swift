// `/v1/clients`: every stream with its topics, its pace and what it was not sent.

import Conversions
import EventStream
import HTTPTransport
import Primitives
import Tween
import Wire

extension Conductor {
    /// Asks every stream thread for its part; the answer goes out with the last.
    func lookAtClients(limit: Int, for exchange: any Exchange) {
        guard !inspections.isFull else {
            exchange.send(
                .problem(
                    Problem(
                        429, "Too Many Requests", "another inspection is running; try again in a moment", retryAfter: 1)
                ))
            return
        }
        let ticket = inspections.ticket()
        let missing = parts.acceptor.inspect(ticket: ticket)
        inspections.begin(ticket, ClientInspections.Inspection(exchange: exchange, limit: limit, missing: missing))
    }

    func take(_ reports: [ClientReport], ticket: UInt64, at now: Instant) {
        guard let inspection = inspections.take(reports, ticket: ticket) else { return }
        // Those that were left out most come first: they are what one looks for.
        let clients = inspection.reports.sorted {
            ($0.statistics.leftOut, $0.socket.unsentBytes) > ($1.statistics.leftOut, $1.socket.unsentBytes)
        }
        sendClients(
            Array(clients.prefix(inspection.limit)), count: clients.count, to: inspection.exchange, at: now)
    }

    func append(_ client: ClientReport, at now: Instant, to json: inout JSONWriter) {
        let key = client.socket.stream
        let subscription = hub.subscription(of: key)
        json.object {
            $0.member("client", "\(key.loop)-\(key.slot)-\(key.generation)")
            $0.member("peer", client.socket.peer)
            $0.list("topics") { json in
                for pattern in subscription?.patterns ?? [] {
                    json.string("\(pattern.kind)/\(pattern.text)\(pattern.isPrefix ? "*" : "")".utf8)
                }
            }
            $0.member("topicCount", subscription?.topics ?? 0)
            $0.member("age", Double(parts.clock.monotonic(of: now).subtractingSaturated(client.socket.opened)) / 1e9)
            $0.member("frames", Int(client.statistics.frames))
            $0.member("leftOut", Int(client.statistics.leftOut))
            $0.member("events", Int(client.statistics.events))
            $0.member("waitingEvents", client.waitingEvents)
            $0.member("sentBytes", Int(client.socket.sentBytes))
            $0.member("unsentBytes", client.socket.unsentBytes)
            $0.member("lagging", client.socket.isLagging)
        }
    }
}
