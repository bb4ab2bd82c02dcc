// Records with parts on real files: whole after a restart, written once.

import Storage
import Synchronization
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct PartsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }

    private func record(_ id: String, _ text: String, _ parts: [UInt64: String] = [:]) -> StoredRecord {
        StoredRecord(kind: .ticker, id: id, body: Array(text.utf8), parts: parts.mapValues { Array($0.utf8) })
    }

    private func records(_ schema: Schema) throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        _ = try schema.load { records += $0 }
        return records
    }

    /// A row gets another number when it is written again.
    private func rows(_ connection: SQLiteConnection) throws -> String {
        try connection.value(
            "SELECT group_concat(id || number || ':' || row, ' ') FROM (SELECT * FROM parts ORDER BY row)")
    }

    @Test func `parts of a record read back after a restart and are deleted with it`() throws {
        let kept = [record("a", "1", [1: "one", .max: "last"]), record("b", "2"), record("c", "3", [1: "other"])]
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.commit(kept.map { .put($0) } + [.put(record("d", "4", [1: "x"]))])
        try schema.commit([.delete(.ticker, id: "d")])
        #expect(try schema.record(RecordName(.ticker, "a")) == kept[0])
        schema.close()
        let connection = try SQLiteConnection(path: path)
        let again = try Schema(connection)
        #expect(try records(again) == kept)
        #expect(try again.record(RecordName(.ticker, "c")) == kept[2])
        #expect(try connection.value("SELECT COUNT(*) FROM parts") == "3")
        again.close()
    }

    @Test func `unchanged parts are not written again, also after a restart`() throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        try schema.commit([.put(record("a", "1", [1: "one", 2: "two"]))])
        let before = try rows(connection)
        for round in 0..<5 { try schema.commit([.put(record("a", "\(round)", [1: "one", 2: "two"]))]) }
        #expect(try rows(connection) == before)
        schema.close()
        let reopened = try SQLiteConnection(path: path)
        let again = try Schema(reopened)
        _ = try records(again)
        try again.commit([.put(record("a", "x", [1: "one", 2: "two"]))])
        #expect(try rows(reopened) == before)
        try again.commit([.put(record("a", "y", [2: "two", 3: "three"]))])
        #expect(try records(again) == [record("a", "y", [2: "two", 3: "three"])])
        again.close()
    }

    @Test func `a record deleted and put in one commit has only the new parts`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.commit([.put(record("a", "1", [1: "one", 2: "two"]))])
        try schema.commit([.delete(.ticker, id: "a"), .put(record("a", "2", [1: "other"]))])
        #expect(try records(schema) == [record("a", "2", [1: "other"])])
        schema.close()
    }

    @Test func `a recovery after a failed commit includes the committed parts`() throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        let writer = StoreWriter(schema)
        let kept = record("a", "1", [1: "one"])
        writer.process([.changes([.put(kept)]) { _ in }])
        try connection.execute("PRAGMA max_page_count=\(try connection.value("PRAGMA page_count"))")
        let recovered = Mutex<StoreRecovery?>(nil)
        writer.process([
            .changes([.put(record("a", "2", [1: "other", 2: String(repeating: "x", count: 200_000)]))]) { _ in },
            .recovery { result in recovered.withLock { $0 = try? result.get() } },
        ])
        #expect(recovered.withLock { $0 }?.records[RecordName(.ticker, "a")] == kept)
        try connection.execute("PRAGMA max_page_count=100000")
        writer.process([.changes([.put(record("a", "3", [1: "one", 2: "two"]))]) { _ in }])
        #expect(try records(schema) == [record("a", "3", [1: "one", 2: "two"])])
        schema.close()
    }

    @Test func `a portion of loaded records is bounded in bytes`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        let heavy = String(repeating: "x", count: 1_000_000)
        try schema.commit((0..<12).map { .put(record("r\($0 + 10)", "1", [1: heavy])) })
        var sizes: [Int] = []
        _ = try schema.load { sizes.append($0.count) }
        #expect(sizes.reduce(0, +) == 12 && sizes.allSatisfy { $0 <= 5 })
        schema.close()
    }
}
