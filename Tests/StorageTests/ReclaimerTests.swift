// Space that deletions leave: given back to the file system, in steps, and without a hand on the clock of anybody.

import Foundation
import Storage
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct ReclaimerTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }
    private static let second: Int64 = 1_000_000_000

    /// Records of four kilobytes, put and deleted again but for the last few: so many at once that the journal keeps none.
    private func schema(left: Int = 20) throws -> Schema {
        let records = Journal.maximumRecords + left
        let schema = try Schema(SQLiteConnection(path: path))
        let body = [UInt8](repeating: 7, count: 4_000)
        try schema.commit((0..<records).map { .put(StoredRecord(kind: .ticker, id: "t\($0)", body: body)) })
        try schema.commit((0..<(records - left)).map { .delete(.ticker, id: "t\($0)") })
        _ = try schema.connection.checkpoint()
        return schema
    }

    private func size(_ ending: String = "") throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path + ending)[.size] as? Int)
    }

    @Test func `an idle store returns its free pages to the file system step by step`() throws {
        let schema = try schema()
        let before = try size()
        let checkpointer = Checkpointer(schema)
        let reclaimer = Reclaimer(schema, checkpointer)
        var wake = reclaimer.continueIfDue(at: 0, wasAsked: true)
        #expect(wake == Reclaimer.pause)
        var free = try schema.connection.freePages()
        #expect(free > 1_000)
        var steps = 0
        while let now = wake {
            wake = reclaimer.continueIfDue(at: now, wasAsked: false)
            let left = try schema.connection.freePages()
            #expect(free - left <= Reclaimer.portion)
            (free, steps) = (left, steps + 1)
            try #require(steps < 1_000)
        }
        #expect(free <= Reclaimer.few && steps > 5)
        #expect(try size() < before / 10 && size("-wal") == 0)
        var kept = 0
        _ = try schema.load { kept += $0.count }
        #expect(kept == 20)
        try schema.connection.check("integrity_check")
        checkpointer.end()
        schema.close()
    }

    @Test func `an idle store carries out deletions that wait in the journal`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        let body = [UInt8](repeating: 7, count: 4_000)
        let count = Journal.maximumRecords
        try schema.commit((0..<count).map { .put(StoredRecord(kind: .ticker, id: "t\($0)", body: body)) })
        try schema.commit((10..<count).map { .delete(.ticker, id: "t\($0)") })
        #expect(try schema.connection.value("SELECT count(*) FROM records") == "\(count)")
        let checkpointer = Checkpointer(schema)
        let reclaimer = Reclaimer(schema, checkpointer)
        var (wake, turns) = (reclaimer.continueIfDue(at: 0, wasAsked: true), 0)
        while let now = wake {
            wake = reclaimer.continueIfDue(at: now, wasAsked: false)
            turns += 1
            try #require(turns < 1_000)
        }
        #expect(try schema.connection.value("SELECT count(*) FROM records") == "10")
        #expect(try size() < 400_000)
        var kept = 0
        _ = try schema.load { kept += $0.count }
        #expect(kept == 10)
        checkpointer.end()
        schema.close()
    }

    @Test func `a failed reclaim doesn't count as a failure of the store and is retried`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        let count = Journal.maximumRecords
        try schema.commit((0..<count).map { .put(StoredRecord(kind: .ticker, id: "t\($0)", body: [7])) })
        try schema.commit((10..<count).map { .delete(.ticker, id: "t\($0)") })
        let checkpointer = Checkpointer(schema)
        let reclaimer = Reclaimer(schema, checkpointer)
        _ = reclaimer.continueIfDue(at: 0, wasAsked: true)
        try schema.connection.execute("PRAGMA query_only = ON")
        var wake = reclaimer.continueIfDue(at: 2 * Self.second, wasAsked: false)
        #expect(wake == 3 * Self.second && schema.health.failure == nil)
        try schema.connection.execute("PRAGMA query_only = OFF")
        while let now = wake { wake = reclaimer.continueIfDue(at: now, wasAsked: false) }
        #expect(try schema.connection.value("SELECT count(*) FROM records") == "10")
        checkpointer.end()
        schema.close()
    }

    @Test func `a busy store reclaims few pages at a time and keeps some spare`() throws {
        let schema = try schema()
        let checkpointer = Checkpointer(schema)
        let reclaimer = Reclaimer(schema, checkpointer)
        var (now, steps) = (Int64(0), 0)
        var free = try schema.connection.freePages()
        for _ in 0..<2_000 {
            _ = reclaimer.continueIfDue(at: now, wasAsked: true)
            let left = try schema.connection.freePages()
            if left < free { steps += 1 }
            (free, now) = (left, now + Self.second / 50)
        }
        #expect(free <= Reclaimer.spare && free > Reclaimer.spare - Reclaimer.portion && steps > 5)
        // Forty seconds of commits, four looks a second.
        #expect(steps <= 160)
        checkpointer.end()
        schema.close()
    }

    @Test func `a file that a reader still uses is truncated after the reader ends`() throws {
        let schema = try schema()
        let before = try size()
        let reading = try SQLiteConnection(path: path)
        try reading.execute("BEGIN")
        #expect(try reading.value("SELECT count(*) FROM records") == "20")
        let checkpointer = Checkpointer(schema)
        let reclaimer = Reclaimer(schema, checkpointer)
        var now = try #require(reclaimer.continueIfDue(at: 0, wasAsked: true))
        for _ in 0..<100 { now = try #require(reclaimer.continueIfDue(at: now, wasAsked: false)) }
        #expect(try schema.connection.freePages() <= Reclaimer.few && size() == before)
        try reading.execute("COMMIT")
        #expect(reclaimer.continueIfDue(at: now, wasAsked: false) == nil)
        #expect(try size() < before / 5)
        checkpointer.end()
        schema.close()
    }
}
