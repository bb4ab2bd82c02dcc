// Frames one after the other in the present batch, for whoever has many of them: they are put into room made before, in
// place of one append a piece.

import Base

/// The present batch while frames are put into it; nothing else is published before it is handed back.
@usableFromInline
package struct FrameSeries {
    /// What frames are put into: those that are done, then room.
    @usableFromInline var bytes: [UInt8]
    /// Where the next frame begins.
    @usableFromInline private(set) var end: Int
    private var entries: [TickBatch.Entry]

    init(_ draft: consuming BatchDraft = BatchDraft()) {
        (bytes, entries) = draft.parts()
        end = bytes.count
    }

    /// Bytes by which room grows: few enough to be in the nearest cache still when frames are put there.
    private static let step = 4096
    /// The chunk's first line, the field's name, the empty line, the chunk's end, and what their words carry too much.
    @usableFromInline static let margin = 40

    /// Room for a chunk's first line, as `Chunk` has it.
    @inlinable static var chunkRoom: Int { 10 }
    @usableFromInline static var head: UInt64 { UInt64(littleEndianASCII: "data: ").littleEndian }
    @usableFromInline static var tail: UInt64 { UInt64(littleEndianASCII: "\n\n\r\n").littleEndian }

    /// Puts a frame.
    /// - Parameters:
    ///   - size: The most bytes that its payload touches.
    ///   - put: Puts the payload at a place; tells where it ends, or nil where there is no frame after all.
    /// - Returns: Whether there is one.
    @inlinable @inline(__always)
    package mutating func put(
        _ topic: TopicIndex, _ variant: Variant, size: Int, _ put: (inout MutableRawSpan, Int) -> Int?
    ) -> Bool {
        if end + size + Self.margin > bytes.count { makeRoom(size) }
        let start = end + Self.chunkRoom
        var span = bytes.mutableSpan
        // Unsafe for types that not all bytes make a value of; they all do of this one.
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

    /// Takes in the frame that was put.
    @usableFromInline
    mutating func record(_ topic: TopicIndex, _ variant: Variant, from frameStart: Int, upTo frameEnd: Int) {
        let start = Chunk.putHead(before: frameStart, length: frameEnd - frameStart, in: &bytes)
        // Behind the frame stands the chunk's line break.
        end = frameEnd + 2
        entries.append(
            TickBatch.Entry(
                kind: .frame, variant: variant.rawValue, topic: topic.rawValue, start: Int32(clamping: start),
                end: Int32(clamping: end)))
    }

    /// What it was made of, with the frames and without the room.
    consuming func draft() -> BatchDraft {
        bytes.removeLast(bytes.count - end)
        return BatchDraft(bytes: bytes, entries: entries, hasFrames: !entries.isEmpty)
    }
}
