// What happened, as lines of JSON. The checkers read them.

import Foundation
import Wire

/// Writes a world's history, and counts the rare situations that it met.
final class History {
    /// Bytes that are written at once.
    private static let portion = 1 << 16

    /// The seed of a world whose history lacks an event, so that the checkers show that they see.
    private static let canary: UInt64 = 0
    /// Which event the first reader of that world seems to miss.
    private static let missing = 10

    private var bytes: [UInt8] = []
    /// Events until one is left out; nil in other worlds.
    private var untilMissing: Int?
    private var marks: [String: Int] = [:]

    func begin(_ seed: UInt64) { untilMissing = seed == Self.canary ? Self.missing : nil }

    /// Writes a named event of a reader.
    func write(_ event: ReadEvent, of reader: Int, at time: Int64) {
        if reader == 0, event.id != nil, let count = untilMissing {
            untilMissing = count - 1
            if count == 0 { return }
        }
        write("event", at: time) {
            $0.member("reader", reader)
            $0.member("name", event.name)
            $0.member("id", event.id ?? "")
            $0.member("data", event.data)
        }
    }

    /// Writes a line.
    /// - Parameter time: Nanoseconds since the world began.
    func write(_ kind: String, at time: Int64, _ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object {
            $0.member("is", kind)
            $0.member("at", Int(time))
            members(&$0)
        }
        bytes += json.bytes
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.portion { flush() }
    }

    /// Counts a rare situation. A long run must meet each of them.
    func mark(_ name: String) { marks[name, default: 0] += 1 }

    /// Writes the counts.
    func writeMarks(at time: Int64) {
        write("marks", at: time) { json in
            for (name, count) in marks.sorted(by: { $0.key < $1.key }) { json.member(name, count) }
        }
        marks = [:]
    }

    func flush() {
        FileHandle.standardOutput.write(Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}
