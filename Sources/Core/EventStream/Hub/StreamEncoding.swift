// Forms of a stream other than Server-Sent Events. Queues hold the same events for all streams; an encoder rewrites them when
// they are sent, since few streams need one. What it makes of a frame is shared by all streams that show the same.

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
    /// Whether it has no room for topics that it hides: their next frames change nothing.
    var isFull: Bool { get }

    /// Returns whole events in this form; empty if they show nothing there.
    mutating func encoded(_ events: ArraySlice<UInt8>) -> [UInt8]

    /// Appends a topic's newest frame in this form, as a chunk.
    /// - Parameter link: The stream's number of the topic and its variant, reused when it is unlinked.
    mutating func append(_ frame: inout NewestFrame, on link: Int, to buffer: inout [UInt8]) -> EncodedFrame
}

extension StreamEncoder {
    package var isFull: Bool { false }

    /// Encodes the chunks of a buffer from an index on. Chunks must be whole; each event becomes a chunk, as it was.
    /// - Returns: How many bytes they were.
    mutating func rewriteChunks(_ buffer: inout [UInt8], from start: Int) -> Int {
        guard start < buffer.count else { return 0 }
        let chunks = Array(buffer.dropFirst(start))
        buffer.removeLast(chunks.count)
        Chunk.forEach(in: chunks[...]) { Chunk.append(encoded($0), to: &buffer) }
        return chunks.count
    }
}

/// An encoder whose streams all show the same of a frame.
package protocol UniformEncoder: StreamEncoder {
    /// The key of its copies of frames; no other encoder's.
    static var key: UInt64 { get }
}

extension UniformEncoder {
    package mutating func append(_ frame: inout NewestFrame, on link: Int, to buffer: inout [UInt8]) -> EncodedFrame {
        if let known = frame.copy(Self.key) {
            buffer.append(contentsOf: known)
            return .shared
        }
        var made = frame.chunk
        _ = rewriteChunks(&made, from: 0)
        frame.keep(made, as: Self.key)
        buffer.append(contentsOf: made)
        return .made(from: frame.size)
    }
}
