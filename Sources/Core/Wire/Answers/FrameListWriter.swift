// A list of frames as text, in portions: a frame is made when it is written.

import Base
import Board
import Labels

/// Writes a list of frames.
package struct FrameListWriter: Sendable {
    private let list: FrameList
    private let form: FrameList.Form
    /// The next frame.
    private var next = 0

    package init(_ list: FrameList, as form: FrameList.Form) { (self.list, self.form) = (list, form) }

    /// The share of the frames that is written.
    package var share: Double { Double(next) / Double(list.count) }

    /// Returns the next frames, until they have this many bytes, and whether they are the last.
    package mutating func portion(of size: Int) -> (bytes: [UInt8], isLast: Bool) {
        var bytes = next == 0 ? opening : []
        bytes.reserveCapacity(min(size, (list.count - next) * Self.typicalBytes))
        while next < list.count, bytes.count < size {
            if let frame = list.frame(next) { append(frame, to: &bytes) }
            next += 1
        }
        let isLast = next == list.count
        if isLast, form == .json { bytes += "]}".utf8 }
        return (bytes, isLast)
    }

    private static let typicalBytes = 128

    private var opening: [UInt8] {
        switch form {
        case .json:
            var json = JSONWriter()
            json.object {
                $0.member("\(list.name.kind)", list.name.id)
                $0.member("from", date: list.from)
                $0.member("fps", list.framesPerSecond)
                $0.list("frames") { _ in }
            }
            return Array(json.bytes.dropLast(2))
        case .ndjson: return []
        case .csv: return Array("time,value,\(isProgress ? "fraction,percent," : "")text,source\r\n".utf8)
        }
    }

    private var isProgress: Bool { list.name.kind == .progress }

    private func append(_ frame: FrameList.Frame, to bytes: inout [UInt8]) {
        guard form != .csv else { return appendRow(frame, to: &bytes) }
        var json = JSONWriter(capacity: Self.typicalBytes)
        json.object {
            if form == .ndjson { $0.member("\(list.name.kind)", list.name.id) }
            $0.member("time", frame.time)
            $0.member("source", frame.source.rawValue)
            TrackEncoder.appendReading(frame.reading, to: &$0)
        }
        if form == .json, next > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += json.bytes
        if form == .ndjson { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Appends a row of CSV (RFC 4180).
    private func appendRow(_ frame: FrameList.Frame, to bytes: inout [UInt8]) {
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
        Self.appendCell(ControlCharacters.stripped(reading.text), to: &bytes)
        bytes += Array(",\(frame.source.rawValue)\r\n".utf8)
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
