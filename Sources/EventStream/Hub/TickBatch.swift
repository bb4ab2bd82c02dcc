// What is published in a tick: written by the hub, then sent by every shard.

/// One tick's frames and events, shared by everyone who sends them.
final class TickBatch: Sendable {
    struct Entry: Sendable {
        enum Kind: UInt8, Sendable {
            /// The newest replaces what was not sent yet.
            case frame
            /// The last frame of a motion: everyone gets it, before what follows.
            case finalFrame
            /// A named event: everyone gets it.
            case event
            /// A named event that ends streams which asked for one completion.
            case completion
            /// A named event that ends the streams of its topic alone.
            case removal
        }
        var kind: Kind
        var variant: UInt8
        var topic: Int32
        var start: Int32
        var end: Int32

        /// A label alone, which may hold line breaks.
        var isText: Bool { Variant(rawValue: variant).isText }
    }

    let bytes: [UInt8]
    let entries: [Entry]

    init(bytes: [UInt8], entries: [Entry]) {
        self.bytes = bytes
        self.entries = entries
    }
}

/// The batch of the present tick, while it is written. A frame's payload is appended to `bytes` between its beginning and its
/// end.
package struct BatchDraft {
    package var bytes: [UInt8]
    private var entries: [TickBatch.Entry]

    init(bytes: [UInt8] = [], entries: [TickBatch.Entry] = []) {
        self.bytes = bytes
        self.entries = entries
    }

    /// A named event, or what replaces frames.
    /// - Returns: The bytes of all.
    mutating func append(_ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant) -> Int {
        begin(kind, topic, variant)
        bytes.append(contentsOf: event)
        return end()
    }

    mutating func beginFrame(_ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant) {
        begin(kind, topic, variant)
        bytes.append(contentsOf: SSE.dataField)
    }

    /// Ends the frame; line breaks in the payload of a text frame become `data:` lines of their own.
    /// - Returns: The bytes of all.
    mutating func endFrame() -> Int {
        let last = entries.count - 1
        let start = Int(entries[last].start) + SSE.dataField.count
        // JSON has its line breaks escaped.
        // proven: the field's name stands there since `beginFrame`.
        if entries[last].isText, bytes[start...].contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            let payload = Array(bytes[start...])
            bytes.removeLast(bytes.count - Int(entries[last].start))
            SSE.appendData(payload, to: &bytes)
        } else {
            bytes.append(0x0A)
        }
        bytes.append(0x0A)
        return end()
    }

    private mutating func begin(_ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant) {
        let start = Int32(clamping: bytes.count)
        entries.append(
            TickBatch.Entry(kind: kind, variant: variant.rawValue, topic: topic, start: start, end: start))
    }

    private mutating func end() -> Int {
        entries[entries.count - 1].end = Int32(clamping: bytes.count)
        return bytes.count
    }

    /// Takes what was written; nil where nothing was.
    /// - Parameter room: The most bytes for which there is room then, if as many were written.
    mutating func take(room: Int) -> TickBatch? {
        guard !entries.isEmpty else { return nil }
        let batch = TickBatch(bytes: bytes, entries: entries)
        bytes = []
        bytes.reserveCapacity(min(batch.bytes.count, room))
        entries.removeAll(keepingCapacity: true)
        return batch
    }

    /// What it was made of, for frames that are put into room made before.
    consuming func parts() -> (bytes: [UInt8], entries: [TickBatch.Entry]) { (bytes, entries) }
}
