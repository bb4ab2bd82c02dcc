// Forms of a stream other than Server-Sent Events. Queues hold the same events for all streams; an encoder rewrites them when
// they are sent, since few streams need one.

import Base

/// A form of a stream, and what makes its encoders.
package struct StreamEncoding: Sendable {
    /// What the payloads of frames must be.
    package enum Payload: Sendable {
        case json, text
    }

    /// The media type of such streams.
    package let contentType: String
    package let payload: Payload
    /// Whether a stream with `once` ends right away if all its topics are at rest: it is for somebody who looks.
    package let endsAtRest: Bool
    /// Makes the encoder of one stream.
    package let encoder: @Sendable () -> any StreamEncoder

    package init(
        _ contentType: String, of payload: Payload, endsAtRest: Bool = false,
        _ encoder: @escaping @Sendable () -> any StreamEncoder
    ) {
        self.contentType = contentType
        self.payload = payload
        self.endsAtRest = endsAtRest
        self.encoder = encoder
    }

    /// Lines of JSON (NDJSON).
    package static let lines = StreamEncoding("application/x-ndjson", of: .json) { EventLines() }
}

/// Writes one stream's events in another form.
package protocol StreamEncoder: Sendable {
    /// Returns whole events in this form; empty if they show nothing there.
    mutating func encoded(_ events: ArraySlice<UInt8>) -> [UInt8]
}

extension StreamEncoder {
    /// Encodes the chunks of a buffer from an index on. Chunks must be whole; each event becomes a chunk, as it was.
    mutating func rewriteChunks(_ buffer: inout [UInt8], from start: Int) {
        guard start < buffer.count else { return }
        let chunks = Array(buffer.dropFirst(start))
        buffer.removeLast(chunks.count)
        Chunk.forEach(in: chunks[...]) { Chunk.append(encoded($0), to: &buffer) }
    }
}
