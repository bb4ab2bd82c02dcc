// Where a copy ends from which a board was restored. Clients may have received later events, which the board doesn't know: their
// ids must not count as ids of events that came after the copy.

package import Storage

/// The number of the newest named event in a copy.
package struct CopyEnd: Hashable, Sendable {
    /// The id of the record among the settings.
    static let settingID = "copy"

    package var lastEvent: Int64

    package init(lastEvent: Int64) { self.lastEvent = lastEvent }

    /// The number as text.
    package var record: StoredRecord {
        StoredRecord(kind: .setting, id: Self.settingID, body: Array(String(lastEvent).utf8))
    }

    /// - Throws: `corrupt` unless `record` could have made it.
    static func read(_ record: StoredRecord) throws(StoreError) -> CopyEnd {
        guard let lastEvent = Int64(String(decoding: record.body, as: UTF8.self)), lastEvent >= 0 else {
            throw StoreError(.corrupt, "it is not the end of a copy")
        }
        return CopyEnd(lastEvent: lastEvent)
    }
}
