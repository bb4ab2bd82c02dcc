// Frames written one after another into the present batch. Room is reserved for them, instead of appending piece by piece.

import Base

/// The present batch while frames are written into it. Nothing else is published before it is returned.
@usableFromInline
package struct FrameSeries {
    /// The frames written, then reserved room.
    @usableFromInline var bytes: [UInt8]
    /// Where the next frame begins.
    @usableFromInline private(set) var end: Int
    private var entries: [TickBatch.Entry]
    private var hasFrames: Bool

    init(_ draft: consuming BatchDraft = BatchDraft()) {
        (bytes, entries, hasFrames) = draft.parts()
        end = bytes.count
    }

    /// By how many bytes the room grows: few enough to stay in the L1 cache until frames are written.
    private static let step = 4096
    /// Bytes for a chunk's first line, the field's name, the empty line, the chunk's end, and bytes that whole words
    /// overshoot.
    @usableFromInline static let margin = 40

    /// Bytes reserved for a chunk's first line, as in `Chunk`.
    @inlinable static var chunkRoom: Int { 10 }
    @usableFromInline static var head: UInt64 { UInt64(littleEndianASCII: "data: ").littleEndian }
    @usableFromInline static var tail: UInt64 { UInt64(littleEndianASCII: "\n\n\r\n").littleEndian }

    /// Writes a frame. Its payload must have no line break.
    /// - Parameters:
    ///   - size: The most bytes that writing its payload touches.
    ///   - put: Writes the payload at an offset and returns its end, or nil for no frame.
    /// - Returns: Whether a frame was written.
    @inlinable @inline(__always)
    package mutating func put(
        _ topic: TopicIndex, _ variant: Variant, size: Int, _ put: (inout MutableRawSpan, Int) -> Int?
    ) -> Bool {
        if end + size + Self.margin > bytes.count { makeRoom(size) }
        let start = end + Self.chunkRoom
        var span = bytes.mutableSpan
        // Unsafe for types with invalid bit patterns; bytes have none.
        var room = unsafe span.mutableBytes
        room.storeBytes(of: Self.head, toByteOffset: start, as: UInt64.self)
        guard let payloadEnd = put(&room, start + 6) else { return false }
        room.storeBytes(of: Self.tail, toByteOffset: payloadEnd, as: UInt64.self)
        record(topic, variant, from: start, upTo: payloadEnd + 2)
        return true
    }

    @usableFromInline
    mutating func makeRoom(_ size: Int) {
        let more = max(end + size + Self.margin - bytes.count, Self.step)
        bytes.append(addingCapacity: more) { $0.append(repeating: 0, count: more) }
    }

    /// Records the frame that was written.
    @usableFromInline
    mutating func record(_ topic: TopicIndex, _ variant: Variant, from frameStart: Int, upTo frameEnd: Int) {
        let start = Chunk.putHead(before: frameStart, length: frameEnd - frameStart, in: &bytes)
        // The chunk's line break follows the frame.
        end = frameEnd + 2
        hasFrames = true
        entries.append(
            TickBatch.Entry(
                kind: .frame, variant: variant.rawValue, topic: topic.rawValue, start: Int32(clamping: start),
                end: Int32(clamping: end)))
    }

    /// Returns the batch with the frames and without the room.
    consuming func draft() -> BatchDraft {
        bytes.removeLast(bytes.count - end)
        return BatchDraft(bytes: bytes, entries: entries, hasFrames: hasFrames)
    }
}
