// Damage in a file that SQLite would open: found before anything is served.

import Base
import Foundation
import Storage
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct IntegrityTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }

    /// A closed store with many pages.
    private func fill() throws {
        let store = try SQLiteStore(path: path)
        for number in 0..<3_000 {
            let record = StoredRecord(kind: .ticker, id: "t\(number)", body: [UInt8](repeating: 7, count: 200))
            store.submit([.put(record)]) { _ in }
        }
        store.close()
    }

    /// Writes over a part of every page from the third on, each of which is the records'.
    private func damage(at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        try #require(bytes.count > 50 * 4_096)
        for page in stride(from: 8 * 4_096, to: bytes.count, by: 4_096) {
            bytes.replaceSubrange(page + offset..<page + offset + 16, with: Data(repeating: 0xFF, count: 16))
        }
        try bytes.write(to: URL(filePath: path))
    }

    @Test func `a sound store is read in portions, in order`() throws {
        try fill()
        let store = try SQLiteStore(path: path)
        defer { store.close() }
        var portions: [[StoredRecord]] = []
        _ = try store.load { portions.append($0) }
        #expect(portions.count > 1 && portions.allSatisfy { !$0.isEmpty })
        #expect(portions.flatMap { $0 }.map(\.id) == (0..<3_000).map { "t\($0)" }.sorted())
    }

    // At 0 a page no longer says what it is; at 12 its cells lie nowhere.
    @Test(arguments: [0, 12]) func `a store with damaged pages is refused as corrupt`(offset: Int) throws {
        try fill()
        try damage(at: offset)
        let refusal = #expect(throws: StoreError.self) {
            let store = try SQLiteStore(path: path)
            defer { store.close() }
            _ = try store.load { _ in }
        }
        #expect(refusal?.code == .corrupt)
    }

    @Test func `a damaged index is found by the integrity check`() throws {
        let store = try SQLiteStore(path: path)
        store.submit([
            .remember(
                StoredAnswer(key: "k", fingerprint: 1, answer: KeptAnswer(status: 200, body: [1]), expires: 5),
                horizon: .min)
        ]) { _ in }
        store.close()
        // An index that has lost its entry reads well: nothing asks for it at start.
        let connection = try SQLiteConnection(path: path)
        let root = try connection.value("SELECT rootpage FROM sqlite_master WHERE name = 'answers_by_expiry'")
        connection.close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        let page = (try #require(Int(root)) - 1) * 4_096
        bytes.replaceSubrange(page + 12..<page + 20, with: Data(repeating: 0xFF, count: 8))
        bytes[page + 3] = 0xFF
        try bytes.write(to: URL(filePath: path))
        let again = try SQLiteStore(path: path)
        defer { again.close() }
        let refusal = #expect(throws: StoreError.self) { _ = try again.load { _ in } }
        #expect(refusal?.code == .corrupt)
    }
}
