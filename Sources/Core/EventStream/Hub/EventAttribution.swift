// Events that name another topic besides their own. Each is written once for all streams; a stream that may not read that
// topic is sent the event without the name.

import Base

/// The other topic that an event names, before the last byte of its payload.
package struct EventAttribution: Sendable {
    package var topic: TopicName
    /// How many bytes of the payload name it.
    package var length: Int

    package init(_ topic: TopicName, length: Int) {
        self.topic = topic
        self.length = length
    }

    /// Bytes after the name: the end of the payload and of the event.
    private static let ending = 3

    /// Returns the chunk without the name, for streams that may not read the topic.
    fileprivate func withheld(from chunk: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        Chunk.forEach(in: chunk[...]) { event in
            Chunk.append(Array(event.dropLast(length + Self.ending) + event.suffix(Self.ending)), to: &bytes)
        }
        return bytes
    }
}

/// An event with an attribution, for the streams of one shard. The version without the name is made once, if one needs it.
final class AttributedPiece {
    private let whole: WaitingBytes
    private let attribution: EventAttribution
    private lazy var withheld = WaitingBytes(attribution.withheld(from: whole.bytes))

    init(_ whole: WaitingBytes, _ attribution: EventAttribution) {
        self.whole = whole
        self.attribution = attribution
    }

    /// - Parameter readable: Topics that the stream may read; nil for all.
    func piece(for readable: TopicSelection?) -> WaitingBytes {
        readable?.matches(attribution.topic) ?? true ? whole : withheld
    }
}
