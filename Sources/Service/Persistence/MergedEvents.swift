// Events that a store holds until they are published: merged completions, from the turn in which they were merged until the tick.
// A start adds them to the log of the run that merged them, under the numbers that they had.

package import Storage

package enum MergedEvents {
    static let settingID = "completions"

    /// Deletes the record: the events are published.
    package static var deletion: StoreChange { .delete(.setting, id: settingID) }

    /// Replaces the record.
    /// - Parameters:
    ///   - size: The approximate bytes that `make` retains while it waits.
    ///   - make: The events as they would be logged; runs on the store's thread.
    package static func change(size: Int, make: @escaping @Sendable () -> StoredEvents) -> StoreChange {
        .putLater(RecordName(.setting, settingID), size: size) { record(of: make()) }
    }

    /// The record: `epoch first last time` on a line, then the events' bytes.
    static func record(of events: StoredEvents) -> StoredRecord {
        let head = "\(events.epoch) \(events.first) \(events.last) \(events.time)\n"
        return StoredRecord(kind: .setting, id: settingID, body: Array(head.utf8) + events.bytes)
    }

    /// - Throws: `corrupt` unless `record(of:)` could have made it.
    static func read(_ record: StoredRecord) throws(StoreError) -> StoredEvents {
        let head = record.body.prefix { $0 != 0x0A }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        guard head.count < record.body.count, words.count == 4, let first = Int64(words[1]),
            let last = Int64(words[2]), let time = Int64(words[3]), first > 0, last >= first
        else { throw StoreError(.corrupt, "it is not a record of merged events") }
        return StoredEvents(
            epoch: String(words[0]), first: first, last: last, time: time,
            bytes: Array(record.body.dropFirst(head.count + 1)))
    }
}
