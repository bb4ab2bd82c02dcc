// Which number formats a request brings, nested ones too.

import Board
import Labels
import Wire

/// A format and where it stands.
package struct FormatUse: Sendable {
    /// The most different formats of one request: a batch for each counter of a large board has a few.
    package static let maximumCount = 1_000

    /// Of a batch; 0 for a single request.
    var line: Int
    /// RFC 6901, to what holds the format.
    var pointer: String
    var format: NumberFormat

    /// All formats of a command, in their order.
    static func all(in command: Command, line: Int = 0) -> [FormatUse] {
        switch command {
        case .update(_, let update), .define(_, let update): all(in: update, line: line, at: "")
        case .schedule(_, let definition): all(in: definition.actions, line: line, at: "do/")
        default: []
        }
    }

    private static func all(in update: TrackUpdate, line: Int, at pointer: String) -> [FormatUse] {
        let own = update.format.map { [FormatUse(line: line, pointer: pointer, format: $0)] } ?? []
        guard let then = update.then else { return own }
        return own + all(in: then, line: line, at: "\(pointer)then/")
    }

    private static func all(in actions: ActionList, line: Int, at pointer: String) -> [FormatUse] {
        actions.actions.enumerated().flatMap { index, action -> [FormatUse] in
            guard case .update(_, let update) = action else { return [] }
            return all(in: update, line: line, at: "\(pointer)\(index)/")
        }
    }

    /// Why it can't be taken.
    func problem(_ error: CommandError) -> Problem {
        guard case .invalid(let field, let reason) = error else { return Problem(error) }
        return Problem(CommandError.invalid(field: pointer + field, reason: reason))
    }

    var isOneTooMany: Problem {
        .field("/\(pointer)format", "a request names at most \(Self.maximumCount) different formats")
    }
}
