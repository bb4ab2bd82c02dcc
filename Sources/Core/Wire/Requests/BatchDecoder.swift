// The lines of a batch: an update or an operation each.

package import Board
package import RecurrenceRules

/// Decodes batches.
package enum BatchDecoder {
    /// The maximum length of a line in bytes, the same as for the body of a single request.
    package static let maximumLineBytes = 64 * 1024

    /// Returns the non-blank lines of an NDJSON body.
    /// - Parameter limit: The maximum number of lines.
    package static func lines(_ body: [UInt8], upTo limit: Int = .max) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        let mark = UpdateDecoder.byteOrderMark
        var rest = body.starts(with: mark) ? body.dropFirst(mark.count) : body[...]
        while lines.count < limit, !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { lines.append(line) }
            rest = rest.dropFirst(line.count + 1)
        }
        return lines
    }

    /// Decodes one line's command.
    /// - Parameter rules: Calendar rules for schedules in its actions.
    package static func command(
        _ line: ArraySlice<UInt8>, rules: any CalendarRules = NoCalendarRules()
    ) throws(Problem) -> Command {
        guard line.count <= maximumLineBytes else {
            throw Problem(413, "Content Too Large", "a line must be at most \(maximumLineBytes) bytes long")
        }
        let document = try UpdateDecoder.document(Array(line))
        if case .array = document.root.content {
            throw .field("", "each line is one object: leave out the brackets and the commas between objects")
        }
        // Without surrounding space, such as a carriage return, as in a record.
        let source = document.source(of: document.root)
        var fields = try FieldReader(document, document.root, pointer: "")
        if let command = try CommandDecoder.command(&fields, source: source, scope: ActionScope(rules: rules)) {
            return command
        }
        if let name = try fields.id("notify") {
            let data = fields.read("data").map { document.source(of: $0) }
            try fields.finish()
            try LineRoom.check(data: data, at: fields.pointer(to: "data"))
            return .notify(name: name, data: data)
        }
        throw .field(
            "", "a line names what it is for: it needs one of `ticker`, `progress`, `schedule` or `notify`, with an id")
    }
}
