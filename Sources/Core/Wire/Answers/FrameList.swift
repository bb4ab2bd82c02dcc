// The frames of a number from one instant to another, for films and charts: each is what a stream would have sent then.

import Base
package import Board
import Labels
package import Tween

/// A list of frames.
package struct FrameList: Sendable {
    /// The frames that a request asks for.
    package struct Selection: Hashable, Sendable {
        /// nil: the start or last change of the motion under way, or now.
        package var from: MomentTime?
        /// nil: the end of the motion under way, or now.
        package var to: MomentTime?
        /// nil: 60, or as many as a list can have.
        package var framesPerSecond: Double?

        package init(from: MomentTime? = nil, to: MomentTime? = nil, framesPerSecond: Double? = nil) {
            self.from = from
            self.to = to
            self.framesPerSecond = framesPerSecond
        }

        /// The frames a second that may be asked for.
        package static let rates = 0.001...1_000
    }

    /// How a list is written.
    package enum Form: String, CaseIterable, Hashable, Sendable {
        case json, ndjson, csv

        package var contentType: String {
            switch self {
            case .json: "application/json"
            case .ndjson: "application/x-ndjson"
            case .csv: "text/csv; charset=utf-8"
            }
        }
    }

    /// The most frames of a list: a minute of the usual rate, and its end.
    package static let most = 3_601
    private static let usualRate = 60.0

    private struct Frame {
        /// Seconds since the first frame.
        let time: Double
        let reading: Reading
        let source: Moment.Source
    }

    private let name: ResourceName
    private let from: Instant
    private let framesPerSecond: Double
    private let frames: [Frame]

    /// Makes the frames. The last is at the end that was asked for, even if that is less than a frame after the one before.
    /// - Throws: 422 if it is not known what the number shows then, or if there would be too many.
    package init(of track: Track, _ selection: Selection, at now: Instant) throws(Problem) {
        let usual = track.run == nil ? now : track.knowledgeStart
        let wanted = try selection.from?.instant(of: track, "?from") ?? usual
        guard let end = try selection.to?.instant(of: track, "?to") ?? track.knowledgeEnd(at: now) else {
            throw .field("?to", "the motion has no end; say until when")
        }
        guard wanted <= end else { throw .field("?to", "must not be before `from`") }
        let first = try MomentEncoder.moment(of: track, at: wanted, now, "?from")
        // A start or an end that is named in milliseconds lies within one.
        let (from, to) = (first.instant, try MomentEncoder.moment(of: track, at: end, now, "?to").instant)
        let span = to.seconds(since: from)
        let rate = selection.framesPerSecond ?? min(Self.usualRate, Double(Self.most - 1) / span)
        // The share of a frame by which the product may be off.
        let count = (span * rate - 1e-6).rounded(.up)
        guard count < Double(Self.most) else {
            throw .field(
                "?fps", "there would be \(Int(saturating: count) + 1) frames; a list has \(Self.most) at most")
        }
        var frames = [Frame(time: 0, reading: first.reading, source: first.source)]
        let last = max(0, Int(saturating: count))
        for index in 0..<last {
            let time = min(Double(index + 1) / rate, span)
            // Doubles of an end round, so that the last product may be nanoseconds before it.
            let instant = index + 1 == last ? to : min(from.advanced(bySeconds: time), to)
            let moment = try MomentEncoder.moment(of: track, at: instant, now, "?to")
            frames.append(Frame(time: time, reading: moment.reading, source: moment.source))
        }
        (name, self.from, framesPerSecond, self.frames) = (track.name, from, rate, frames)
    }

    /// Writes the list.
    package func body(as form: Form) -> [UInt8] {
        switch form {
        case .json: json
        case .ndjson: lines
        case .csv: table
        }
    }

    private var json: [UInt8] {
        var json = JSONWriter(capacity: frames.count * Self.typicalBytes)
        json.object {
            $0.member("\(name.kind)", name.id)
            $0.member("from", date: from)
            $0.member("fps", framesPerSecond)
            $0.list("frames") { json in
                for frame in frames { json.object { append(frame, to: &$0) } }
            }
        }
        return json.bytes
    }

    private var lines: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames.count * Self.typicalBytes)
        for frame in frames {
            var json = JSONWriter(capacity: Self.typicalBytes)
            json.object {
                $0.member("\(name.kind)", name.id)
                append(frame, to: &$0)
            }
            bytes += json.bytes
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static let typicalBytes = 128

    private func append(_ frame: Frame, to json: inout JSONWriter) {
        json.member("time", frame.time)
        json.member("source", frame.source.rawValue)
        TrackEncoder.appendReading(frame.reading, to: &json)
    }

    // MARK: - CSV (RFC 4180)

    private var table: [UInt8] {
        let isProgress = name.kind == .progress
        var bytes = Array("time,value,\(isProgress ? "fraction,percent," : "")text,source\r\n".utf8)
        bytes.reserveCapacity(frames.count * Self.typicalBytes)
        for frame in frames {
            let reading = frame.reading
            NumberText.append(frame.time, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            switch reading.value {
            case .exact(let value): value.append(to: &bytes)
            case .moving(let value): NumberText.append(value, to: &bytes)
            }
            bytes.append(UInt8(ascii: ","))
            if isProgress {
                if let fraction = reading.fraction { NumberText.append(fraction, to: &bytes) }
                bytes.append(UInt8(ascii: ","))
                if let percent = reading.percent { NumberText.append(Int64(percent), to: &bytes) }
                bytes.append(UInt8(ascii: ","))
            }
            Self.appendCell(reading.text, to: &bytes)
            bytes += Array(",\(frame.source.rawValue)\r\n".utf8)
        }
        return bytes
    }

    private static func appendCell(_ text: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
