// Frames one after the other in the present batch, for whoever has many of them: they are put into room made before, in
// place of one append a piece.

/// The present batch while frames are put into it; nothing else is published before it is handed back.
package struct FrameSeries {
    /// What frames are put into: those that are done, then room.
    package var bytes: [UInt8]
    /// Where the next frame begins.
    package private(set) var end: Int
    private var entries: [TickBatch.Entry]

    init(_ draft: consuming BatchDraft = BatchDraft()) {
        (bytes, entries) = draft.parts()
        end = bytes.count
    }

    /// Bytes by which room grows: few enough to be in the nearest cache still when frames are put there.
    private static let step = 4096
    /// The field's name, the empty line, and what their words carry too much.
    private static let margin = 32

    /// Makes room for a frame whose payload touches at most `size` bytes.
    package mutating func makeRoom(_ size: Int) {
        let needed = end + size + Self.margin
        guard needed > bytes.count else { return }
        let more = max(needed - bytes.count, Self.step)
        bytes.append(addingCapacity: more) { $0.append(repeating: 0, count: more) }
    }

    /// Puts what stands before a frame's payload.
    /// - Returns: Where the payload begins.
    @inlinable
    package static func putHead(into room: inout MutableRawSpan, at place: Int) -> Int {
        // "data: "
        room.storeBytes(of: UInt64(0x203A_6174_6164).littleEndian, toByteOffset: place, as: UInt64.self)
        return place + 6
    }

    /// Puts what stands after a frame's payload.
    /// - Returns: Where the frame ends.
    @inlinable
    package static func putTail(into room: inout MutableRawSpan, at place: Int) -> Int {
        // Two line feeds.
        room.storeBytes(of: UInt64(0x0A0A).littleEndian, toByteOffset: place, as: UInt64.self)
        return place + 2
    }

    /// Takes in the frame that was put from `end` to `frameEnd`.
    package mutating func append(_ topic: TopicIndex, _ variant: Variant, to frameEnd: Int) {
        entries.append(
            TickBatch.Entry(
                kind: .frame, variant: variant.rawValue, topic: topic.rawValue, start: Int32(clamping: end),
                end: Int32(clamping: frameEnd)))
        end = frameEnd
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
