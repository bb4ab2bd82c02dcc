// The answer to a batch with lines that only add to numbers which their sender may not read.

import Board
import HTTPTransport
import Wire

/// Reduces the answers to such lines to their status.
final class SumBatch: Responder {
    /// What is left of an answer: it doesn't show whether the number is new.
    private static let answer = Array(#"{"status":200}"#.utf8)

    private let responder: any Responder
    /// Whether each line is such a line.
    private let areSums: [Bool]

    private init(_ responder: any Responder, _ areSums: [Bool]) {
        self.responder = responder
        self.areSums = areSums
    }

    /// - Returns: The responder itself if there are no such lines.
    static func responder(
        _ responder: any Responder, _ caller: Caller, _ lines: [Result<Command, Problem>]
    ) -> any Responder {
        guard !caller.rights.add.isEmpty else { return responder }
        let areSums = lines.map { line in
            if case .success(.update(let name, _)) = line { caller.mayOnlyAdd(to: name) } else { false }
        }
        return areSums.contains(true) ? SumBatch(responder, areSums) : responder
    }

    func send(_ response: HTTPResponse) {
        guard response.status == 200 else { return responder.send(response) }
        let lines = response.body.split(separator: UInt8(ascii: "\n"))
        var reduced = response
        reduced.body = []
        for (line, isSum) in zip(lines, areSums) {
            reduced.body += isSum && line.starts(with: Self.success) ? Self.answer[...] : line
            reduced.body.append(UInt8(ascii: "\n"))
        }
        responder.send(reduced)
    }

    /// How the answer to a line begins that was carried out: with 200 or 201.
    private static let success = Array(#"{"status":20"#.utf8)

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { send(make()) }
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        responder.stream(headers: headers, to: acceptor, context: context)
    }
}
