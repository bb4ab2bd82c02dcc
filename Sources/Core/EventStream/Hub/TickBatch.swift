// A batch of what is published: the hub writes it, and every shard sends it. A tick may need several.

import Base

/// The streams that a frame is for. A stream is ahead if its greeting showed a state that others have not been sent yet.
package enum FrameAudience: Hashable, Sendable {
    case all, exceptGreeted, greetedOnly
}

/// Frames and events of one tick, or of a part of it, as chunks. All shards share it.
final class TickBatch: Sendable {
    struct Entry: Sendable {
        enum Kind: UInt8, Sendable {
            /// Replaces an older frame that was not sent yet.
            case frame
            /// Like `frame`, but not for streams that are ahead: their greeting showed it already.
            case exceptGreetedFrame
            /// Like `frame`, but only for streams that are ahead: that state has since changed back, and others never saw
            /// it.
            case greetedOnlyFrame
            /// The last frame of a motion: it is never dropped, and precedes what follows.
            case finalFrame
            /// A named event; it is never dropped.
            case event
            /// A named event that ends streams opened with `once`, and some that answer a change.
            case completion
            /// A named event that ends the streams of its topic alone.
            case removal
            /// A named event that ends streams that answer the making of a schedule.
            case lastFiring

            /// The audience of a frame that a newer one may replace; nil for what is never dropped.
            var audience: FrameAudience? {
                switch self {
                case .frame: .all
                case .exceptGreetedFrame: .exceptGreeted
                case .greetedOnlyFrame: .greetedOnly
                case .finalFrame, .event, .completion, .removal, .lastFiring: nil
                }
            }

            var isEvent: Bool { audience == nil && self != .finalFrame }
        }
        var kind: Kind
        /// A frame is for subscribers of this form, an event for all forms of its locale.
        var variant: UInt16
        var topic: Int32
        var start: Int32
        var end: Int32
    }

    let bytes: [UInt8]
    let entries: [Entry]
    /// The tick that its frames belong to; see `Hub.beginTick`.
    let tick: FrameTimes.Tick
    /// Whether it has frames that newer ones may replace.
    let hasFrames: Bool
    /// The attributions of its events, by index of the entry.
    let attributions: [Int: EventAttribution]

    init(
        bytes: [UInt8], entries: [Entry], tick: FrameTimes.Tick, hasFrames: Bool = false,
        attributions: [Int: EventAttribution] = [:]
    ) {
        self.attributions = attributions
        self.bytes = bytes
        self.entries = entries
        self.tick = tick
        self.hasFrames = hasFrames
    }
}

/// The batch of the present tick, while it is written.
struct BatchDraft {
    private var bytes: [UInt8]
    private var entries: [TickBatch.Entry]
    /// It may have frames that newer ones may replace.
    private var hasFrames: Bool

    init(bytes: [UInt8] = [], entries: [TickBatch.Entry] = [], hasFrames: Bool = false) {
        self.bytes = bytes
        self.entries = entries
        self.hasFrames = hasFrames
    }

    /// The number of frames and events.
    var count: Int { entries.count }

    /// Appends a named event or a motion.
    /// - Returns: The bytes of the whole batch.
    mutating func append(_ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant) -> Int {
        let start = bytes.count
        Chunk.append(event, to: &bytes)
        return record(kind, topic, variant, from: start)
    }

    /// Appends a frame. Each line of a text payload becomes a `data:` line.
    /// - Parameter write: Appends the payload.
    /// - Returns: The bytes of the whole batch.
    mutating func appendFrame(
        _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant, _ write: (inout [UInt8]) -> Void
    ) -> Int {
        let chunk = Chunk.append(to: &bytes) { bytes in
            let start = bytes.count
            bytes.append(contentsOf: SSE.dataField)
            let payloadStart = bytes.count
            write(&bytes)
            // Line breaks in JSON are escaped.
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

    /// Takes what was written; nil if nothing was.
    /// - Parameters:
    ///   - room: The most bytes to reserve for the next batch, if as many were written.
    ///   - tick: The frames' tick.
    ///   - attributions: The attributions of its events, by index.
    mutating func drain(
        room: Int, tick: FrameTimes.Tick, _ attributions: [Int: EventAttribution]
    ) -> TickBatch? {
        guard !entries.isEmpty else { return nil }
        let batch = TickBatch(
            bytes: bytes, entries: entries, tick: tick, hasFrames: hasFrames, attributions: attributions)
        hasFrames = false
        bytes = []
        bytes.reserveCapacity(min(batch.bytes.count, room))
        entries.removeAll(keepingCapacity: true)
        return batch
    }

    /// Returns the contents, so that frames can be written into reserved room.
    consuming func parts() -> (bytes: [UInt8], entries: [TickBatch.Entry], hasFrames: Bool) {
        (bytes, entries, hasFrames)
    }
}
