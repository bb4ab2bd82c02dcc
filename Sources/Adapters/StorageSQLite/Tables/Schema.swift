// The tables, their version, and the state that the store's thread needs.

import Base
import Glibc
import Storage
import Synchronization

/// A database with its tables. Only the store's thread calls `commit`; `load` runs before the first commit.
final class Schema: Sendable {
    /// The version of the layout, as SQLite's `user_version`. Versions below 7 are from builds before 1.0.0.
    static let version = 7
    private static let firstRelease = 7

    // Parts and quarantine are not WITHOUT ROWID: such tables keep whole rows in their trees, and these rows are large.
    private static let tables = """
        CREATE TABLE records (kind INTEGER NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id))
            WITHOUT ROWID;
        CREATE TABLE parts (row INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL,
            body BLOB NOT NULL, UNIQUE (kind, id, number));
        CREATE TABLE journal (row INTEGER PRIMARY KEY, body BLOB NOT NULL);
        CREATE TABLE quarantine (row INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id TEXT NOT NULL, part INTEGER,
            body BLOB NOT NULL, reason TEXT NOT NULL, time INTEGER NOT NULL);
        CREATE TABLE answers (key TEXT PRIMARY KEY, fingerprint INTEGER NOT NULL, status INTEGER NOT NULL,
            head TEXT NOT NULL, body BLOB NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX answers_by_expiry ON answers (expires);
        CREATE TABLE events (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, epoch TEXT NOT NULL,
            time INTEGER NOT NULL, body BLOB NOT NULL);
        """

    /// The state for writing.
    struct Writing {
        let statements: Statements
        var ledger = StoredPartsIndex()
        var journal: Journal
        var quarantine: Quarantine
        var file: StoreFile
    }

    /// Whether it was just created, so that it needs no check for damage.
    let isNew: Bool
    let connection: SQLiteConnection
    /// Nil after closing.
    let writing: Mutex<Writing?>
    let state = Mutex(StoreHealth())
    /// Durations of the statements that end transactions, which sync the write-ahead log.
    let syncs = Histogram()

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        // Before anything else, so that the database of another program is not changed.
        isNew = try Self.isEmpty(connection)
        if !isNew { try Self.checkIsStore(connection) }
        // For `Reclaimer`. It can only be set while the file is empty; copies keep it.
        if isNew { try connection.execute("PRAGMA auto_vacuum=INCREMENTAL") }
        // WAL makes a commit one sequential write; FULL makes it survive a loss of power.
        try connection.execute("PRAGMA journal_mode=WAL")
        try connection.execute("PRAGMA synchronous=FULL")
        // Debian's SQLite overwrites each freed page with zeros, which doubles the pages that the journal writes.
        try connection.execute("PRAGMA secure_delete=FAST")
        connection.countLogPages()
        try connection.execute("BEGIN IMMEDIATE; COMMIT")
        if isNew { try Self.makeTables(connection) }
        writing = Mutex(
            Writing(
                statements: try Statements(connection), journal: try Journal(connection),
                quarantine: Quarantine(connection),
                file: StoreFile(path: connection.path)))
    }

    /// Checks that a database is a store that this program can read.
    /// - Throws: `corrupt` for an empty file or the database of another program, `otherLayout` for a store of another
    ///   version.
    static func checkIsStore(_ connection: SQLiteConnection) throws(StoreError) {
        let version = Int(try connection.value("PRAGMA user_version")) ?? 0
        let records = try connection.value("SELECT type FROM sqlite_master WHERE name = 'records'")
        guard version != 0, records == "table" else {
            throw StoreError(.corrupt, "\(connection.path) is no store: it has no layout, or no table of records")
        }
        guard version != Self.version else { return }
        let (writer, cure) =
            version < firstRelease
            ? ("a build before 1.0.0", "run the build that wrote it, or move it away and begin with an empty board")
            : ("a newer version", "run that version, or restore a copy from before the upgrade")
        throw StoreError(
            .otherLayout,
            "\(connection.path) has layout \(version), which \(writer) wrote, and this program reads layout "
                + "\(Self.version) alone; \(cure)")
    }

    /// Returns whether a database is still empty.
    static func isEmpty(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
        let version = try connection.value("PRAGMA user_version")
        let objects = try connection.value("SELECT count(*) FROM sqlite_master")
        return version == "0" && objects == "0"
    }

    private static func makeTables(_ connection: SQLiteConnection) throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE; \(tables) PRAGMA user_version=\(version); COMMIT")
    }

    var health: StoreHealth {
        var health = state.withLock { $0 }
        health.syncs = syncs.snapshot
        return health
    }

    /// Finalizes the statements and closes the file.
    func close() {
        writing.withLock { $0 = nil }
        connection.close()
    }

    func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        let newer = writing.withLock { $0?.journal.records } ?? []
        let reader = try StoreReader(connection, newer: newer)
        writing.withLock { $0?.ledger = reader.ledger }
        var (contents, unknown) = try reader.load(take)
        contents.unknown = setAside(unknown)
        return contents
    }

    /// Quarantines records of unknown kinds. If that fails they stay, and are found again at the next start.
    /// - Returns: Descriptions of them.
    private func setAside(_ records: [UnknownRecord]) -> [String] {
        let failure = writing.withLock { writing -> StoreError? in
            do throws(StoreError) {
                try writing?.quarantine.measure()
                if !records.isEmpty {
                    try connection.execute("BEGIN IMMEDIATE")
                    let now = Int64(time(nil)).multipliedSaturated(by: 1_000_000_000)
                    for record in records {
                        _ = try writing?.quarantine.add(
                            kind: record.kind, id: record.id, reason: "unknown kind", time: now)
                    }
                    try connection.execute("COMMIT")
                }
                return nil
            } catch {
                writing?.quarantine.rollBack()
                return error
            }
        }
        if failure != nil { try? connection.execute("ROLLBACK") }
        let count = writing.withLock { $0?.quarantine.count } ?? 0
        state.withLock { $0.quarantined = count }
        return records.map(\.description)
    }

    /// Returns a record as last committed; nil if there is none.
    func record(_ name: RecordName) throws(StoreError) -> StoredRecord? {
        let (parts, newer) = writing.withLock { ($0?.ledger.parts(of: name) ?? [:], $0?.journal.entry(of: name)) }
        let known = if let newer { newer.body } else { try storedBody(of: name) }
        guard let body = known else { return nil }
        return StoredRecord(kind: name.kind, id: name.id, body: body, parts: parts)
    }

    /// Returns a record's body in the table.
    private func storedBody(of name: RecordName) throws(StoreError) -> [UInt8]? {
        let statement = try connection.prepare("SELECT body FROM records WHERE kind = ?1 AND id = ?2")
        try statement.bind(1, Int64(name.kind.rawValue))
        try statement.bind(2, name.id)
        return try statement.step() ? statement.bytes(0) : nil
    }
}
