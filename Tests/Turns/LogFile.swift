// A log as a file: what one process was told, for others.

import Base
import Foundation
import Replication
import Tween

/// Entries in their order, as bytes.
struct LogFile {
    private(set) var entries: [RawEntry] = []

    init() {}

    init(_ path: String) throws {
        var reader = ByteReader([UInt8](try Data(contentsOf: URL(filePath: path))))
        while !reader.isAtEnd {
            let instant = Instant(nanoseconds: try reader.signed())
            let payload = try reader.data()
            append(payload, at: instant, as: EntryName(rawValue: try reader.unsigned()))
        }
    }

    @discardableResult
    mutating func append(_ payload: [UInt8], at instant: Instant, as name: EntryName) -> RawEntry {
        let last = entries.last?.position ?? .start
        let position = LogPosition(sequence: last.sequence + 1, instant: instant, name: name)
        let entry = RawEntry(position: position, previous: last.name, payload: payload)
        entries.append(entry)
        return entry
    }

    func write(to path: String) throws {
        var writer = ByteWriter()
        for entry in entries {
            writer.number(entry.position.instant.nanoseconds)
            writer.data(entry.payload)
            writer.number(entry.position.name.rawValue)
        }
        try Data(writer.bytes).write(to: URL(filePath: path))
    }
}
