// How long functions are, told from the text: each is taken to end at the brace that stands where it began, as the formatter
// puts it.

/// A function's place and size.
struct MeasuredFunction {
    /// The line at which it begins, from 1.
    let line: Int
    /// Lines between the one it begins at and its last brace.
    let length: Int
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
            return MeasuredFunction(line: start + 1, length: last - start - 1)
        }
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
