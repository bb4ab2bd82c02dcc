// What a reader makes of a stream's bytes: events and lines. It shares no code with the server.

/// A decoded event, or a line of another form.
struct ReadEvent {
    var name = ""
    var id: String?
    var data = ""
}

/// Decodes the chunks of a stream.
struct EventDecoder {
    /// How the stream's body is written.
    enum Form: String {
        case events
        case lines
        case terminal
    }

    let form: Form
    private var chunk: [UInt8] = []
    /// Bytes of the present chunk that are still to come; nil in a chunk's first line.
    private var missing: Int?
    private var text: [UInt8] = []

    init(_ form: Form) { self.form = form }

    /// Decodes more bytes of the body.
    mutating func read(_ bytes: [UInt8]) -> [ReadEvent] {
        unchunk(bytes)
        switch form {
        case .events: return takeEvents()
        case .lines: return takeLines().map { ReadEvent(data: $0) }
        case .terminal: return []
        }
    }

    /// Returns the body's next bytes as they are.
    mutating func body(in bytes: [UInt8]) -> [UInt8] {
        unchunk(bytes)
        defer { text = [] }
        return text
    }

    /// Removes the framing of chunks (RFC 9112, 7.1).
    private mutating func unchunk(_ bytes: [UInt8]) {
        for byte in bytes {
            guard let count = missing else {
                chunk.append(byte)
                guard byte == UInt8(ascii: "\n") else { continue }
                let head = String(decoding: chunk.dropLast(2), as: UTF8.self)
                chunk = []
                missing = (Int(head, radix: 16) ?? 0) + 2
                continue
            }
            // The last two are the line's end behind the chunk.
            if count > 2 { text.append(byte) }
            missing = count > 1 ? count - 1 : nil
        }
    }

    private mutating func takeLines() -> [String] {
        var lines: [String] = []
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: text[..<end], as: UTF8.self))
            text.removeSubrange(...end)
        }
        return lines
    }

    /// An event ends with an empty line; one that is cut off is none.
    private mutating func takeEvents() -> [ReadEvent] {
        var (events, event, start) = ([ReadEvent](), ReadEvent(), 0)
        var (line, place) = (0, 0)
        while place < text.count {
            defer { place += 1 }
            guard text[place] == UInt8(ascii: "\n") else { continue }
            let field = String(decoding: text[line..<place], as: UTF8.self)
            line = place + 1
            if field.isEmpty {
                if !event.data.isEmpty || !event.name.isEmpty { events.append(event) }
                event = ReadEvent()
                start = line
            } else {
                Self.read(field, into: &event)
            }
        }
        text.removeFirst(start)
        return events
    }

    private static func read(_ field: String, into event: inout ReadEvent) {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts[0] {
        case "event": event.name = value
        case "id": event.id = value
        case "data": event.data += event.data.isEmpty ? value : "\n" + value
        default: break
        }
    }
}
