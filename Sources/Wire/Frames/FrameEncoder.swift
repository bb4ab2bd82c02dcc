// The payload of a frame: the bytes that go out sixty times a second. Appends only; no writer, no strings.

package import Board
package import Labels

/// Static pieces of a track's frames, made once when its topic is.
package struct FramePrefix: Sendable {
    /// `{"ticker":"revenue","value":`
    package let head: [UInt8]
    /// The same in words.
    fileprivate let words: [UInt64]
    fileprivate let count: Int

    /// That of no track.
    package init() {
        head = []
        words = []
        count = 0
    }

    package init(_ name: ResourceName) {
        let kind =
            switch name.kind {
            case .ticker: "ticker"
            case .progress: "progress"
            case .schedule: "schedule"
            }
        // An id holds nothing that JSON escapes.
        head = Array("{\"\(kind)\":\"\(name.id)\",\"value\":".utf8)
        words = [UInt64](words: head)
        count = head.count
    }
}

/// When a frame was made, for those who measure.
package struct FrameStamp: Hashable, Sendable {
    /// Unix nanoseconds of the tick.
    package var unixNanoseconds: Int64
    /// The tick's number.
    package var tick: Int64

    package init(unixNanoseconds: Int64, tick: Int64) {
        self.unixNanoseconds = unixNanoseconds
        self.tick = tick
    }
}

/// Writes frames.
package enum FrameEncoder {
    /// `{"ticker":"revenue","value":12.5,"text":"$12.50"}`.
    /// - Parameters:
    ///   - text: The label's text, already escaped for JSON.
    ///   - extras: Further members, each with a comma before it.
    package static func append(
        _ prefix: FramePrefix, value: Position, fraction: Double?, percent: Int?, escapedText text: [UInt8],
        extras: [UInt8] = [], stamp: FrameStamp?, to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: prefix.head)
        switch value {
        case .exact(let exact): bytes.append(contentsOf: exact.description.utf8)
        case .moving(let double): NumberText.append(double, to: &bytes)
        }
        if let fraction {
            bytes.append(contentsOf: fractionName)
            NumberText.append(fraction, to: &bytes)
        }
        if let percent {
            bytes.append(contentsOf: percentName)
            NumberText.append(Int64(percent), to: &bytes)
        }
        bytes.append(contentsOf: textName)
        bytes.append(contentsOf: text)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: extras)
        if let stamp {
            bytes.append(contentsOf: instantName)
            NumberText.append(stamp.unixNanoseconds, to: &bytes)
            bytes.append(contentsOf: tickName)
            NumberText.append(stamp.tick, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static let fractionName = Array(",\"fraction\":".utf8)
    private static let percentName = Array(",\"percent\":".utf8)
    private static let textName = Array(",\"text\":\"".utf8)
    private static let instantName = Array(",\"t\":".utf8)
    private static let tickName = Array(",\"seq\":".utf8)
}

// MARK: - In words

extension FrameEncoder {
    /// The most bytes that a frame touches, its label's text aside.
    @inline(__always)
    package static func room(_ prefix: borrowing FramePrefix) -> Int {
        prefix.count + DecimalDigits.room + 2 * NumberText.room + 64
    }

    /// Puts the frame that `append` appends into room of at least `room` and the label's own.
    /// - Returns: Where it ends.
    package static func put(
        _ prefix: borrowing FramePrefix, value: DecimalDigits, _ label: borrowing FrameLabel,
        showing number: FrameLabel.Number, stamp: FrameStamp?, into room: inout MutableRawSpan, at start: Int
    ) -> Int {
        var place = room.put(prefix.words.span, from: 0, count: prefix.count, at: start)
        place = value.put(into: &room, at: place)
        place = room.put(textWord, count: 8, at: place)
        place = room.put(quote, count: 1, at: place)
        place = label.put(number, into: &room, at: place)
        place = room.put(quote, count: 1, at: place)
        if let stamp { place = put(stamp, into: &room, at: place) }
        return room.put(UInt64(UInt8(ascii: "}")), count: 1, at: place)
    }

    private static func put(_ stamp: FrameStamp, into room: inout MutableRawSpan, at start: Int) -> Int {
        var place = room.put(instantWord, count: 5, at: start)
        place = NumberText.put(stamp.unixNanoseconds, into: &room, at: place)
        place = room.put(tickWord, count: 7, at: place)
        return NumberText.put(stamp.tick, into: &room, at: place)
    }

    /// `,"text":`
    private static let textWord: UInt64 = 0x3A22_7478_6574_222C
    private static let quote = UInt64(UInt8(ascii: "\""))
    /// `,"t":`
    private static let instantWord: UInt64 = 0x3A_2274_222C
    /// `,"seq":`
    private static let tickWord: UInt64 = 0x3A_2271_6573_222C
}
