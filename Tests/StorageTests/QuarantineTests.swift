// Records that nobody could read: out of the way, and still there.

import Storage
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct QuarantineTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }

    private func record(_ id: String, _ text: String) -> StoredRecord {
        StoredRecord(kind: .ticker, id: id, body: Array(text.utf8), parts: [3: [1, 2, 3, 4]])
    }

    private func ids(_ schema: Schema) throws -> [String] {
        var records: [StoredRecord] = []
        _ = try schema.load { records += $0 }
        return records.map(\.id)
    }

    private func aside(_ id: String) -> StoreChange { .setAside(RecordName(.ticker, id), reason: "odd", time: 5) }

    @Test func `a quarantined record is moved with its parts and counted`() throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        try schema.commit([.put(record("a", "1")), .put(record("b", "2"))])
        try schema.commit([aside("a"), aside("none"), .put(record("a", "new"))])
        #expect(try ids(schema) == ["a", "b"])
        #expect(schema.health.quarantined == 1)
        #expect(
            try connection.value(
                "SELECT group_concat(id || COALESCE(part, '') || reason || time || hex(body)) FROM quarantine")
                == "aodd531,a3odd501020304")
        #expect(try schema.record(RecordName(.ticker, "a")) == record("a", "new"))
        schema.close()
        let again = try Schema(SQLiteConnection(path: path))
        #expect(try ids(again) == ["a", "b"])
        #expect(again.health.quarantined == 1)
        again.close()
    }

    @Test func `a failed commit quarantines nothing`() throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        try schema.commit([.put(record("a", "1"))])
        try connection.execute("PRAGMA max_page_count=\(try connection.value("PRAGMA page_count"))")
        let large = StoredRecord(kind: .ticker, id: "z", body: [UInt8](repeating: 7, count: 200_000))
        #expect(throws: StoreError.self) { try schema.commit([aside("a"), .put(large)]) }
        #expect(try ids(schema) == ["a"])
        #expect(schema.health.quarantined == 0)
        schema.close()
    }

    @Test func `a record that doesn't fit the quarantine stays in the table`() throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        let half = StoredRecord(
            kind: .ticker, id: "half", body: [UInt8](repeating: 7, count: Quarantine.maximumBytes / 2 + 1))
        try schema.commit([.put(half), .put(record("a", "1"))])
        try schema.commit([aside("half")])
        try schema.commit([.put(half)])
        try schema.commit([aside("half"), aside("a")])
        #expect(try ids(schema) == ["half"])
        #expect(schema.health.quarantined == 2)
        schema.close()
    }

    @Test func `the store quarantines records of unknown kinds`() throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        try schema.commit([.put(record("a", "1"))])
        for kind in [-1, 77, 300] {
            try connection.execute("INSERT INTO records (kind, id, body) VALUES (\(kind), 'odd', x'00')")
        }
        var records: [StoredRecord] = []
        let contents = try schema.load { records += $0 }
        #expect(records.map(\.id) == ["a"])
        #expect(contents.unknown.count == 3 && contents.unknown[1].contains("77"))
        #expect(schema.health.quarantined == 3)
        #expect(try schema.load { _ in }.unknown.isEmpty)
        schema.close()
    }
}
