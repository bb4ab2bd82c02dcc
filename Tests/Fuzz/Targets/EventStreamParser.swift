// A parser of event streams, written from the WHATWG HTML standard (section 9.2.6) and from nothing of ours: what it makes
// of a stream is what a browser makes of it.

/// An event as it is dispatched.
struct ParsedEvent: Equatable {
    var type: [UInt8]
    var data: [UInt8]
    var lastEventID: [UInt8]
}

/// Takes a whole stream apart.
struct EventStreamParser {
    private(set) var events: [ParsedEvent] = []
    /// Lines whose field the standard doesn't know, and comments: nothing that is written here has any.
    private(set) var strangers: [[UInt8]] = []
    private(set) var retries: [[UInt8]] = []
    /// Bytes behind the last blank line: a stream that was cut off.
    private(set) var isCutOff = false

    private var type: [UInt8] = []
    private var data: [UInt8] = []
    private var lastEventID: [UInt8] = []

    init(_ stream: [UInt8]) {
        // "If the stream starts with a BOM, it is to be ignored": what follows is read as UTF-8 text.
        var rest = stream.starts(with: [0xEF, 0xBB, 0xBF]) ? stream.dropFirst(3) : stream[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            rest = rest.dropFirst(line.count)
            guard let end = rest.popFirst() else {
                isCutOff = true
                return
            }
            if end == 0x0D, rest.first == 0x0A { rest.removeFirst() }
            line.isEmpty ? dispatch() : process(line)
        }
        isCutOff = !data.isEmpty || !type.isEmpty
    }

    private mutating func process(_ line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return field(Array(line), []) }
        guard colon > line.startIndex else { return strangers.append(Array(line)) }
        var value = line.suffix(from: line.index(after: colon))
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        field(Array(line.prefix(upTo: colon)), Array(value))
    }

    private mutating func field(_ name: [UInt8], _ value: [UInt8]) {
        switch String(decoding: name, as: UTF8.self) {
        case "event": type = value
        case "data": data += value + [0x0A]
        case "id": if !value.contains(0) { lastEventID = value }
        case "retry":
            if value.allSatisfy({ (0x30...0x39).contains($0) }) {
                retries.append(value)
            } else {
                strangers.append(value)
            }
        default: strangers.append(name)
        }
    }

    private mutating func dispatch() {
        defer { (type, data) = ([], []) }
        guard !data.isEmpty else { return }
        data.removeLast()
        events.append(
            ParsedEvent(type: type.isEmpty ? Array("message".utf8) : type, data: data, lastEventID: lastEventID))
    }
}
