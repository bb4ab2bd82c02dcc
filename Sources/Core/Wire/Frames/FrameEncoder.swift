// The payload of a frame: bytes that are sent sixty times a second. Written into reserved room, without a writer or strings.

import Base
package import Board
package import Labels

/// The beginning of a track's frames, created once for its topic.
package struct FramePrefix: Sendable {
    /// `{"ticker":"revenue","value":`
    fileprivate let words: [UInt64]
    fileprivate let text: WordRange

    /// Creates an empty prefix.
    package init() {
        words = []
        text = WordRange()
    }

    package init(_ name: ResourceName) {
        let kind =
            switch name.kind {
            case .ticker: "ticker"
            case .progress: "progress"
            case .schedule: "schedule"
            }
        // An id has no character that JSON escapes.
        let head = Array("{\"\(kind)\":\"\(name.id)\",\"value\":".utf8)
        var words: [UInt64] = []
        text = words.adopt(head.span)
        self.words = words
    }
}

/// The instant of a frame, for clients that measure.
package struct FrameStamp: Hashable, Sendable {
    /// Unix nanoseconds.
    package var unixNanoseconds: Int64
    /// The number of its tick; nil for an instant between two ticks.
    package var tick: Int64?

    package init(unixNanoseconds: Int64, tick: Int64? = nil) {
        self.unixNanoseconds = unixNanoseconds
        self.tick = tick
    }
}

/// A number in a frame.
protocol FrameNumber {
    /// Puts the number into room that is large enough for it.
    /// - Returns: Where it ends.
    func put(into room: inout MutableRawSpan, at start: Int) -> Int
}

/// Any number; a text if it is too small, too large or too exact for `DecimalDigits`.
struct AnyNumber: FrameNumber {
    private var digits: DecimalDigits?
    private var text: [UInt8] = []

    init(_ value: Position) {
        switch value {
        case .exact(let exact):
            exact.append(to: &text)
        case .moving(let double):
            digits = DecimalDigits(double)
            if digits == nil { NumberText.append(double, to: &text) }
        }
    }

    /// The maximum number of bytes that `put` touches.
    var room: Int { digits == nil ? text.count : DecimalDigits.room }

    func put(into room: inout MutableRawSpan, at start: Int) -> Int {
        digits?.put(into: &room, at: start) ?? room.put(text.span, at: start)
    }
}

/// The numbers of a frame.
struct FrameNumbers<Number: FrameNumber> {
    var value: Number
    var fraction: Number?
    var percent: Int?
}

/// Encodes frames: `{"ticker":"revenue","value":12.5,"text":"$12.50"}`.
package enum FrameEncoder {
    /// Appends a frame.
    /// - Parameters:
    ///   - text: The label's text, already escaped for JSON.
    package static func append(
        _ prefix: borrowing FramePrefix, value: Position, fraction: Double?, percent: Int?, escapedText text: [UInt8],
        _ members: FrameMembers = FrameMembers(), stamp: FrameStamp?, to bytes: inout [UInt8]
    ) {
        let numbers = FrameNumbers(
            value: AnyNumber(value), fraction: fraction.map { AnyNumber(.moving($0)) }, percent: percent)
        let written = numbers.value.room + (numbers.fraction?.room ?? 0) + text.count + members.room
        bytes.append(room: Int(prefix.text.count) + written + 3 * NumberText.room + 64) { out, start in
            var place = put(prefix, numbers, into: &out, at: start)
            place = out.put(text.span, at: place)
            place = out.put(quote, count: 1, at: place)
            place = members.put(into: &out, at: place)
            return putEnd(stamp, into: &out, at: place)
        }
    }

    /// Puts a frame of a moving value into room of at least `room`.
    /// - Parameters:
    ///   - share: The progress' share of its maximum; nil for tickers, and while indeterminate.
    ///   - shown: The numbers in the label.
    ///   - members: nil for a frame of value and text.
    /// - Returns: Where it ends; nil, without putting anything, if a number is too small or too large.
    package static func put(
        _ prefix: borrowing FramePrefix, value: Double, _ share: ProgressShare?, _ label: inout FrameLabel,
        showing shown: FrameLabel.Numbers, _ members: FrameMembers? = nil, stamp: FrameStamp?,
        into room: inout MutableRawSpan, at start: Int
    ) -> Int? {
        guard let value = DecimalDigits(value) else { return nil }
        var numbers = FrameNumbers(value: value)
        if let share {
            guard let fraction = DecimalDigits(share.fraction) else { return nil }
            (numbers.fraction, numbers.percent) = (fraction, share.percent)
        }
        var place = put(prefix, numbers, into: &room, at: start)
        place = label.put(shown, into: &room, at: place)
        place = room.put(quote, count: 1, at: place)
        if let end = members?.put(into: &room, at: place) { place = end }
        return putEnd(stamp, into: &room, at: place)
    }

    /// Returns the maximum number of bytes that `put` touches.
    /// - Parameter text: The bytes of the label's text.
    package static func room(_ prefix: borrowing FramePrefix, text: Int) -> Int {
        Int(prefix.text.count) + text + 2 * DecimalDigits.room + 3 * NumberText.room + 64
    }

    /// Puts what comes before the label's text.
    @inline(__always)
    private static func put<Number>(
        _ prefix: borrowing FramePrefix, _ numbers: FrameNumbers<Number>, into room: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        var place = room.put(prefix.text, of: prefix.words.span, at: start)
        place = numbers.value.put(into: &room, at: place)
        if let fraction = numbers.fraction {
            place = put(",\"fract", "ion\":", into: &room, at: place)
            place = fraction.put(into: &room, at: place)
        }
        if let percent = numbers.percent {
            place = put(",\"percen", "t\":", into: &room, at: place)
            place = NumberText.put(Int64(percent), into: &room, at: place)
        }
        return put(",\"text\":", "\"", into: &room, at: place)
    }

    /// Puts what comes after the label's text and further members.
    @inline(__always)
    private static func putEnd(_ stamp: FrameStamp?, into room: inout MutableRawSpan, at start: Int) -> Int {
        var place = start
        if let stamp {
            place = put(",\"t\":", into: &room, at: place)
            place = NumberText.put(stamp.unixNanoseconds, into: &room, at: place)
            if let tick = stamp.tick {
                place = put(",\"seq\":", into: &room, at: place)
                place = NumberText.put(tick, into: &room, at: place)
            }
        }
        return put("}", into: &room, at: place)
    }

    private static var quote: UInt64 { UInt64(littleEndianASCII: "\"") }

    /// Puts one or two texts of at most eight bytes each.
    @inline(__always)
    private static func put(
        _ text: StaticString, _ rest: StaticString = "", into room: inout MutableRawSpan, at start: Int
    ) -> Int {
        let place = room.put(UInt64(littleEndianASCII: text), count: text.utf8CodeUnitCount, at: start)
        guard rest.utf8CodeUnitCount > 0 else { return place }
        return room.put(UInt64(littleEndianASCII: rest), count: rest.utf8CodeUnitCount, at: place)
    }
}
