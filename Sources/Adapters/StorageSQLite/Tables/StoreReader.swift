// Reads everything in a store's file and changes nothing, at a start or for an inspection.

import Base
import Storage

/// A record whose kind this program doesn't know.
struct UnknownRecord: CustomStringConvertible {
    var kind: Int64
    var id: String

    var description: String { "\(id) of kind \(kind)" }
}

/// Reads the tables of one database.
struct StoreReader {
    /// The parts of all records.
    let ledger: StoredPartsIndex
    private let connection: SQLiteConnection
    /// The journal's records, which supersede the table's.
    private let newer: [(name: RecordName, body: [UInt8]?)]

    /// - Parameter newer: The journal's records, in the table's order.
    init(_ connection: SQLiteConnection, newer: [(name: RecordName, body: [UInt8]?)]) throws(StoreError) {
        self.connection = connection
        self.newer = newer
        ledger = try Self.parts(of: connection)
    }

    /// Reads everything. Records of unknown kinds are returned separately.
    func load(
        _ take: ([StoredRecord]) -> Void
    ) throws(StoreError) -> (contents: StoreContents, unknown: [UnknownRecord]) {
        var contents = StoreContents()
        let unknown = try loadRecords(take)
        let answers = try connection.prepare("SELECT key, fingerprint, status, head, body, expires FROM answers")
        while try answers.step() {
            contents.answers.append(
                StoredAnswer(
                    key: answers.text(0), fingerprint: UInt64(bitPattern: answers.integer(1)),
                    answer: KeptAnswer(
                        status: Int(answers.integer(2)), head: answers.text(3), body: answers.bytes(4)),
                    expires: answers.integer(5)))
        }
        let events = try connection.prepare("SELECT epoch, first, last, time, body FROM events ORDER BY first")
        while try events.step() {
            contents.events.append(
                StoredEvents(
                    epoch: events.text(0), first: events.integer(1), last: events.integer(2), time: events.integer(3),
                    bytes: events.bytes(4)))
        }
        return (contents, unknown)
    }

    private static func parts(of connection: SQLiteConnection) throws(StoreError) -> StoredPartsIndex {
        var ledger = StoredPartsIndex()
        let parts = try connection.prepare("SELECT kind, id, number, body FROM parts")
        while try parts.step() {
            guard let kind = UInt8(exactly: parts.integer(0)).flatMap(RecordKind.init) else { continue }
            ledger.load(
                RecordName(kind, parts.text(1)), number: UInt64(bitPattern: parts.integer(2)), bytes: parts.bytes(3))
        }
        return ledger
    }

    /// Reads the table, superseded by the journal.
    private func loadRecords(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> [UnknownRecord] {
        let statement = try connection.prepare("SELECT kind, id, body FROM records ORDER BY kind, id")
        var unknown: [UnknownRecord] = []
        var newer = newer[...]
        var portion = LoadChunk()
        func add(_ name: RecordName, _ body: [UInt8]) {
            portion.add(StoredRecord(kind: name.kind, id: name.id, body: body, parts: ledger.parts(of: name)))
            if portion.isFull { take(portion.drain()) }
        }
        while try statement.step() {
            let id = statement.text(1)
            guard let kind = UInt8(exactly: statement.integer(0)).flatMap(RecordKind.init) else {
                unknown.append(UnknownRecord(kind: statement.integer(0), id: id))
                continue
            }
            let name = RecordName(kind, id)
            while let next = newer.first, next.name.precedes(name) {
                if let body = next.body { add(next.name, body) }
                newer.removeFirst()
            }
            if let next = newer.first, next.name == name {
                if let body = next.body { add(name, body) }
                newer.removeFirst()
            } else {
                add(name, statement.bytes(2))
            }
        }
        for case (let name, let body?) in newer { add(name, body) }
        if !portion.isEmpty { take(portion.drain()) }
        return unknown
    }
}

/// Records read from a file, passed on in batches.
private struct LoadChunk {
    /// The most records of a batch, and the bytes at which it ends earlier.
    private static let count = 500
    private static let bytes = 4 * 1024 * 1024

    private var records: [StoredRecord] = []
    private var bytes = 0

    var isEmpty: Bool { records.isEmpty }
    var isFull: Bool { records.count == Self.count || bytes >= Self.bytes }

    mutating func add(_ record: StoredRecord) {
        if records.isEmpty { records.reserveCapacity(Self.count) }
        bytes += StoreChange.put(record).size
        records.append(record)
    }

    mutating func drain() -> [StoredRecord] {
        defer { (records, bytes) = ([], 0) }
        return records
    }
}
