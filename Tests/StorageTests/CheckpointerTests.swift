// The write-ahead log stays short, though it is moved beside the commits.

import Foundation
import Storage
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct CheckpointerTests {
    private let folder = TemporaryFolder()

    /// Commits records of ten pages each, `count` times, and follows each commit.
    private func write(_ count: Int, to schema: Schema, _ checkpointer: Checkpointer) {
        let writer = StoreWriter(schema, committed: checkpointer.checkLog)
        for number in 0..<count {
            let body = [UInt8](repeating: UInt8(number % 256), count: 40_000)
            let record = StoredRecord(kind: .ticker, id: "t\(number % 20)", body: body, parts: [:])
            writer.process([.changes([.put(record)], { result in #expect(throws: Never.self) { try result.get() } })])
        }
    }

    @Test func `the write-ahead log's size is bounded`() throws {
        let path = folder.path + "/store"
        let schema = try Schema(SQLiteConnection(path: path))
        let checkpointer = Checkpointer(schema, pages: 50)
        write(200, to: schema, checkpointer)
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        // 2,000 pages and more were written; the log's limit is 200, the last commit's come on top.
        #expect(size < 300 * 4_150)
        checkpointer.end()
        schema.close()
        let again = try Schema(SQLiteConnection(path: path))
        var records = 0
        _ = try again.load { records += $0.count }
        #expect(records == 20)
        again.close()
    }

    @Test func `a long read transaction neither blocks commits nor keeps the log from shrinking later`() throws {
        let path = folder.path + "/store"
        let schema = try Schema(SQLiteConnection(path: path))
        let checkpointer = Checkpointer(schema, pages: 50)
        write(1, to: schema, checkpointer)
        let reader = try SQLiteConnection(path: path)
        try reader.execute("BEGIN")
        let newest = "SELECT max(row) FROM journal"
        #expect(try reader.value(newest) == "1")
        write(60, to: schema, checkpointer)
        #expect(try reader.value(newest) == "1")
        try reader.execute("COMMIT")
        #expect(try reader.value(newest) == "61")
        reader.close()
        let before = schema.connection.logPages
        // With the reader gone the log begins anew.
        write(60, to: schema, checkpointer)
        #expect(schema.connection.logPages < before)
        checkpointer.end()
        schema.close()
    }

    /// As often as the log can be moved it is: a move that met a commit which begins the log anew would lose commits.
    @Test func `checkpoints after every commit lose no commit`() throws {
        let path = folder.path + "/store"
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.connection.execute("PRAGMA synchronous=OFF")
        let checkpointer = Checkpointer(schema, pages: 1)
        let writer = StoreWriter(schema, committed: checkpointer.checkLog)
        var kept: [String: [UInt8]] = [:]
        var renewals = 0
        var lastLength = 0
        for number in 0..<5_000 {
            let record = StoredRecord(kind: .ticker, id: "t\(number % 300)", body: Array("\(number)".utf8), parts: [:])
            kept[record.id] = record.body
            writer.process([.changes([.put(record)], { result in #expect(throws: Never.self) { try result.get() } })])
            if schema.connection.logPages < lastLength { renewals += 1 }
            lastLength = schema.connection.logPages
        }
        #expect(renewals > 100)
        checkpointer.end()
        schema.close()
        let again = try Schema(SQLiteConnection(path: path))
        try again.connection.check()
        var read: [String: [UInt8]] = [:]
        _ = try again.load { for record in $0 { read[record.id] = record.body } }
        #expect(read == kept)
        again.close()
    }
}
