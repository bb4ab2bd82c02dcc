// Lines of a batch: an update or an operation each.

package import Board
import Primitives

/// Decodes batches.
package enum BatchDecoder {
    /// The longest line, in bytes: what the body of a single request may hold.
    package static let maximumLineBytes = 64 * 1024

    /// The lines of an NDJSON body that hold something.
    /// - Parameter limit: No more are looked for.
    package static func lines(_ body: [UInt8], upTo limit: Int = .max) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = body[...]
        while lines.count < limit, !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { lines.append(line) }
            rest = rest.dropFirst(line.count + 1)
        }
        return lines
    }

    /// One line's command.
    package static func command(_ line: ArraySlice<UInt8>) throws(Problem) -> Command {
        guard line.count <= maximumLineBytes else {
            throw Problem(413, "Content Too Large", "a line must be at most \(maximumLineBytes) bytes long")
        }
        let source = Array(line)
        let document = try UpdateDecoder.document(source)
        var fields = try FieldReader(document, document.root, pointer: "")
        let verb = try fields.string("op")
        for kind in ResourceKind.allCases {
            guard let id = try fields.id("\(kind)") else { continue }
            let name = ResourceName(kind, id)
            guard let verb else {
                guard kind != .schedule else {
                    throw .field("/op", "a batch can't create schedules; give an operation in `op`")
                }
                return .update(
                    name, try UpdateDecoder.update(&fields, source: source, kind: kind, role: .update, depth: 0))
            }
            let command = try operation(verb, on: name, &fields)
            try fields.finish()
            return command
        }
        throw .field("", "a line needs one of `ticker`, `progress` or `schedule`")
    }

    private static func operation(
        _ verb: String, on name: ResourceName, _ fields: inout FieldReader
    ) throws(Problem) -> Command {
        switch (verb, name.kind) {
        case ("delete", _), ("cancel", .schedule): return .remove(name)
        case ("pause", .schedule): return .pauseSchedule(name)
        case ("resume", .schedule): return .resumeSchedule(name)
        case (_, .schedule): throw .field("/op", "must be one of pause, resume, cancel, delete")
        default:
            guard let known = PlaybackVerb(rawValue: verb) else {
                throw .field("/op", "must be one of pause, resume, cancel, finish, seek, rate, delete")
            }
            return .play(name, try PlaybackDecoder.operation(known, &fields))
        }
    }
}
