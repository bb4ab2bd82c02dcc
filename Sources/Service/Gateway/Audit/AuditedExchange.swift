// A change's answer on its way out, which the audit trail is told of.

import Board
import HTTPTransport
import Wire

/// Tells the trail what came of a change.
final class AuditedExchange: Exchange {
    private let exchange: any Exchange
    private let desk: AuditDesk
    private let origin: AuditOrigin
    private let deed: AuditDeed

    init(_ exchange: any Exchange, _ desk: AuditDesk, _ origin: AuditOrigin, _ deed: AuditDeed) {
        self.exchange = exchange
        self.desk = desk
        self.origin = origin
        self.deed = deed
    }

    func send(_ response: HTTPResponse) {
        desk.tell(deed, by: origin, status: response.status, isRepeated: response.isRepeated)
        exchange.send(response)
    }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { send(make()) }

    func send(_ head: HTTPResponse, bodyFrom source: any BodySource) {
        desk.tell(deed, by: origin, status: head.status, isRepeated: head.isRepeated)
        exchange.send(head, bodyFrom: source)
    }

    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        desk.tell(deed, by: origin, status: 200)
        exchange.stream(headers: headers, to: acceptor, context: context)
    }
}

/// Tells the trail what came of each line of a batch.
final class AuditedBatch: Exchange {
    private let exchange: any Exchange
    private let desk: AuditDesk
    private let origin: AuditOrigin
    private let deeds: [AuditDeed]

    init(_ exchange: any Exchange, _ desk: AuditDesk, _ origin: AuditOrigin, _ lines: [Result<Command, Problem>]) {
        self.exchange = exchange
        self.desk = desk
        self.origin = origin
        deeds = lines.map { line in
            if case .success(let command) = line { AuditDeed(command) } else { AuditDeed("line") }
        }
    }

    func send(_ response: HTTPResponse) {
        guard response.status == 200 else {
            desk.tell(AuditDeed("batch"), by: origin, status: response.status)
            return exchange.send(response)
        }
        var lines: [UInt8] = []
        for (index, answer) in response.body.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard index < deeds.count else { break }
            lines += origin.line(
                deeds[index], status: Self.status(of: answer), isRepeated: response.isRepeated, line: index + 1)
        }
        desk.tell(lines)
        exchange.send(response)
    }

    /// Answers to lines begin with it.
    private static func status(of answer: ArraySlice<UInt8>) -> Int {
        answer.dropFirst(#"{"status":"#.utf8.count).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { send(make()) }
    func send(_ head: HTTPResponse, bodyFrom source: any BodySource) { exchange.send(head, bodyFrom: source) }
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        exchange.stream(headers: headers, to: acceptor, context: context)
    }
}

extension HTTPResponse {
    /// Whether it is an answer that was given before, to the same key.
    fileprivate var isRepeated: Bool { headers.contains { $0.name == "Idempotency-Replayed" } }
}
