// What is published in a tick: written by the hub, then sent by every shard.

import Base

/// Whom a frame is for. A stream is ahead when it was told at its beginning what the others are still to be shown.
package enum FrameAudience: Hashable, Sendable {
    case all, exceptGreeted, greetedOnly
}

/// One tick's frames and events, each as a chunk, shared by everyone who sends them.
final class TickBatch: Sendable {
    struct Entry: Sendable {
        enum Kind: UInt8, Sendable {
            /// The newest replaces what was not sent yet.
            case frame
            /// The same, but for who is ahead: whoever came just before it was told of it already.
            case exceptGreetedFrame
            /// The same, for who is ahead alone: what it was told is no longer so, and the others were never shown it.
            case greetedOnlyFrame
            /// The last frame of a motion: everyone gets it, before what follows.
            case finalFrame
            /// A named event: everyone gets it.
            case event
            /// A named event that ends streams which asked for one completion.
            case completion
            /// A named event that ends the streams of its topic alone.
            case removal

            /// Whom a frame is for of which only the newest is sent; nil for what everyone gets.
            var audience: FrameAudience? {
                switch self {
                case .frame: .all
                case .exceptGreetedFrame: .exceptGreeted
                case .greetedOnlyFrame: .greetedOnly
                case .finalFrame, .event, .completion, .removal: nil
                }
            }

            var isEvent: Bool { audience == nil && self != .finalFrame }
        }
        var kind: Kind
        /// A frame is for those who watch in this variant, an event for all of its locale.
        var variant: UInt16
        var topic: Int32
        var start: Int32
        var end: Int32
    }

    let bytes: [UInt8]
    let entries: [Entry]
    /// The tick that its frames are of, by its place among those that were made; see `Hub.beginTick`.
    let tick: Int64
    /// That tick's instant, in monotonic nanoseconds.
    let instant: Int64
    /// Whether there are frames in it that newer ones may replace.
    let hasFrames: Bool
    /// Of those events that name somebody, by their places among the entries.
    let attributions: [Int: EventAttribution]

    init(
        bytes: [UInt8], entries: [Entry], tick: Int64 = 0, instant: Int64 = 0, hasFrames: Bool = false,
        attributions: [Int: EventAttribution] = [:]
    ) {
        self.attributions = attributions
        self.bytes = bytes
        self.entries = entries
        self.tick = tick
        self.instant = instant
        self.hasFrames = hasFrames
    }
}

/// The batch of the present tick, while it is written.
struct BatchDraft {
    private var bytes: [UInt8]
    private var entries: [TickBatch.Entry]
    /// There may be frames among them that newer ones may replace.
    private var hasFrames: Bool

    init(bytes: [UInt8] = [], entries: [TickBatch.Entry] = [], hasFrames: Bool = false) {
        self.bytes = bytes
        self.entries = entries
        self.hasFrames = hasFrames
    }

    /// How many frames and events there are.
    var count: Int { entries.count }

    /// A named event, or what replaces frames.
    /// - Returns: The bytes of all.
    mutating func append(_ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant) -> Int {
        let start = bytes.count
        Chunk.append(event, to: &bytes)
        return record(kind, topic, variant, from: start)
    }

    /// A frame; line breaks in the payload of a text frame become `data:` lines of their own.
    /// - Parameter write: Appends the payload.
    /// - Returns: The bytes of all.
    mutating func appendFrame(
        _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant, _ write: (inout [UInt8]) -> Void
    ) -> Int {
        let chunk = Chunk.append(to: &bytes) { bytes in
            let start = bytes.count
            bytes.append(contentsOf: SSE.dataField)
            let payloadStart = bytes.count
            write(&bytes)
            // JSON has its line breaks escaped.
            if variant.isText, bytes.dropFirst(payloadStart).contains(where: { $0 == 0x0A || $0 == 0x0D }) {
                let payload = Array(bytes.dropFirst(payloadStart))
                bytes.removeLast(bytes.count - start)
                SSE.appendData(payload, to: &bytes)
            } else {
                bytes.append(0x0A)
            }
            bytes.append(0x0A)
        }
        return record(kind, topic, variant, from: chunk)
    }

    private mutating func record(
        _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant, from start: Int
    ) -> Int {
        if kind.audience != nil { hasFrames = true }
        entries.append(
            TickBatch.Entry(
                kind: kind, variant: variant.rawValue, topic: topic, start: Int32(clamping: start),
                end: Int32(clamping: bytes.count)))
        return bytes.count
    }

    /// Takes what was written; nil where nothing was.
    /// - Parameters:
    ///   - room: The most bytes for which there is room then, if as many were written.
    ///   - tick: That of its frames.
    ///   - instant: The tick's.
    ///   - attributions: Of those events that name somebody, by their places.
    mutating func take(
        room: Int, tick: Int64, instant: Int64, _ attributions: [Int: EventAttribution]
    ) -> TickBatch? {
        guard !entries.isEmpty else { return nil }
        let batch = TickBatch(
            bytes: bytes, entries: entries, tick: tick, instant: instant, hasFrames: hasFrames,
            attributions: attributions)
        hasFrames = false
        bytes = []
        bytes.reserveCapacity(min(batch.bytes.count, room))
        entries.removeAll(keepingCapacity: true)
        return batch
    }

    /// What it was made of, for frames that are put into room made before.
    consuming func parts() -> (bytes: [UInt8], entries: [TickBatch.Entry]) { (bytes, entries) }
}
