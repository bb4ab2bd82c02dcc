// Writes a change's answer to the audit trail before it is sent.

import Board
import HTTPTransport
import Wire

/// Audits the result of a change.
final class AuditedResponder: Responder {
    private let responder: any Responder
    private let audit: AuditLogger
    private let origin: AuditOrigin
    private let action: AuditAction

    init(_ responder: any Responder, _ audit: AuditLogger, _ origin: AuditOrigin, _ action: AuditAction) {
        self.responder = responder
        self.audit = audit
        self.origin = origin
        self.action = action
    }

    func send(_ response: HTTPResponse) {
        audit.record(action, by: origin, status: response.status, isRepeated: response.isRepeated)
        responder.send(response)
    }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { send(make()) }

    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        audit.record(action, by: origin, status: 200)
        responder.stream(headers: headers, to: acceptor, context: context)
    }
}

/// Audits the result of each line of a batch.
final class AuditedBatch: Responder {
    private let responder: any Responder
    private let audit: AuditLogger
    private let origin: AuditOrigin
    private let actions: [AuditAction]

    init(
        _ responder: any Responder, _ audit: AuditLogger, _ origin: AuditOrigin, _ lines: [Result<Command, Problem>]
    ) {
        self.responder = responder
        self.audit = audit
        self.origin = origin
        actions = lines.map { line in
            if case .success(let command) = line { AuditAction(command) } else { AuditAction("line") }
        }
    }

    func send(_ response: HTTPResponse) {
        guard response.status == 200 else {
            audit.record(AuditAction("batch"), by: origin, status: response.status)
            return responder.send(response)
        }
        var lines: [UInt8] = []
        for (index, answer) in response.body.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard index < actions.count else { break }
            lines += origin.line(
                actions[index], status: Self.status(of: answer), isRepeated: response.isRepeated, line: index + 1)
        }
        audit.write(lines)
        responder.send(response)
    }

    /// The status is the first member of a line's answer.
    private static func status(of answer: ArraySlice<UInt8>) -> Int {
        answer.dropFirst(#"{"status":"#.utf8.count).prefix(3).reduce(0) { $0 * 10 + Int($1) - 48 }
    }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { send(make()) }
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        responder.stream(headers: headers, to: acceptor, context: context)
    }
}

extension HTTPResponse {
    /// Whether the answer was given before for the same key.
    fileprivate var isRepeated: Bool { headers.contains { $0.name == "Idempotency-Replayed" } }
}
