// What a frame shows beyond value and text: wheels and display strings. Stored in words, so that it is compared with that of
// the frame before, and copied into the frame, eight bytes at a time.

import Base
package import Board
package import Labels
package import Tween

/// Members of a frame, each preceded by a comma.
package struct FrameMembers: Equatable, Sendable {
    /// The text, then zeros up to a word's end, then room.
    private var words: [UInt64] = []
    private var count = 0

    package init() {}

    /// The most bytes that `put` touches.
    package var room: Int { count + MutableRawSpan.overrun }

    package mutating func removeAll() { count = 0 }

    // MARK: - Making

    /// Appends the wheels of a label.
    /// - Parameters:
    ///   - room: The most bytes that `put` touches.
    ///   - put: Writes them as a JSON array at a position and returns its end.
    @inline(__always)
    package mutating func appendWheels(room: Int, _ put: (inout MutableRawSpan, Int) -> Int) {
        append(room: Self.nameRoom + room) { out, start in
            var place = out.put(UInt64(littleEndianASCII: ",\"wheels"), count: 8, at: start)
            place = out.put(UInt64(littleEndianASCII: "\":"), count: 2, at: place)
            return put(&out, place)
        }
    }

    /// Appends the digits that wheels have, if they aren't ASCII.
    package mutating func appendDigits(of label: TickerLabel) {
        guard label.plan.digits != .ascii else { return }
        append(",\"digits\":\"".utf8.span)
        append(label.plan.digits.bytes.span)
        append("\"".utf8.span)
    }

    /// Appends the strings of a track's descriptor.
    /// - Parameters:
    ///   - position: The position whose text parts are included for a ticker; nil omits them.
    ///   - bytes: Scratch space.
    package mutating func appendDisplay(
        of track: Track, partsAt position: Position?, at now: Instant, _ bytes: inout [UInt8]
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: ",\"display\":".utf8)
        TrackEncoder.appendDisplay(of: track, partsAt: position, at: now, to: &bytes)
        append(bytes.span)
    }

    private static let nameRoom = 16

    private mutating func append(_ text: Span<UInt8>) {
        append(room: text.count) { $0.put(text, at: $1) }
    }

    /// Appends text that `put` writes at a position, and that touches at most `room` bytes.
    /// - Parameter put: Returns the text's end.
    @inline(__always)
    private mutating func append(room: Int, _ put: (inout MutableRawSpan, Int) -> Int) {
        count = words.write(room: room, at: count, put)
    }

    // MARK: - Use

    /// Writes the members into room.
    /// - Returns: Where they end.
    package func put(into out: inout MutableRawSpan, at start: Int) -> Int {
        let words = words.span
        var done = 0
        while done < count {
            out.storeBytes(of: words[done &>> 3], toByteOffset: start &+ done, as: UInt64.self)
            done &+= 8
        }
        return start &+ count
    }

    package static func == (left: FrameMembers, right: FrameMembers) -> Bool {
        guard left.count == right.count else { return false }
        let (one, other) = (left.words.span, right.words.span)
        for index in 0..<(left.count &+ 7) &>> 3 where one[index] != other[index] { return false }
        return true
    }
}
