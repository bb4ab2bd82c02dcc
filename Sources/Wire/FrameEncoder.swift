// The payload of a frame: the bytes that go out sixty times a second. Appends only; no writer, no strings.

package import Board
import Labels

/// Static pieces of a track's frames, made once when its topic is.
package struct FramePrefix: Sendable {
    /// `{"ticker":"revenue","value":`
    package let head: [UInt8]

    package init(_ name: ResourceName) {
        let kind =
            switch name.kind {
            case .ticker: "ticker"
            case .progress: "progress"
            case .schedule: "schedule"
            }
        // An id holds nothing that JSON escapes.
        head = Array("{\"\(kind)\":\"\(name.id)\",\"value\":".utf8)
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
