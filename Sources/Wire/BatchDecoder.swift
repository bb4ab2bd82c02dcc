// Lines of a batch: an update or an operation each.

package import Board

/// Decodes batches.
package enum BatchDecoder {
    /// The lines of an NDJSON body that hold something.
    package static func lines(_ body: [UInt8]) -> [ArraySlice<UInt8>] {
        body.split(separator: UInt8(ascii: "\n")).filter { line in
            line.contains { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }
        }
    }

    /// One line's command.
    package static func command(_ line: ArraySlice<UInt8>) throws(Problem) -> Command {
        let source = Array(line)
        let document = try UpdateDecoder.document(source)
        var fields = try FieldReader(document, document.root, pointer: "")
        let verb = try fields.string("op")
        for kind in ResourceKind.allCases {
            guard let id = try fields.string("\(kind)") else { continue }
            guard ResourceName.isValid(id: id) else {
                throw .field("/\(kind)", "must be 1 to 128 of A-Z a-z 0-9 . _ ~ : -, and neither . nor ..")
            }
            let name = ResourceName(kind, id)
            guard let verb else {
                guard kind != .schedule else { throw .field("/op", "a schedule in a batch needs an operation") }
                return .update(
                    name, try UpdateDecoder.update(&fields, source: source, kind: kind, role: .update, depth: 0))
            }
            let command = try operation(verb, on: name, &fields)
            try fields.finish()
            return command
        }
        throw .field("", "a line names one of ticker, progress, schedule")
    }

    private static func operation(
        _ verb: String, on name: ResourceName, _ fields: inout FieldReader
    ) throws(Problem) -> Command {
        switch (verb, name.kind) {
        case ("delete", _), ("cancel", .schedule): return .remove(name)
        case ("pause", .schedule): return .pauseSchedule(name)
        case ("resume", .schedule): return .resumeSchedule(name)
        case (_, .schedule): throw .field("/op", "must be one of pause, resume, cancel, delete")
        default: return .play(name, try PlaybackDecoder.operation(verb, &fields))
        }
    }
}
