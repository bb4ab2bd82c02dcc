// What is committed is there, wherever it lies: in the journal, half moved or in the table.

import Base
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct JournalTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }

    private func records(of schema: Schema) throws -> [RecordName: [UInt8]] {
        var records: [RecordName: [UInt8]] = [:]
        var last: RecordName?
        _ = try schema.load { portion in
            for record in portion {
                let name = RecordName(record.kind, record.id)
                // Each once, and in the order of the table.
                if let last { #expect(last.precedes(name)) }
                last = name
                records[name] = record.body
            }
        }
        return records
    }

    private func count(_ table: String, in schema: Schema) throws -> Int {
        Int(try schema.connection.value("SELECT count(*) FROM \(table)")) ?? -1
    }

    /// Random changes in commits of all sizes, some of which fail, with restarts between them.
    @Test(arguments: [1, 7, 40, 3_000])
    func `no change is lost while the journal moves into the table, with failures and restarts`(_ most: Int) throws {
        var random = SeededRandom(seed: UInt64(most))
        var kept: [RecordName: [UInt8]] = [:]
        var schema = try Schema(SQLiteConnection(path: path))
        try schema.connection.execute("PRAGMA synchronous=OFF")
        var hasMoved = false
        for commit in 0..<(most > 1_000 ? 12 : 1_200) {
            var (changes, next): ([StoreChange], [RecordName: [UInt8]]) = ([], kept)
            for _ in 0..<Int.random(in: 1...most, using: &random) {
                let name = RecordName(
                    [.ticker, .progress, .setting].randomElement(using: &random) ?? .ticker,
                    "é\(Int.random(in: 0..<9_000, using: &random))")
                let body = Int.random(in: 0..<4, using: &random) == 0 ? nil : Array("\(commit)".utf8)
                next[name] = body
                changes.append(
                    body.map { .put(StoredRecord(kind: name.kind, id: name.id, body: $0)) }
                        ?? .delete(name.kind, id: name.id))
            }
            if commit % 50 == 7 {
                // A change that can't be written takes the others with it.
                try schema.connection.execute(
                    "CREATE TEMP TRIGGER full BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'full'); END")
                let answer = StoredAnswer(
                    key: "k", fingerprint: 1, answer: KeptAnswer(status: 200, body: []), expires: 1)
                #expect(throws: StoreError.self) {
                    try schema.commit(changes + [.remember(answer, horizon: .min)])
                }
                try schema.connection.execute("DROP TRIGGER full")
            } else {
                try schema.commit(changes)
                kept = next
            }
            for name in kept.keys.prefix(3) { #expect(try schema.record(name)?.body == kept[name]) }
            if try count("records", in: schema) > 0 { hasMoved = true }
            guard commit % 100 == 99 else { continue }
            #expect(try records(of: schema) == kept)
            schema.close()
            schema = try Schema(SQLiteConnection(path: path))
            try schema.connection.execute("PRAGMA synchronous=OFF")
        }
        #expect(try records(of: schema) == kept)
        #expect(hasMoved || most == 1)
        schema.close()
    }

    @Test func `the journal is bounded, however much is committed`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.connection.execute("PRAGMA synchronous=OFF")
        var most = 0
        for commit in 0..<400 {
            try schema.commit(
                (0..<100).map { .put(StoredRecord(kind: .ticker, id: "t\(commit * 100 + $0)", body: [1, 2])) })
            most = max(most, schema.writing.withLock { $0?.journal.count } ?? 0)
        }
        // What comes while all is moved is at most half as much again.
        #expect(most >= Journal.maximumRecords && most < Journal.maximumRecords * 3 / 2 + 200)
        #expect(try count("records", in: schema) > 30_000)
        #expect(try records(of: schema).count == 40_000)
        schema.close()
    }

    @Test func `a record that changes often is seldom written to the table`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.connection.execute("PRAGMA synchronous=OFF")
        let body = [UInt8](repeating: 7, count: 100)
        for commit in 0..<1_000 {
            try schema.commit(
                (0..<30).map { .put(StoredRecord(kind: .ticker, id: "t\((commit * 31 + $0) % 500)", body: body)) })
        }
        #expect(try records(of: schema).count == 500)
        // Some 4 MB of changes went through a journal of 2 MiB: moved once or twice.
        #expect(try Int(schema.connection.value("SELECT max(row) FROM journal")) ?? 0 == 1_000)
        #expect(try count("journal", in: schema) < 900)
        #expect(try count("records", in: schema) == 500)
        schema.close()
    }

    @Test func `a damaged journal row is refused as corrupt`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.commit([.put(StoredRecord(kind: .ticker, id: "t", body: [1, 2, 3]))])
        try schema.connection.execute("UPDATE journal SET body = substr(body, 1, 12)")
        schema.close()
        let error = #expect(throws: StoreError.self) { try Schema(SQLiteConnection(path: path)) }
        #expect(error?.code == .corrupt)
    }

    @Test func `a quarantined record stays in quarantine after a restart`() throws {
        var schema = try Schema(SQLiteConnection(path: path))
        try schema.commit([.put(StoredRecord(kind: .ticker, id: "odd", body: [9]))])
        try schema.commit([.setAside(RecordName(.ticker, "odd"), reason: "odd", time: 1)])
        schema.close()
        schema = try Schema(SQLiteConnection(path: path))
        #expect(try records(of: schema).isEmpty)
        #expect(try count("quarantine", in: schema) == 1)
        schema.close()
    }
}
