// Streams as lines of JSON (NDJSON), for clients that don't read Server-Sent Events. Each line is an event:
// {"event":"frame","data":{…}}.

/// Writes events as lines. Payloads must be JSON.
struct EventLines: UniformEncoder {
    static let key: UInt64 = 1

    func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(events.count + 64)
        EventFields.forEach(in: events) { $0.appendLine(to: &lines) }
        return lines
    }
}

extension EventFields {
    /// Appends the event as a line. It has none without data.
    fileprivate func appendLine(to bytes: inout [UInt8]) {
        guard !data.isEmpty else { return }
        bytes.append(contentsOf: "{\"event\":\"".utf8)
        // Names and ids need no escaping in JSON.
        bytes.append(contentsOf: name ?? ArraySlice("frame".utf8))
        bytes.append(UInt8(ascii: "\""))
        if let id {
            bytes.append(contentsOf: ",\"id\":\"".utf8)
            bytes.append(contentsOf: id)
            bytes.append(UInt8(ascii: "\""))
        }
        if let retry {
            bytes.append(contentsOf: ",\"retry\":".utf8)
            bytes.append(contentsOf: retry)
        }
        bytes.append(contentsOf: ",\"data\":".utf8)
        // Between lines of JSON only white space is lost.
        for line in data { bytes.append(contentsOf: line) }
        bytes.append(contentsOf: "}\n".utf8)
    }
}
