// Formats a line of the log as text or JSON.

import Tween
import Wire

/// Formats log lines.
enum LogLine {
    /// The most bytes in a line. Fields that don't fit are dropped.
    static let maximumBytes = 2_048
    /// The most bytes that are written of a text value, before escaping.
    static let longestValue = 512

    /// - Parameter isForJournal: Whether systemd's journal reads the log. The line then starts with the level as the journal
    ///   expects it (sd-daemon(3)), and text lines omit the time and the level.
    static func bytes(of entry: LogMessage, as format: LogFormat, forJournal isForJournal: Bool = false) -> [UInt8] {
        let level = isForJournal ? Array("<\(entry.level.priority)>".utf8) : []
        return switch format {
        case .text: level + text(of: entry, isDated: !isForJournal)
        case .json: level + json(of: entry)
        }
    }

    /// Formats `2026-11-26T05:40:00.123Z info stream: ended reason=client seconds=3.2`.
    /// - Parameter isDated: Whether the line starts with time and level.
    private static func text(of entry: LogMessage, isDated: Bool) -> [UInt8] {
        var line = isDated ? Array("\(time(of: entry)) \(entry.level.name) ".utf8) : []
        line += "\(entry.kind.rawValue): ".utf8
        ShownText.append(entry.message, as: .plain, most: maximumBytes / 2, to: &line)
        for (name, value) in entry.fields {
            var field = Array(" \(name)=".utf8)
            switch value {
            case .text(let text): appendQuoted(text, to: &field)
            case .whole(let number): field += "\(number)".utf8
            case .real(let number): field += "\(number)".utf8
            }
            if line.count + field.count < maximumBytes { line += field }
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func json(of entry: LogMessage) -> [UInt8] {
        var line = Array("{\"time\":\"\(time(of: entry))\"".utf8)
        let fixed: LogMessage.Fields = [
            ("level", .text(entry.level.name)), ("subject", .text(entry.kind.rawValue)),
            ("message", .text(entry.message)),
        ]
        for (name, value) in fixed + entry.fields {
            var field = Array(",\"\(name)\":".utf8)
            switch value {
            case .text(let text):
                field.append(UInt8(ascii: "\""))
                ShownText.append(text, as: .json, most: longestValue, to: &field)
                field.append(UInt8(ascii: "\""))
            case .whole(let number): field += "\(number)".utf8
            // JSON has no infinities and no NaN.
            case .real(let number): field += number.isFinite ? "\(number)".utf8 : "null".utf8
            }
            if line.count + field.count + 2 <= maximumBytes { line += field }
        }
        line += "}\n".utf8
        return line
    }

    private static func time(of entry: LogMessage) -> String { Timestamp.text(Instant(nanoseconds: entry.time)) }

    // MARK: - Text values

    /// Appends a text that reads as one word, in quotes if needed.
    private static func appendQuoted(_ text: String, to line: inout [UInt8]) {
        let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x5C }
        if !isWord { line.append(UInt8(ascii: "\"")) }
        ShownText.append(text, as: isWord ? .plain : .quoted, most: longestValue, to: &line)
        if !isWord { line.append(UInt8(ascii: "\"")) }
    }
}
