// Commands for tickers, progress and schedules that name their resource: lines of a batch, and actions.

import Base
import Board

enum CommandDecoder {
    /// Decodes the rest of an object as a command: an operation if it has `op`, otherwise an update.
    /// - Returns: nil if it names no ticker, progress or schedule.
    static func command(
        _ fields: inout FieldReader, source: [UInt8], scope: ActionScope
    ) throws(Problem) -> Command? {
        let verb = try fields.string("op")
        for kind in ResourceKind.allCases {
            guard let id = try fields.id("\(kind)") else { continue }
            let name = ResourceName(kind, id)
            if let verb {
                let command = try operation(verb, on: name, &fields)
                try fields.finish()
                return command
            }
            guard kind != .schedule else {
                throw .field(fields.pointer(to: "op"), "must be one of pause, resume, cancel, delete")
            }
            return .update(
                name, try UpdateDecoder.update(&fields, source: source, kind: kind, role: .update, scope: scope))
        }
        return nil
    }

    private static func operation(
        _ verb: String, on name: ResourceName, _ fields: inout FieldReader
    ) throws(Problem) -> Command {
        switch (verb, name.kind) {
        case ("delete", _), ("cancel", .schedule): return .remove(name)
        case ("pause", .schedule): return .pauseSchedule(name)
        case ("resume", .schedule): return .resumeSchedule(name)
        case (_, .schedule): throw .field(fields.pointer(to: "op"), "must be one of pause, resume, cancel, delete")
        default:
            guard let known = PlaybackVerb(rawValue: verb) else {
                throw .field(
                    fields.pointer(to: "op"), "must be one of pause, resume, cancel, finish, seek, rate, delete")
            }
            return .play(name, try PlaybackDecoder.operation(known, &fields))
        }
    }
}
