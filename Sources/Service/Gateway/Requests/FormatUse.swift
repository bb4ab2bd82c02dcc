// The number formats in a request, including nested ones.

import Base
package import Board
import Labels
import Wire

/// A format and its position.
package struct FormatUse: Sendable {
    /// Maximum number of distinct formats in a request: a batch with a few for each counter of a large board fits.
    package static let maximumCount = 1_000

    /// The line of a batch; 0 for a single request.
    var line: Int
    /// The path of the object with the format, to be put before a field's name: empty, or such as `then/0/`.
    var pointer: String
    var format: NumberFormat
    /// The field that names the locale, if that isn't in the format itself.
    var localeField: String?
    /// The error for an invalid format; nil for one that names the format's field.
    var refusal: Problem?

    /// Returns all formats of a command, in order.
    static func all(in command: Command, line: Int = 0) -> [FormatUse] {
        var uses = own(of: command, line: line, at: "")
        for action in command.actions { uses += all(in: action, line: line) }
        return uses
    }

    /// Compiles the formats of a command. The board rejects those that can't be compiled.
    package static func prepare(_ command: Command, by planner: LocalePlanner) {
        for use in all(in: command) { try? planner.prepare(use.format) }
    }

    private static func all(in placed: PlacedAction, line: Int) -> [FormatUse] {
        guard case .command(let command) = placed.action else {
            return placed.inner.flatMap { all(in: $0, line: line) }
        }
        return own(of: command, line: line, at: "\(placed.pointer)/")
            + placed.inner.flatMap { all(in: $0, line: line) }
    }

    /// A progress formats percentages and times beside its number.
    private static func formats(of update: TrackUpdate, _ kind: ResourceKind) -> [NumberFormat] {
        guard let format = update.format else { return [] }
        guard kind == .progress else { return [format] }
        return format.ofProgress
    }

    private static func own(of command: Command, line: Int, at pointer: String) -> [FormatUse] {
        switch command {
        case .update(let name, let update) where update.$format, .define(let name, let update) where update.$format:
            formats(of: update, name.kind).map { FormatUse(line: line, pointer: pointer, format: $0) }
        case .schedule(_, let definition):
            definition.locale.map {
                let field = pointer.isEmpty ? "locale" : "schedule/locale"
                return [FormatUse(line: line, pointer: pointer, format: NumberFormat(locale: $0), localeField: field)]
            } ?? []
        case .update, .define, .remove, .play, .notify, .pauseSchedule, .resumeSchedule, .pauseAllSchedules,
            .resumeAllSchedules, .removeAllSchedules:
            []
        }
    }

    /// Returns the error for this format.
    func problem(_ error: CommandError) -> Problem {
        guard case .invalid(let field, let reason) = error else { return Problem(error) }
        if let refusal { return refusal }
        return Problem(CommandError.invalid(field: pointer + (localeField ?? field), reason: reason))
    }

    /// Returns the problem for one format too many.
    var tooManyProblem: Problem {
        let field = localeField ?? "format"
        return .field("/\(pointer)\(field)", "a request names at most \(Self.maximumCount) different formats")
    }
}
