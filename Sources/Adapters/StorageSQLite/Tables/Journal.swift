// The journal in front of the table of records. A commit writes what changed as one row, where the table's tree would take a
// search and most often a page for each record; and a record that changes often goes into the table once for many changes,
// beside its neighbours. What the journal holds supersedes what the table has.

import Storage

/// Records that are committed and not in their table yet. Owned by whoever has the transaction.
struct Journal {
    /// From so many records, or bytes in its rows, on all of them are moved into the table, a portion with each commit.
    /// Few, since all of it is read at a start.
    static let maximumRecords = 4_096
    static let maximumBytes = 2 * 1024 * 1024
    /// The most records of a portion, and bytes; twice what comes with a commit where that is more, so that the move ends.
    static let portionRecords = 256
    static let portionBytes = 64 * 1024

    struct Entry {
        /// Nil for a record that was deleted.
        var body: [UInt8]?
        /// The row that says so.
        var row: Int64
    }

    /// All records that there were being moved, in the order of the table.
    private struct Move {
        var names: ArraySlice<RecordName>
        /// The rows that are of no more use in the end, and their bytes.
        let lastRow: Int64
        let bytes: Int
    }

    /// What a transaction does to the journal.
    private struct Draft {
        var bytes = 0
        /// Records that go into the table.
        var moved = 0
        var begins: Move?
        /// Nothing is left in the journal.
        var empties = false
    }

    private let statements: Statements
    private var entries: [RecordName: Entry] = [:]
    private var lastRow: Int64 = 0
    /// In all rows.
    private var bytes = 0
    private var move: Move?
    /// Of the present transaction: what becomes of records, nil for those that are deleted.
    private var changes: [RecordName: [UInt8]?] = [:]
    private var draft = Draft()

    private struct Statements {
        let add: SQLiteStatement
        let drop: SQLiteStatement
        let put: SQLiteStatement
        let delete: SQLiteStatement

        init(_ connection: SQLiteConnection) throws(StoreError) {
            add = try connection.prepare("INSERT INTO journal (row, body) VALUES (?1, ?2)")
            drop = try connection.prepare("DELETE FROM journal WHERE row <= ?1")
            put = try connection.prepare("INSERT OR REPLACE INTO records (kind, id, body) VALUES (?1, ?2, ?3)")
            delete = try connection.prepare("DELETE FROM records WHERE kind = ?1 AND id = ?2")
        }
    }

    /// Takes in what the file holds.
    /// - Throws: `corrupt` where a row is none.
    init(_ connection: SQLiteConnection) throws(StoreError) {
        statements = try Statements(connection)
        try Self.read(connection) { name, body, row in
            entries[name] = Entry(body: body, row: row)
        } rowEnded: {
            (lastRow, bytes) = ($0, bytes + $1)
        }
    }

    /// What the journal of a file holds, in the order of the table.
    static func records(of connection: SQLiteConnection) throws(StoreError) -> [(name: RecordName, body: [UInt8]?)] {
        var bodies: [RecordName: [UInt8]?] = [:]
        try read(connection) { name, body, _ in
            bodies[name] = .some(body)
        } rowEnded: { _, _ in
        }
        return sorted(bodies.keys).map { ($0, bodies[$0] ?? nil) }
    }

    /// - Parameter rowEnded: Is given each row's number and its bytes, behind its records.
    private static func read(
        _ connection: SQLiteConnection, _ take: (RecordName, [UInt8]?, Int64) -> Void,
        rowEnded: (Int64, Int) -> Void
    ) throws(StoreError) {
        let rows = try connection.prepare("SELECT row, body FROM journal ORDER BY row")
        while try rows.step() {
            let written = rows.bytes(1)
            var row = JournalRow(written)
            while let (name, body) = try row.next() { take(name, body, rows.integer(0)) }
            rowEnded(rows.integer(0), written.count)
        }
    }

    /// Records that wait to be moved.
    var count: Int { entries.count }

    // MARK: - Reading

    /// Everything that it holds, in the order of the table.
    var records: [(name: RecordName, body: [UInt8]?)] {
        Self.sorted(entries.keys).map { ($0, entries[$0]?.body) }
    }

    /// What it has of a record; nil where the table knows better.
    func entry(of name: RecordName) -> Entry? { entries[name] }

