// Events that name somebody else's topic beside their own. They are written once, for all; whoever may not read that topic
// is sent them without.

import Base

/// Whom an event names beside its topic, in front of its payload's last byte.
package struct EventAttribution: Sendable {
    package var topic: TopicName
    /// Bytes of the payload that name it.
    package var length: Int

    package init(_ topic: TopicName, length: Int) {
        self.topic = topic
        self.length = length
    }

    /// What follows those bytes: the payload's end, and that of the event.
    private static let ending = 3

    /// The chunk of an event, as it goes out to whoever may not read the topic.
    fileprivate func withheld(from chunk: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        Chunk.forEach(in: chunk[...]) { event in
            Chunk.append(event.dropLast(length + Self.ending) + event.suffix(Self.ending), to: &bytes)
        }
        return bytes
    }
}

/// The chunk of an event that names somebody, for the streams of one shard: made without the name once, where somebody is not to read it.
final class AttributedPiece {
    private let whole: WaitingBytes
    private let attribution: EventAttribution
    private lazy var withheld = WaitingBytes(attribution.withheld(from: whole.bytes))

    init(_ whole: WaitingBytes, _ attribution: EventAttribution) {
        self.whole = whole
        self.attribution = attribution
    }

    /// - Parameter readable: What its reader may read; nil for everything.
    func piece(for readable: TopicSelection?) -> WaitingBytes {
        readable?.matches(attribution.topic) ?? true ? whole : withheld
    }
}
