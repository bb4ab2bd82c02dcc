// The tables, their version, and what a store's thread needs of them.

import Base
import Glibc
import Storage
import Synchronization

/// A database with its tables. `commit` belongs to the store's thread; `load` runs before there are commits.
final class Schema: Sendable {
    /// The version of the layout, as SQLite's `user_version`. Those below 7 are of builds before 1.0.0.
    static let version = 7
    private static let firstRelease = 7

    // Parts and quarantine are not WITHOUT ROWID: such tables keep whole rows in their trees, and these are large.
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

    /// What the store's thread writes with.
    struct Writing {
        let statements: Statements
        var ledger = StoredPartsIndex()
        var journal: Journal
        var quarantine: Quarantine
        var file: StoreFile
    }

    /// It was made just now: there is no damage to be looked for.
    let isNew: Bool
    let connection: SQLiteConnection
    /// Nil once closed.
    let writing: Mutex<Writing?>
    let state = Mutex(StoreHealth())
    /// How long the statements took that end transactions: with them the write-ahead log goes to the disk.
    let syncs = Histogram()

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        // First of all: nothing is changed of what is not this program's.
        isNew = try Self.isEmpty(connection)
        if !isNew { try Self.checkIsStore(connection) }
        // For `Reclaimer`; it can be chosen before there is anything in the file, and is kept by copies.
        if isNew { try connection.execute("PRAGMA auto_vacuum=INCREMENTAL") }
        // WAL lets a commit be one sequential write; FULL makes it last through a loss of power.
        try connection.execute("PRAGMA journal_mode=WAL")
        try connection.execute("PRAGMA synchronous=FULL")
        // Debian's SQLite writes zeros over each page that is freed, as many pages again as the journal has.
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

    /// Looks whether a database is a store that this program reads.
    /// - Throws: `corrupt` for an empty file, and for the databases of other programs, `otherLayout` for the stores of
    ///   other versions.
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

    /// Whether there is nothing in a database yet.
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

    /// Finalizes the statements and lets go of the file.
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

    /// Sets records of unknown kinds aside; where that fails they stay, and are found again at the next start.
    /// - Returns: What they are, in words.
    private func setAside(_ records: [UnknownRecord]) -> [String] {
        let failure = writing.withLock { writing -> StoreError? in
            do throws(StoreError) {
                try writing?.quarantine.measure()
                if !records.isEmpty {
                    try connection.execute("BEGIN IMMEDIATE")
                    let now = Int64(time(nil)).multipliedSaturated(by: 1_000_000_000)
                    for record in records {
                        _ = try writing?.quarantine.take(
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

    /// A record as it was last committed; nil where there is none.
    func record(_ name: RecordName) throws(StoreError) -> StoredRecord? {
        let (parts, newer) = writing.withLock { ($0?.ledger.parts(of: name) ?? [:], $0?.journal.entry(of: name)) }
        let known = if let newer { newer.body } else { try storedBody(of: name) }
        guard let body = known else { return nil }
        return StoredRecord(kind: name.kind, id: name.id, body: body, parts: parts)
    }

    /// What the table has of a record.
    private func storedBody(of name: RecordName) throws(StoreError) -> [UInt8]? {
        let statement = try connection.prepare("SELECT body FROM records WHERE kind = ?1 AND id = ?2")
        try statement.bind(1, Int64(name.kind.rawValue))
        try statement.bind(2, name.id)
        return try statement.step() ? statement.bytes(0) : nil
    }
}
