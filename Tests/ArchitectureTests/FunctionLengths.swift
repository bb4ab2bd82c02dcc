// How long functions are, told from the text: each is taken to end at the brace that stands where it began, as the formatter
// puts it.

/// A function's place and size.
struct MeasuredFunction {
    /// The line at which it begins, from 1.
    let line: Int
    /// Lines between the one it begins at and its last brace.
    let length: Int
    /// It is one switch over all cases and nothing else: cut in two, each half would need an answer for the other's.
    let isTable: Bool
}

enum FunctionLengths {
    /// Functions, initialisers and the like of more than one line.
    static func functions(in file: SourceFile) -> [MeasuredFunction] {
        file.lines.indices.compactMap { start in
            let line = file.lines[start]
            // What a protocol asks for has no body.
            guard isFunction(line), line.hasSuffix("{") || line.hasSuffix("(") else { return nil }
            let end = String(repeating: " ", count: line.prefix { $0 == " " }.count) + "}"
            guard let last = file.lines[start...].firstIndex(where: { $0 == end }) else { return nil }
            return MeasuredFunction(
                line: start + 1, length: last - start - 1, isTable: isTable(file.lines[(start + 1)..<last], end))
        }
    }

    private static func isTable(_ body: ArraySlice<Substring>, _ end: String) -> Bool {
        // What lies in front of the body when the parameters have lines of their own.
        let statements = body.firstIndex { $0.hasPrefix(end.dropLast() + ")") }.map { body[($0 + 1)...] } ?? body
        let inner = "    " + end
        return statements.first?.hasPrefix(inner.dropLast() + "switch ") == true
            && statements.firstIndex { $0 == inner } == statements.indices.last
            && !statements.contains { $0.hasPrefix(inner.dropLast() + "default:") }
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "private", "fileprivate", "static", "mutating", "nonmutating", "final", "override",
        "nonisolated", "convenience", "consuming", "borrowing", "class",
    ]

    private static func isFunction(_ line: Substring) -> Bool {
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        guard let first = words.first else { return false }
        return first == "func" || first.hasPrefix("init(") || first.hasPrefix("init?(") || first.hasPrefix("init<")
            || first == "deinit" || first.hasPrefix("subscript(")
    }
}
