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
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = missing else {
                takeHead(of: &rest)
                continue
            }
            // The last two are the line's end behind the chunk.
            text += rest.prefix(max(0, count - 2))
            missing = count > rest.count ? count - rest.count : nil
            rest = rest.dropFirst(count)
        }
    }

    /// Takes what there is of a chunk's first line.
    private mutating func takeHead(of rest: inout ArraySlice<UInt8>) {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        chunk += line
        rest = rest[line.endIndex...]
        guard rest.popFirst() != nil else { return }
        missing = (Int(String(decoding: chunk.dropLast(), as: UTF8.self), radix: 16) ?? 0) + 2
        chunk = []
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
        var (events, event, start, line) = ([ReadEvent](), ReadEvent(), 0, 0)
        while let end = text[line...].firstIndex(of: UInt8(ascii: "\n")) {
            if end > line {
                Self.read(text[line..<end], into: &event)
            } else {
                if !event.data.isEmpty || !event.name.isEmpty { events.append(event) }
                event = ReadEvent()
                start = end + 1
            }
            line = end + 1
        }
        text.removeFirst(start)
        return events
    }

    private static func read(_ field: ArraySlice<UInt8>, into event: inout ReadEvent) {
        let name = field.prefix { $0 != UInt8(ascii: ":") }
        let rest = field[name.endIndex...].dropFirst().drop { $0 == UInt8(ascii: " ") }
        let value = String(decoding: rest, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "event": event.name = value
        case "id": event.id = value
        case "data": event.data += event.data.isEmpty ? value : "\n" + value
        default: break
        }
    }
}
