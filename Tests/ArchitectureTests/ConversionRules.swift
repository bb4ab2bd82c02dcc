// What a source may not do with numbers that nobody has proven: told from its text, so it knows no types. It finds what is
// visibly a double turned into an integer by the trapping initialiser, and slices by number.

import Foundation

/// A line that may trap, by the look of it.
struct Suspicion: CustomStringConvertible {
    let path: String
    let line: Int
    let text: String

    var description: String { "\(path):\(line): \(text)" }
}

enum ConversionRules {
    /// What stands on the line, or on one of the two above it, where somebody has proven that nothing can trap.
    static let marker = "// proven: "

    /// Trapping conversions of doubles to integers; `Base/Numbers` has what to use in their place.
    static func bareConversions(in file: SourceFile) -> [Suspicion] {
        let doubles = doubleNames(in: file)
        return suspicions(in: file) { code in
            calls(in: code).contains { argument in isDouble(argument, names: doubles) }
        }
    }

    /// Slices by numbers; those that were found in the same text by `firstIndex` and the like are no numbers.
    static func bareSlices(in file: SourceFile) -> [Suspicion] {
        let code = file.lines.map { withoutComment($0) }.joined(separator: "\n")
        let found = Set(matches(of: #"(?:let|var) (\w+) = [^\n]*(?:firstIndex|lastIndex|index)\("#, in: code))
        return suspicions(in: file) { code in
            matches(of: #"[\w)\]]\[([^\[\]]*(?:\.\.<|\.\.\.)[^\[\]]*)\]"#, in: code).contains { range in
                bounds(of: range).contains { bound in
                    !bound.isEmpty && !found.contains(bound) && !bound.contains("index(after:")
                        && !bound.contains("Index")
                }
            }
        }
    }

    // MARK: - Parts

    private static func suspicions(in file: SourceFile, where isSuspect: (String) -> Bool) -> [Suspicion] {
        file.lines.indices.compactMap { number in
            guard isSuspect(withoutComment(file.lines[number])),
                !file.lines[max(0, number - 2)...number].contains(where: { $0.contains(marker) })
            else { return nil }
            return Suspicion(
                path: file.path, line: number + 1, text: file.lines[number].trimmingCharacters(in: .whitespaces))
        }
    }

    private static func withoutComment(_ line: Substring) -> String {
        String(line.range(of: "//").map { line[..<$0.lowerBound] } ?? line)
    }

    /// The arguments of `Int(…)`, `UInt64(…)` and the other integers, those without a label.
    private static func calls(in code: String) -> [String] {
        let pattern = #/\bU?Int(?:8|16|32|64|128)?\(/#
        return code.matches(of: pattern).compactMap { match in
            var depth = 1
            let argument = code[match.range.upperBound...].prefix { character in
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                return depth > 0
            }
            return argument.prefixMatch(of: #/\w+: /#) == nil ? String(argument) : nil
        }
    }

    /// Whether an expression is visibly a double: by a literal, by what it calls, or by a name that the file declares as one.
    private static func isDouble(_ argument: String, names: Set<String>) -> Bool {
        let signs = [
            #"\d\.\d"#, #"\b\d[\d_]*e-?\d"#, #"\.rounded\("#, #"\bDouble\("#, #"\.squareRoot\("#, #"seconds\(since:"#,
            #"\.double\b"#, #"\bfloor\(|\bceil\("#, #"0x[\dA-Fa-f.]+p"#,
        ]
        if signs.contains(where: { argument.range(of: $0, options: .regularExpression) != nil }) { return true }
        // The last name of a chain decides: `wheel.position` is one where `position` is.
        return matches(of: #"(\w+)(?![\w.(\[:])"#, in: argument).contains { names.contains($0) }
    }

    /// Names that a file declares as doubles and as nothing else.
    private static func doubleNames(in file: SourceFile) -> Set<String> {
        let code = file.lines.map { withoutComment($0) }.joined(separator: "\n")
        let typed = matches(of: #"\b(\w+): (?:inout )?\[?Double\b"#, in: code)
        let inferred = matches(of: #"(?:let|var) (\w+) = [^\n]*(?:\.rounded\(|\bDouble\(|seconds\(since:)"#, in: code)
        let others = matches(of: #"\b(\w+): (?:inout )?\[?(?:U?Int\w*|String|Substring|UInt8)\b"#, in: code)
        return Set(typed + inferred).subtracting(others)
    }

    private static func bounds(of range: String) -> [String] {
        range.replacingOccurrences(of: "..<", with: "...").components(separatedBy: "...")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The first group of each match.
    private static func matches(of pattern: String, in text: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).map { String(text[$0]) }
        }
    }
}
