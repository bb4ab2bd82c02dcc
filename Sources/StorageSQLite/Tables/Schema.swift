// The tables, their version, and what is read of them.

import Conversions
import Glibc
import Metrics
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
        var ledger = PartLedger()
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
        var contents = StoreContents()
        let ledger = try loadParts()
        contents.unknown = setAside(try loadRecords(with: ledger, take))
        let answers = try connection.prepare("SELECT key, fingerprint, status, head, body, expires FROM answers")
        while try answers.step() {
            contents.answers.append(
                StoredAnswer(
                    key: answers.text(0), fingerprint: UInt64(bitPattern: answers.integer(1)),
                    status: Int(answers.integer(2)), head: answers.text(3), body: answers.bytes(4),
                    expires: answers.integer(5)))
        }
        let events = try connection.prepare("SELECT epoch, first, last, time, body FROM events ORDER BY first")
        while try events.step() {
            contents.events.append(
                StoredEvents(
                    epoch: events.text(0), first: events.integer(1), last: events.integer(2), time: events.integer(3),
                    bytes: events.bytes(4)))
        }
        return contents
    }

    private func loadParts() throws(StoreError) -> PartLedger {
        var ledger = PartLedger()
        let parts = try connection.prepare("SELECT kind, id, number, body FROM parts")
        while try parts.step() {
            guard let kind = UInt8(exactly: parts.integer(0)).flatMap(RecordKind.init) else { continue }
            ledger.load(
                RecordName(kind, parts.text(1)), number: UInt64(bitPattern: parts.integer(2)), bytes: parts.bytes(3))
        }
        let loaded = ledger
        writing.withLock { $0?.ledger = loaded }
        return loaded
    }

    /// Reads the table, with what the journal holds in its place.
    /// - Returns: The records of kinds that are not known here.
    private func loadRecords(
        with ledger: PartLedger, _ take: ([StoredRecord]) -> Void
    ) throws(StoreError) -> [(kind: Int64, id: String)] {
        let statement = try connection.prepare("SELECT kind, id, body FROM records ORDER BY kind, id")
        var unknown: [(kind: Int64, id: String)] = []
        var newer = (writing.withLock { $0?.journal.records } ?? [])[...]
        var portion = LoadPortion()
        func add(_ name: RecordName, _ body: [UInt8]) {
            portion.add(StoredRecord(kind: name.kind, id: name.id, body: body, parts: ledger.parts(of: name)))
            if portion.isFull { take(portion.takeAll()) }
        }
        while try statement.step() {
            let id = statement.text(1)
            guard let kind = UInt8(exactly: statement.integer(0)).flatMap(RecordKind.init) else {
                unknown.append((statement.integer(0), id))
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
        if !portion.isEmpty { take(portion.takeAll()) }
        return unknown
    }

    /// Sets records of unknown kinds aside; where that fails they stay, and are found again at the next start.
    /// - Returns: What they are, in words.
    private func setAside(_ records: [(kind: Int64, id: String)]) -> [String] {
        let failure = writing.withLock { writing -> StoreError? in
            do throws(StoreError) {
                try writing?.quarantine.measure()
                if !records.isEmpty {
                    try connection.execute("BEGIN IMMEDIATE")
                    let now = Int64(time(nil)).multipliedSaturated(by: 1_000_000_000)
                    for (kind, id) in records {
                        _ = try writing?.quarantine.take(kind: kind, id: id, reason: "unknown kind", time: now)
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
        return records.map { "\($0.id) of kind \($0.kind)" }
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

/// Records on their way from a file, handed over by the hundred.
private struct LoadPortion {
    /// Records that are handed over at a time, and the bytes from which on they are fewer.
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

    mutating func takeAll() -> [StoredRecord] {
        defer { (records, bytes) = ([], 0) }
        return records
    }
}
