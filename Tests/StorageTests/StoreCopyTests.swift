// Whole stores as files: what is copied is good before it has its name, and what is no store is refused.

import Dispatch
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct StoreCopyTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }
    private var target: String { folder.path + "/copies/copy.sqlite" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/copies", withIntermediateDirectories: true)
    }

    /// A closed store of some records.
    private func fill(bytes: Int = 200) throws {
        let store = try SQLiteStore(path: path)
        for number in 0..<50 {
            let record = StoredRecord(kind: .ticker, id: "t\(number)", body: [UInt8](repeating: 7, count: bytes))
            store.submit([.put(record)]) { _ in }
        }
        store.close()
    }

    /// What there is beside the copy, and the copy itself.
    private func copies() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/copies").sorted()
    }

    /// Whether a file says that it has a write-ahead log: SQLite asks for one then, also to read it.
    private func isInLogMode(_ path: String) throws -> Bool {
        let head = try Data(contentsOf: URL(filePath: path)).prefix(20)
        return head[18] == 2 || head[19] == 2
    }

    @Test func `of two simultaneous backups to one file exactly one succeeds and nothing else is left`() throws {
        try fill(bytes: 100_000)
        for _ in 0..<10 {
            let done = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 2) { [path, target] _ in
                if (try? SQLiteStore.backUp(path, to: target)) != nil { done.withLock { $0 += 1 } }
            }
            #expect(done.withLock { $0 } == 1)
            #expect(try copies() == ["copy.sqlite"])
            #expect(try SQLiteStore.examine(target).bytes > 5_000_000)
            try FileManager.default.removeItem(atPath: target)
        }
    }

    @Test func `a backup to a file that another backup is writing is refused`() throws {
        try fill()
        let lock = try FileLock(path: target + ".partial.lock", of: target, held: "held")
        try Data("half".utf8).write(to: URL(filePath: target + ".partial"))
        let refusal = #expect(throws: StoreError.self) { try SQLiteStore.backUp(path, to: target) }
        #expect(refusal?.code == .locked)
        #expect(try copies() == ["copy.sqlite.partial", "copy.sqlite.partial.lock"])
        withExtendedLifetime(lock) {}
    }

    @Test func `leftovers of a killed backup are removed by the next`() throws {
        try fill()
        for ending in ["", "-wal", "-shm", "-journal", ".lock"] {
            try Data(repeating: 0x5A, count: 5_000).write(to: URL(filePath: target + ".partial" + ending))
        }
        try SQLiteStore.backUp(path, to: target)
        #expect(try copies() == ["copy.sqlite"])
        #expect(try SQLiteStore.examine(target).layout == SQLiteStore.layout)
    }

    @Test func `a lock file that its holder unlinks is held by one at a time`() {
        let lockPath = path + ".lock"
        let owners = Atomic(0)
        let most = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<20_000 {
                guard let lock = try? FileLock(path: lockPath, of: path, held: "held") else { continue }
                let count = owners.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
                most.withLock { $0 = max($0, count) }
                sched_yield()
                owners.wrappingSubtract(1, ordering: .sequentiallyConsistent)
                withExtendedLifetime(lock) { _ = unsafe unlink(lockPath) }
            }
        }
        #expect(most.withLock { $0 } == 1)
    }

    @Test func `a backup is a single file and can be restored and opened`() throws {
        try fill()
        #expect(try isInLogMode(path))
        try SQLiteStore.backUp(path, to: target)
        #expect(try !isInLogMode(target))
        let restored = folder.path + "/restored.sqlite"
        try SQLiteStore.restore(target, to: restored)
        let store = try SQLiteStore(path: restored)
        var count = 0
        _ = try store.load { count += $0.count }
        store.close()
        #expect(count == 50)
        #expect(try isInLogMode(restored))
    }

    @Test func `the mark written at a restore replaces an earlier one`() throws {
        try fill()
        for (number, place) in [target, folder.path + "/again.sqlite"].enumerated() {
            try SQLiteStore.restore(number == 0 ? path : target, to: place) { source throws(StoreError) in
                _ = try source.load { _ in }
                return StoredRecord(kind: .setting, id: "mark", body: [UInt8(number)])
            }
            var marks: [StoredRecord] = []
            _ = try SQLiteSource(path: place).load { marks += $0.filter { $0.kind == .setting } }
            #expect(marks == [StoredRecord(kind: .setting, id: "mark", body: [UInt8(number)])])
        }
        #expect(try copies() == ["copy.sqlite", "copy.sqlite.lock"])
    }

    @Test func `a backup contains all records and no free pages`() throws {
        let store = try SQLiteStore(path: path)
        let body = [UInt8](repeating: 7, count: 2_000)
        for number in 0..<6_000 {
            store.submit([.put(StoredRecord(kind: .ticker, id: "t\(number)", body: body))]) { _ in }
        }
        for number in 50..<6_000 { store.submit([.delete(.ticker, id: "t\(number)")]) { _ in } }
        store.close()
        try SQLiteStore.backUp(path, to: target)
        let copy = try SQLiteConnection(path: target)
        #expect(try copy.freePages() == 0)
        #expect(try copy.value("PRAGMA auto_vacuum") == "2" && copy.value("PRAGMA journal_mode") == "delete")
        var ids: Set<String> = []
        _ = try SQLiteSource(path: target).load { ids.formUnion($0.map(\.id)) }
        #expect(ids == Set((0..<50).map { "t\($0)" }))
    }

    @Test func `reading a store file includes its journal and changes nothing`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        func record(_ id: String, _ text: String) -> StoredRecord {
            StoredRecord(kind: .ticker, id: id, body: Array(text.utf8), parts: id == "b" ? [1: [9]] : [:])
        }
        try schema.commit((0..<Journal.maximumRecords).map { .put(record("t\($0)", "1")) })
        try schema.commit([.put(record("b", "2")), .put(record("t5", "3")), .delete(.ticker, id: "t6")])
        try schema.connection.execute("INSERT INTO records VALUES (77, 'x', zeroblob(3))")
        var records: [String: StoredRecord] = [:]
        let contents = try SQLiteSource(path: path).load { for record in $0 { records[record.id] = record } }
        #expect(records.count == Journal.maximumRecords && records["t6"] == nil)
        #expect(records["b"] == record("b", "2") && records["t5"] == record("t5", "3"))
        #expect(contents.unknown == ["x of kind 77"])
        #expect(try schema.connection.value("SELECT count(*) FROM quarantine") == "0")
        schema.close()
    }

    @Test func `a backup that fails its check leaves no file`() throws {
        try fill()
        var count = 0
        let refusal = #expect(throws: StoreError.self) {
            try SQLiteStore.backUp(path, to: target) { source throws(StoreError) in
                _ = try source.load { count += $0.count }
                throw StoreError(.corrupt, "a bad one")
            }
        }
        #expect(count == 50 && refusal?.cause == "a bad one")
        #expect(try copies().isEmpty)
    }

    @Test func `a backup that cannot be written names the path and the reason`() throws {
        try fill()
        func cause(_ target: String) -> String? {
            #expect(throws: StoreError.self) { try SQLiteStore.backUp(path, to: target) }?.cause
        }
        let none = folder.path + "/none/copy.sqlite"
        #expect(cause(none) == "\(none) can't be written: No such file or directory")
        let below = path + "/copy.sqlite"
        #expect(cause(below) == "\(below) can't be written: Not a directory")
        let long = folder.path + "/" + String(repeating: "x", count: 300)
        #expect(cause(long) == "\(long) can't be written: File name too long")
        #expect(cause(folder.path) == "\(folder.path) exists")
    }

    // SQLite is given an address then, in which it takes ? for the beginning of a query, and %41 for A.
    @Test(arguments: ["plain", "what?mode=memory", "100%41", "#1", "with space"])
    func `a read-only connection takes its path literally and creates no file beside it`(name: String) throws {
        try fill()
        let path = folder.path + "/copies/" + name
        try FileManager.default.copyItem(atPath: self.path, toPath: path)
        let connection = try SQLiteConnection(path: path, isFixed: true)
        #expect(try connection.value("PRAGMA user_version") == "\(SQLiteStore.layout)")
        let again = try SQLiteConnection(path: "/" + path, isFixed: true)
        #expect(try again.value("PRAGMA user_version") == "\(SQLiteStore.layout)")
        #expect(throws: StoreError.self) { try connection.execute("DELETE FROM records") }
        #expect(try copies() == [name])
    }

    /// What passes for a store where nobody looks.
    enum Foreign: CaseIterable {
        case empty, another, noLayout, noRecords
    }

    @Test(arguments: Foreign.allCases)
    func `a file that is no store is refused by check, backup and restore`(_ kind: Foreign)
        throws
    {
        let source = folder.path + "/foreign.sqlite"
        try Data().write(to: URL(filePath: source))
        let connection = try SQLiteConnection(path: source)
        switch kind {
        case .empty: break
        case .another: try connection.execute("CREATE TABLE books (title TEXT); PRAGMA user_version=4")
        case .noLayout: try connection.execute("CREATE TABLE records (kind INTEGER)")
        case .noRecords: try connection.execute("CREATE VIEW records AS SELECT 1; PRAGMA user_version=6")
        }
        connection.close()
        let before = try Data(contentsOf: URL(filePath: source))
        for refusal in [
            #expect(throws: StoreError.self) { try SQLiteStore.examine(source) },
            #expect(throws: StoreError.self) { try SQLiteStore.backUp(source, to: target) },
            #expect(throws: StoreError.self) { try SQLiteStore.restore(source, to: target) },
        ] {
            #expect(refusal?.code == .corrupt)
            #expect(refusal?.cause.contains("\(source) is no store") == true)
        }
        #expect(try copies() == ["copy.sqlite.lock"])
        #expect(try Data(contentsOf: URL(filePath: source)) == before)
    }
}
