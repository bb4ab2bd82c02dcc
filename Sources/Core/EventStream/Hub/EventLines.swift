// Streams as lines of JSON (NDJSON), for clients that don't read Server-Sent Events. Each line is an event:
// {"event":"frame","data":{…}}. Queues hold the same events for all streams; they are rewritten when sent, since few streams
// need it.

import Base

/// Writes events as lines.
package enum EventLines {
    /// The media type of such streams.
    package static let contentType = "application/x-ndjson"

    /// Rewrites whole events as lines. Payloads must be JSON.
    package static func lines(of events: ArraySlice<UInt8>) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(events.count + 64)
        var event = Fields()
        var place = events.startIndex
        while place < events.endIndex {
            // proven: `place` was checked above.
            let end = events[place...].firstIndex(of: UInt8(ascii: "\n")) ?? events.endIndex
            // proven: the end is not before the start.
            let line = events[place..<end]
            place = end + 1
            if line.isEmpty {
                event.append(to: &lines)
                event = Fields()
            } else {
                event.take(line)
            }
        }
        return lines
    }

    /// Rewrites the chunks of a buffer from an index on. Chunks must be whole; each line becomes a chunk, as its event was.
    static func rewriteChunks(_ buffer: inout [UInt8], from start: Int) {
        guard start < buffer.count else { return }
        let chunks = Array(buffer.dropFirst(start))
        buffer.removeLast(chunks.count)
        Chunk.forEach(in: chunks[...]) { Chunk.append(lines(of: $0), to: &buffer) }
    }

    /// The fields of one event.
    private struct Fields {
        private var name: ArraySlice<UInt8>?
        private var id: ArraySlice<UInt8>?
        private var retry: ArraySlice<UInt8>?
        /// Usually one line. Between lines of JSON only white space is lost.
        private var data: [ArraySlice<UInt8>] = []

        mutating func take(_ line: ArraySlice<UInt8>) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
            // proven: the colon is in the line.
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            if line.starts(with: "data:".utf8) {
                data.append(value)
            } else if line.starts(with: "event:".utf8) {
                name = value
            } else if line.starts(with: "id:".utf8) {
                id = value
            } else if line.starts(with: "retry:".utf8) {
                retry = value
            }
        }

        func append(to bytes: inout [UInt8]) {
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
            for line in data { bytes.append(contentsOf: line) }
            bytes.append(contentsOf: "}\n".utf8)
        }
    }
}
