// The journal in front of the table of records. A commit writes its changes as one row; in the table, each record would need
// a search and usually a page of its own. And a record that changes often is written to the table once for many changes,
// together with its neighbours. The journal supersedes the table.

import Storage

/// Records that are committed but not in the table yet. Owned by the code that runs the transaction.
struct Journal {
    /// At this many records, or bytes in its rows, all of them are moved into the table, a portion with each commit. Small,
    /// because a start reads the whole journal.
    static let maximumRecords = 4_096
    static let maximumBytes = 2 * 1024 * 1024
    /// The most records and bytes of a portion, or twice those of the commit if that is more, so that the move ends.
    static let portionRecords = 256
    static let portionBytes = 64 * 1024

    struct Entry {
        /// Nil for a deleted record.
        var body: [UInt8]?
        /// The row that contains it.
        var row: Int64
    }

    /// A move of all records present at its start, in the table's order.
    private struct Move {
        var names: ArraySlice<RecordName>
        /// The last row to drop at its end, and the bytes of all those rows.
        let lastRow: Int64
        let bytes: Int
    }

    /// The changes of one transaction to the journal.
    private struct Draft {
        var bytes = 0
        /// Records written to the table.
        var moved = 0
        var begins: Move?
        /// The journal becomes empty.
        var empties = false
    }

    private let statements: Statements
    private var entries: [RecordName: Entry] = [:]
    private var lastRow: Int64 = 0
    /// Bytes of all rows.
    private var bytes = 0
    private var move: Move?
    /// The current transaction's changes; nil for deleted records.
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

    /// Reads the journal of a file.
    /// - Throws: `corrupt` if a row can't be read.
    init(_ connection: SQLiteConnection) throws(StoreError) {
        statements = try Statements(connection)
        try Self.read(connection) { name, body, row in
            entries[name] = Entry(body: body, row: row)
        } rowEnded: {
            (lastRow, bytes) = ($0, bytes + $1)
        }
    }

    /// Returns the contents of a file's journal, in the table's order.
    static func records(of connection: SQLiteConnection) throws(StoreError) -> [(name: RecordName, body: [UInt8]?)] {
        var bodies: [RecordName: [UInt8]?] = [:]
        try read(connection) { name, body, _ in
            bodies[name] = .some(body)
        } rowEnded: { _, _ in
        }
        return sorted(bodies.keys).map { ($0, bodies[$0] ?? nil) }
    }

    /// - Parameter rowEnded: Called after a row's records with its number and bytes.
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

    /// Records waiting to be moved.
    var count: Int { entries.count }

    // MARK: - Reading

    /// All contents, in the table's order.
    var records: [(name: RecordName, body: [UInt8]?)] {
        Self.sorted(entries.keys).map { ($0, entries[$0]?.body) }
    }

    /// Returns the journal's version of a record; nil if the table is current.
    func entry(of name: RecordName) -> Entry? { entries[name] }

    private static func sorted(_ names: some Sequence<RecordName>) -> [RecordName] {
        names.sorted { $0.precedes($1) }
    }

    // MARK: - A transaction

    /// Deletions waiting in the journal: the table still has those records.
    var deletions: Int { entries.values.count { $0.body == nil } }

    /// Moves all contents with the next commits, however few.
    mutating func beginMove() {
        guard move == nil, !entries.isEmpty else { return }
        move = Move(names: Self.sorted(entries.keys)[...], lastRow: lastRow, bytes: bytes)
    }

    /// Notes a record's change.
    /// - Parameter body: Nil deletes it.
    mutating func set(_ name: RecordName, _ body: [UInt8]?) { changes[name] = .some(body) }

    /// Writes the current version of a record to the table, for a reader of the table.
    mutating func settle(_ name: RecordName) throws(StoreError) {
        if let body = changes[name] ?? entries[name]?.body { try put(name, body) }
    }

    /// Writes the noted changes before the transaction ends.
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

    /// - Returns: The number of records written.
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

    /// Writes a very large commit directly to the table, together with all waiting records.
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

    /// Applies a transaction that was committed.
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
        // Records that changed meanwhile wait for the next move.
        entries = entries.filter { $0.value.row > done.lastRow }
        bytes -= done.bytes
        move = nil
    }

    /// Discards a transaction that was rolled back.
    mutating func rollBack() {
        changes.removeAll(keepingCapacity: true)
        draft = Draft()
    }
}

extension RecordName {
    /// Returns whether a name sorts before another in the table: by kind, then by the bytes of the ID.
    func precedes(_ other: RecordName) -> Bool {
        kind == other.kind
            ? id.utf8.lexicographicallyPrecedes(other.id.utf8) : kind.rawValue < other.kind.rawValue
    }
}