    private static func sorted(_ names: some Sequence<RecordName>) -> [RecordName] {
        names.sorted { $0.precedes($1) }
    }

    // MARK: - A transaction

    /// Records whose deletion waits here: the table still has them.
    var deletions: Int { entries.values.count { $0.body == nil } }

    /// Has all that there is moved with the commits to come, few as it may be.
    mutating func beginMove() {
        guard move == nil, !entries.isEmpty else { return }
        move = Move(names: Self.sorted(entries.keys)[...], lastRow: lastRow, bytes: bytes)
    }

    /// Notes what becomes of a record.
    /// - Parameter body: Nil deletes it.
    mutating func set(_ name: RecordName, _ body: [UInt8]?) { changes[name] = .some(body) }

    /// Has the table hold what is known of a record, for somebody who looks there.
    mutating func settle(_ name: RecordName) throws(StoreError) {
        if let body = changes[name] ?? entries[name]?.body { try put(name, body) }
    }

    /// Writes what was noted, before the transaction ends.
    mutating func write() throws(StoreError) {
        guard changes.count < Self.maximumRecords else { return try writeThrough() }
        if move == nil, entries.count >= Self.maximumRecords || bytes >= Self.maximumBytes {
            draft.begins = Move(names: Self.sorted(entries.keys)[...], lastRow: lastRow, bytes: bytes)
        }
        if !changes.isEmpty {
            let row = JournalRow.bytes(of: changes)
            draft.bytes = row.count
            try statements.add.bind(1, lastRow + 1)
            try statements.add.bind(2, row)
            try statements.add.run()
        }
        guard let move = draft.begins ?? move else { return }
        draft.moved = try put(portionOf: move.names)
        if draft.moved == move.names.count { try drop(upTo: move.lastRow) }
    }

    /// - Returns: How many were put.
    private func put(portionOf names: ArraySlice<RecordName>) throws(StoreError) -> Int {
        var (count, size) = (0, 0)
        let (mostRecords, mostBytes) = (
            max(Self.portionRecords, 2 * changes.count), max(Self.portionBytes, 2 * draft.bytes)
        )
        for name in names {
            guard count < mostRecords, size < mostBytes else { break }
            let body = changes[name] ?? entries[name]?.body
            try put(name, body)
            (count, size) = (count + 1, size + (body?.count ?? 0))
        }
        return count
    }

    /// So much at once goes into the table at once, with all that waits.
    private mutating func writeThrough() throws(StoreError) {
        let names = Set(changes.keys).union(entries.keys)
        for name in Self.sorted(names) { try put(name, changes[name] ?? entries[name]?.body) }
        try drop(upTo: lastRow)
        draft.empties = true
    }

    private func put(_ name: RecordName, _ body: [UInt8]?) throws(StoreError) {
        let statement = body == nil ? statements.delete : statements.put
        try statement.bind(1, Int64(name.kind.rawValue))
        try statement.bind(2, name.id)
        if let body { try statement.bind(3, body) }
        try statement.run()
    }

    private func drop(upTo row: Int64) throws(StoreError) {
        try statements.drop.bind(1, row)
        try statements.drop.run()
    }

    /// The transaction is in the file.
    mutating func commit() {
        defer {
            changes.removeAll(keepingCapacity: true)
            draft = Draft()
        }
        guard !draft.empties else {
            entries.removeAll(keepingCapacity: true)
            (bytes, move) = (0, nil)
            return
        }
        if !changes.isEmpty { lastRow += 1 }
        for (name, body) in changes { entries[name] = Entry(body: body, row: lastRow) }
        bytes += draft.bytes
        move = draft.begins ?? move
        move?.names.removeFirst(draft.moved)
        guard let done = move, done.names.isEmpty else { return }
        // What has changed meanwhile waits for the next move.
        entries = entries.filter { $0.value.row > done.lastRow }
        bytes -= done.bytes
        move = nil
    }

    /// The transaction never was.
    mutating func rollBack() {
        changes.removeAll(keepingCapacity: true)
        draft = Draft()
    }
}

extension RecordName {
    /// The order of the table: by kind, then by the bytes of the id.
    func precedes(_ other: RecordName) -> Bool {
        kind == other.kind
            ? id.utf8.lexicographicallyPrecedes(other.id.utf8) : kind.rawValue < other.kind.rawValue
    }
}
