// A file that goes away under the open store: nothing is acknowledged that the next start won't find.

import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import StorageSQLite

@Suite struct StoreFileTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/store.sqlite" }
    private let files = FileManager.default

    private func commit(_ id: String, to store: SQLiteStore) async -> Result<Void, StoreError> {
        let record = StoredRecord(kind: .ticker, id: id, body: [1])
        return await withCheckedContinuation { done in
            store.submit([.put(record)]) { done.resume(returning: $0) }
        }
    }

    private func recover(_ store: SQLiteStore) async throws -> StoreRecovery {
        try await withCheckedContinuation { done in store.recover { done.resume(returning: $0) } }.get()
    }

    @Test(arguments: ["", "-wal"])
    func `commits fail while the store's file is renamed and succeed once it is back`(suffix: String)
        async throws
    {
        let store = try SQLiteStore(path: path)
        _ = try store.load { _ in }
        try await commit("a", to: store).get()
        try files.moveItem(atPath: path + suffix, toPath: path + ".away")
        for id in ["b", "c"] {
            let result = await commit(id, to: store)
            #expect(throws: StoreError.self) { try result.get() }
            #expect(store.health.failure != nil)
            // Its owner goes back to what is kept, and finds out anew.
            #expect(try await recover(store).records == [RecordName(.ticker, id): nil])
        }
        // Another file of that name is not it.
        try Data([1]).write(to: URL(filePath: path + suffix))
        let other = await commit("d", to: store)
        #expect(throws: StoreError.self) { try other.get() }
        _ = try await recover(store)
        try files.removeItem(atPath: path + suffix)
        try files.moveItem(atPath: path + ".away", toPath: path + suffix)
        try await commit("e", to: store).get()
        #expect(store.health.failure == nil)
        store.close()
        let again = try SQLiteStore(path: path)
        var ids: [String] = []
        _ = try again.load { ids += $0.map(\.id) }
        again.close()
        #expect(ids == ["a", "e"])
    }

    @Test func `commits fail once the data folder is deleted`() async throws {
        let inner = folder.path + "/data"
        try files.createDirectory(atPath: inner, withIntermediateDirectories: true)
        let store = try SQLiteStore(path: inner + "/store.sqlite")
        try files.removeItem(atPath: inner)
        let result = await commit("a", to: store)
        #expect(throws: StoreError.self) { try result.get() }
        store.close()
    }

    @Test func `waiting bytes are limited and counted, and a submission beyond them is refused as busy`() async throws {
        let store = try SQLiteStore(path: path, maximumWaitingBytes: 10_000)
        let isHeld = Mutex(true)
        let held = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        let codes = Mutex<[StoreError.Code?]>([])
        func put(_ id: String, _ count: Int) {
            let record = StoredRecord(kind: .ticker, id: id, body: [UInt8](repeating: 1, count: count))
            store.submit([.put(record)]) { result in
                codes.withLock { codes in
                    if case .failure(let error) = result { codes.append(error.code) } else { codes.append(nil) }
                }
                // The store's thread waits in the first.
                guard
                    isHeld.withLock({ isHeld in
                        defer { isHeld = false }; return isHeld
                    })
                else { return }
                began.signal()
                held.wait()
            }
        }
        put("first", 50_000)
        while began.wait(timeout: .now()) == .timedOut { await Task.yield() }
        #expect(store.health.waitingBytes >= 50_000)
        // It still counts: what is being committed is held as well.
        put("second", 1)
        held.signal()
        while store.health.waitingBytes > 0 { await Task.yield() }
        put("third", 6_000)
        store.close()
        #expect(codes.withLock { $0 } == [nil, .busy, nil])
        #expect(store.health.waitingBytes == 0)
    }
}
