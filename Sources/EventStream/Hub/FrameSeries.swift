// Frames one after the other in the present batch, for whoever has many of them: they are put into room made before, in
// place of one append a piece.

import Conversions

/// The present batch while frames are put into it; nothing else is published before it is handed back.
package struct FrameSeries {
    /// What frames are put into: those that are done, then room.
    package var bytes: [UInt8]
    /// Where the next frame begins.
    private(set) var end: Int
    private var entries: [TickBatch.Entry]

    init(_ draft: consuming BatchDraft = BatchDraft()) {
        (bytes, entries) = draft.parts()
        end = bytes.count
    }

    /// Bytes by which room grows: few enough to be in the nearest cache still when frames are put there.
    private static let step = 4096
    /// The field's name, the empty line, and what their words carry too much.
    private static let margin = 32

    /// Begins a frame whose payload touches at most `size` bytes.
    /// - Returns: Where its payload begins.
    package mutating func begin(_ size: Int) -> Int {
        let needed = end + size + Self.margin
        if needed > bytes.count {
            let more = max(needed - bytes.count, Self.step)
            bytes.append(addingCapacity: more) { $0.append(repeating: 0, count: more) }
        }
        put(UInt64(littleEndianASCII: "data: "), at: end)
        return end + 6
    }

    /// Ends the frame that was begun last.
    /// - Parameter payloadEnd: Where its payload ends.
    package mutating func finish(_ topic: TopicIndex, _ variant: Variant, at payloadEnd: Int) {
        put(UInt64(littleEndianASCII: "\n\n"), at: payloadEnd)
        entries.append(
            TickBatch.Entry(
                kind: .frame, variant: variant.rawValue, topic: topic.rawValue, start: Int32(clamping: end),
                end: Int32(clamping: payloadEnd + 2)))
        end = payloadEnd + 2
    }

    private mutating func put(_ word: UInt64, at place: Int) {
        var span = bytes.mutableSpan
        // Unsafe for types that not all bytes make a value of; they all do of this one.
        var room = unsafe span.mutableBytes
        room.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
    }

    /// What it was made of, with the frames and without the room.
    consuming func draft() -> BatchDraft {
        bytes.removeLast(bytes.count - end)
        return BatchDraft(bytes: bytes, entries: entries)
    }
}

extension Hub {
    /// Hands the present batch over for a series of frames; `endSeries` takes it back.
    package func beginSeries() -> FrameSeries {
        defer { batch = BatchDraft() }
        return FrameSeries(batch)
    }

    /// Takes back what `beginSeries` handed over.
    package func endSeries(_ series: consuming FrameSeries) { batch = series.draft() }

    /// Begins another batch for a series that has filled one.
    package func sealIfFull(_ series: inout FrameSeries) {
        guard series.end >= configuration.batchSize else { return }
        var full = FrameSeries()
        swap(&full, &series)
        let size = full.end
        endSeries(full)
        sealIfFull(size)
        series = beginSeries()
    }
}
