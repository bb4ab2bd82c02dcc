// A line of the log as bytes: one that a person reads, or an object of JSON. Pure.

import Tween
import Wire

/// Writes lines.
enum LogLine {
    /// The most bytes of a line; fields that don't fit are left out.
    static let maximumBytes = 2_048
    /// The most bytes of a field's text that are written, before anything is escaped.
    static let longestValue = 512

    /// - Parameter isForJournal: Whether systemd's journal reads it: the level stands in front of the line as that takes it
    ///   (sd-daemon(3)), and a text has neither time nor level of its own.
    static func bytes(of entry: LogMessage, as format: LogFormat, forJournal isForJournal: Bool = false) -> [UInt8] {
        let level = isForJournal ? Array("<\(entry.level.priority)>".utf8) : []
        return switch format {
        case .text: level + text(of: entry, isDated: !isForJournal)
        case .json: level + json(of: entry)
        }
    }

    /// `2026-11-26T05:40:00.123Z info stream: ended reason=client seconds=3.2`
    /// - Parameter isDated: Whether time and level stand in front.
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
            // JSON knows no others.
            case .real(let number): field += number.isFinite ? "\(number)".utf8 : "null".utf8
            }
            if line.count + field.count + 2 <= maximumBytes { line += field }
        }
        line += "}\n".utf8
        return line
    }

    private static func time(of entry: LogMessage) -> String { Timestamp.text(Instant(nanoseconds: entry.time)) }

    // MARK: - Texts

    /// A text that is read as one word, in quotes where it wouldn't be.
    private static func appendQuoted(_ text: String, to line: inout [UInt8]) {
        let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x5C }
        if !isWord { line.append(UInt8(ascii: "\"")) }
        ShownText.append(text, as: isWord ? .plain : .quoted, most: longestValue, to: &line)
        if !isWord { line.append(UInt8(ascii: "\"")) }
    }
}
