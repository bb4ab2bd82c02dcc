// The store on real files.

import Base
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import StorageSQLite

/// All that a store has kept.
private struct Kept {
    var records: [StoredRecord] = []
    var answers: [StoredAnswer] = []
    var events: [StoredEvents] = []

    init(_ load: (([StoredRecord]) -> Void) throws -> StoreContents) rethrows {
        var records: [StoredRecord] = []
        let contents = try load { records += $0 }
        self.records = records
        answers = contents.answers
        events = contents.events
    }
}

extension SQLiteStore {
    fileprivate func kept() throws -> Kept { try Kept { try load($0) } }
}

extension Schema {
    fileprivate func kept() throws -> Kept { try Kept { try load($0) } }
}

@Suite struct SQLiteStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }

    private func record(_ id: String, _ text: String) -> StoredRecord {
        StoredRecord(kind: .ticker, id: id, body: Array(text.utf8))
    }

    /// Submits and waits for the commit.
    private func commit(_ changes: [StoreChange], to store: SQLiteStore) async -> Result<Void, StoreError> {
        await withCheckedContinuation { done in store.submit(changes) { done.resume(returning: $0) } }
    }

    @Test func `a committed record and answer are there after a restart`() async throws {
        let store = try SQLiteStore(path: path)
        let answer = StoredAnswer(
            key: "k", fingerprint: .max, answer: KeptAnswer(status: 202, head: "A: b", body: [1, 0, 2]), expires: 9)
        try await commit([.put(record("a", "1")), .put(record("b", "2")), .remember(answer, horizon: .min)], to: store)
            .get()
        try await commit([.put(record("a", "3")), .delete(.ticker, id: "b")], to: store).get()
        store.close()
        let again = try SQLiteStore(path: path)
        let contents = try again.kept()
        again.close()
        #expect(contents.records == [record("a", "3")])
        #expect(contents.answers == [answer])
    }

    @Test func `of several puts of one record in a commit, only the last is written`() async throws {
        let store = try SQLiteStore(path: path)
        try await commit((0..<100).map { .put(record("a", "\($0)")) } + [.delete(.ticker, id: "x")], to: store).get()
        let changes = store.health.changes
        store.close()
        let again = try SQLiteStore(path: path)
        let contents = try again.kept()
        again.close()
        #expect(contents.records == [record("a", "99")])
        #expect(changes == 2)
    }

    @Test func `submissions complete in order and share commits`() async throws {
        let store = try SQLiteStore(path: path)
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for index in 0..<2_000 {
                store.submit([.put(record("r\(index)", "x"))]) { _ in
                    order.withLock { $0.append(index) }
                    if index == 1_999 { done.resume() }
                }
            }
        }
        let commits = store.health.commits
        store.close()
        #expect(order.withLock { $0 } == Array(0..<2_000))
        #expect(commits < 1_000)
    }

    @Test func `closing the store commits waiting submissions`() throws {
        let store = try SQLiteStore(path: path)
        for index in 0..<500 { store.submit([.put(record("r\(index)", "x"))]) { _ in } }
        store.close()
        let again = try SQLiteStore(path: path)
        let contents = try again.kept()
        again.close()
        #expect(contents.records.count == 500)
    }

    @Test func `a closed store refuses submissions`() async throws {
        let store = try SQLiteStore(path: path)
        store.close()
        let result = await commit([.put(record("a", "1"))], to: store)
        #expect(throws: StoreError.self) { try result.get() }
    }

    @Test func `a copy of the store's files taken between commits opens with whole commits`() async throws {
        let store = try SQLiteStore(path: path)
        for round in 0..<5 {
            try await commit([.put(record("a", "\(round)")), .put(record("b", "\(round)"))], to: store).get()
            let copy = folder.path + "/copy\(round)"
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: path + suffix, toPath: copy + "/store.sqlite" + suffix)
            }
            let crashed = try SQLiteStore(path: copy + "/store.sqlite")
            let contents = try crashed.kept()
            crashed.close()
            #expect(contents.records == [record("a", "\(round)"), record("b", "\(round)")])
        }
        store.close()
    }

    @Test func `a store that is open elsewhere is refused as locked`() throws {
        let store = try SQLiteStore(path: path)
        let refusal = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
        #expect(refusal?.code == .locked)
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(SQLiteStore.isHeld(path, by: own) && !SQLiteStore.isHeld(path, by: 1))
        store.close()
        #expect(!SQLiteStore.isHeld(path, by: own))
    }

    @Test func `a file that is no database is refused as corrupt and left unchanged`() throws {
        let garbage = Data(repeating: 0x41, count: 8_192)
        try garbage.write(to: URL(filePath: path))
        let refusal = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
        #expect(refusal?.code == .corrupt)
        #expect(try Data(contentsOf: URL(filePath: path)) == garbage)
    }

    /// Every layout that a build before 1.0.0 wrote, and later ones.
    @Test(arguments: [1, 2, 3, 4, 5, 6, SQLiteStore.layout + 1, 99])
    func `a store of another layout is refused with a remedy and left unchanged`(layout: Int) throws {
        let schema = try Schema(SQLiteConnection(path: path))
        try schema.connection.execute("PRAGMA user_version=\(layout)")
        schema.close()
        let before = try Data(contentsOf: URL(filePath: path))
        let (writer, cure) =
            layout < SQLiteStore.layout ? ("a build before 1.0.0", "move it away") : ("a newer version", "restore")
        for refusal in [
            #expect(throws: StoreError.self) { try SQLiteStore(path: path) },
            #expect(throws: StoreError.self) { try SQLiteStore.examine(path) },
            #expect(throws: StoreError.self) { try SQLiteStore.checkLayout(of: path) },
            #expect(throws: StoreError.self) { try SQLiteStore.backUp(path, to: path + ".copy") },
            #expect(throws: StoreError.self) { try SQLiteStore.restore(path, to: path + ".restored") },
        ] {
            #expect(refusal?.code == .otherLayout)
            for part in ["\(path) has layout \(layout)", "layout \(SQLiteStore.layout) alone", writer, cure] {
                #expect(refusal?.cause.contains(part) == true, "\(refusal?.cause ?? "")")
            }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `a database of another program is refused as corrupt and left unchanged`() throws {
        let books = try SQLiteConnection(path: path)
        try books.execute("CREATE TABLE books (title TEXT)")
        books.close()
        let before = try Data(contentsOf: URL(filePath: path))
        let refusal = #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
        #expect(refusal?.code == .corrupt)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `a store in a missing folder is refused`() {
        let refusal = #expect(throws: StoreError.self) { try SQLiteStore(path: folder.path + "/none/store.sqlite") }
        #expect(refusal?.code == .readOnly)
    }

    @Test func `a full disk fails the commit and keeps earlier data, and room lets commits succeed`() async throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        try schema.commit([.put(record("kept", "1"))])
        try connection.execute("PRAGMA max_page_count=\(try connection.value("PRAGMA page_count"))")
        let large = StoredRecord(kind: .ticker, id: "large", body: [UInt8](repeating: 7, count: 200_000))
        let failure = #expect(throws: StoreError.self) { try schema.commit([.put(large)]) }
        #expect(failure?.code == .full)
        #expect(schema.health.failure?.code == .full)
        #expect(try schema.kept().records == [record("kept", "1")])
        try connection.execute("PRAGMA max_page_count=100000")
        try schema.commit([.put(large)])
        #expect(schema.health.failure == nil)
        #expect(try schema.kept().records.count == 2)
    }

    @Test func `of several lazily made puts of one record, only the last is made and written`() throws {
        let schema = try Schema(SQLiteConnection(path: path))
        let made = Mutex<[String]>([])
        func later(_ record: StoredRecord) -> StoreChange {
            .putLater(RecordName(record.kind, record.id), size: 1) {
                made.withLock { $0.append(String(decoding: record.body, as: UTF8.self)) }
                return record
            }
        }
        let changes = [
            later(record("a", "1")), .put(record("b", "1")), later(record("c", "1")), later(record("a", "2")),
            later(record("b", "2")), .delete(.ticker, id: "c"), later(record("d", "1")), .put(record("d", "2")),
        ]
        StoreWriter(schema).process(changes.map { .changes([$0]) { _ in } })
        #expect(made.withLock { $0 } == ["2", "2"])
        #expect(try schema.kept().records == [record("a", "2"), record("b", "2"), record("d", "2")])
    }

    @Test(arguments: [false, true])
    func `after a failed commit, submissions fail until the owner has recovered`(isMadeLater: Bool) throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        let writer = StoreWriter(schema)
        let results = Mutex<[String]>([])
        func put(_ records: StoredRecord..., answer: StoredAnswer? = nil) -> StoreWriter.Submission {
            let changes = records.map { record -> StoreChange in
                isMadeLater ? .putLater(RecordName(record.kind, record.id), size: 1) { record } : .put(record)
            }
            return .changes(changes + (answer.map { [.remember($0, horizon: .min)] } ?? [])) { result in
                results.withLock { results in
                    switch result {
                    case .success: results.append("kept")
                    case .failure(let error): results.append("\(error.code)")
                    }
                }
            }
        }
        writer.process([put(record("a", "1"), record("b", "1"))])
        try connection.execute("PRAGMA max_page_count=\(try connection.value("PRAGMA page_count"))")
        let large = StoredRecord(kind: .ticker, id: "a", body: [UInt8](repeating: 7, count: 200_000))
        let answer = StoredAnswer(key: "k", fingerprint: 1, answer: KeptAnswer(status: 202, body: []), expires: 9)
        writer.process([put(large, answer: answer)])
        try connection.execute("PRAGMA max_page_count=100000")
        // There is room again, but these were built on what is not kept.
        let recovered = Mutex<StoreRecovery?>(nil)
        writer.process([
            put(record("b", "2")), put(record("c", "1")),
            .recovery { result in recovered.withLock { $0 = try? result.get() } }, put(record("c", "2")),
        ])
        #expect(results.withLock { $0 } == ["kept", "full", "full", "full", "kept"])
        let recovery = try #require(recovered.withLock { $0 })
        #expect(recovery.lostAnswers == ["k"])
        #expect(recovery.records[RecordName(.ticker, "a")] == record("a", "1"))
        #expect(recovery.records[RecordName(.ticker, "b")] == record("b", "1"))
        #expect(recovery.records[RecordName(.ticker, "c")] == .some(nil))
        #expect(try schema.kept().records == [record("a", "1"), record("b", "1"), record("c", "2")])
    }

    @Test func `a backup opens as a store`() async throws {
        let connection = try SQLiteConnection(path: path)
        let schema = try Schema(connection)
        try schema.commit([.put(record("a", "1"))])
        let copy = folder.path + "/backup.sqlite"
        try connection.copy(to: copy)
        let store = try SQLiteStore(path: copy)
        let contents = try store.kept()
        store.close()
        #expect(contents.records == [record("a", "1")])
    }

    @Test func `event log entries are kept in order until they expire`() async throws {
        let store = try SQLiteStore(path: path)
        for number in stride(from: Int64(1), through: 9, by: 2) {
            let events = StoredEvents(epoch: "e", first: number, last: number + 1, time: 5, bytes: [1, 2])
            try await commit([.log(events, expired: number + 1 - 4)], to: store).get()
        }
        store.close()
        let again = try SQLiteStore(path: path)
        let contents = try again.kept()
        again.close()
        #expect(contents.events.map(\.first) == [7, 9])
        #expect(contents.events.last == StoredEvents(epoch: "e", first: 9, last: 10, time: 5, bytes: [1, 2]))
    }

    @Test(arguments: [(3, [1]), (4, []), (0, [1])] as [(Int64, [Int64])])
    func `an event log entry is kept until all of its events have expired`(expired: Int64, kept: [Int64]) async throws {
        let store = try SQLiteStore(path: path)
        let first = StoredEvents(epoch: "e", first: 1, last: 4, time: 5, bytes: [1])
        let second = StoredEvents(epoch: "e", first: 5, last: 6, time: 5, bytes: [2])
        try await commit([.log(first, expired: 0)], to: store).get()
        try await commit([.log(second, expired: expired)], to: store).get()
        store.close()
        let again = try SQLiteStore(path: path)
        let contents = try again.kept()
        again.close()
        #expect(contents.events.map(\.first) == kept + [5])
    }
}
