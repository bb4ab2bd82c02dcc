// The tables, their versions, and the statements over them.

import Storage
import Synchronization

/// A database brought up to date. `commit` belongs to the store's thread; `load` runs before there are commits.
final class Schema: Sendable {
    /// Each takes the schema one version further; a released one never changes.
    private static let migrations = [
        """
        CREATE TABLE records (kind INTEGER NOT NULL, id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, id))
            WITHOUT ROWID;
        CREATE TABLE answers (key TEXT PRIMARY KEY, fingerprint INTEGER NOT NULL, status INTEGER NOT NULL,
            body BLOB NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX answers_by_expiry ON answers (expires);
        """,
        """
        CREATE TABLE events (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, epoch TEXT NOT NULL,
            time INTEGER NOT NULL, body BLOB NOT NULL);
        """,
        // Records of webhooks: the tables are as they were, but older programs would not know what to do with them.
        "",
        "ALTER TABLE answers ADD COLUMN head TEXT NOT NULL DEFAULT '';",
    ]

    private struct Statements {
        var put: SQLiteStatement
        var delete: SQLiteStatement
        var remember: SQLiteStatement
        var expire: SQLiteStatement
        var log: SQLiteStatement
        var forget: SQLiteStatement
    }

    /// Records that `load` hands over at a time.
    private static let portion = 500

    /// The whole file has been looked at for damage: it was new, or had to be changed.
    let isChecked: Bool
    private let connection: SQLiteConnection
    /// Nil once closed.
    private let statements: Mutex<Statements?>
    private let state = Mutex(StoreHealth())

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        // WAL lets a commit be one sequential write; FULL makes it last through a loss of power.
        try connection.execute("PRAGMA journal_mode=WAL")
        try connection.execute("PRAGMA synchronous=FULL")
        try connection.execute("BEGIN IMMEDIATE; COMMIT")
        isChecked = try Self.migrate(connection)
        statements = Mutex(
            Statements(
                put: try connection.prepare("INSERT OR REPLACE INTO records (kind, id, body) VALUES (?1, ?2, ?3)"),
                delete: try connection.prepare("DELETE FROM records WHERE kind = ?1 AND id = ?2"),
                remember: try connection.prepare(
                    """
                    INSERT OR REPLACE INTO answers (key, fingerprint, status, body, expires, head)
                        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                    """),
                expire: try connection.prepare("DELETE FROM answers WHERE expires < ?1"),
                log: try connection.prepare(
                    "INSERT OR REPLACE INTO events (first, last, epoch, time, body) VALUES (?1, ?2, ?3, ?4, ?5)"),
                forget: try connection.prepare("DELETE FROM events WHERE first <= ?1 AND last <= ?1")))
    }

    /// - Returns: Whether there was something to do, with a file that was checked before.
    private static func migrate(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
        let version = Int(try connection.value("PRAGMA user_version")) ?? 0
        guard version <= migrations.count else {
            throw StoreError(.newer, "schema \(version), this program knows \(migrations.count)")
        }
        guard version < migrations.count else { return false }
        try connection.check()
        for next in version..<migrations.count {
            try connection.execute("BEGIN IMMEDIATE; \(migrations[next]) PRAGMA user_version=\(next + 1); COMMIT")
        }
        return true
    }

    var health: StoreHealth { state.withLock { $0 } }

    /// Finalizes the statements and lets go of the file.
    func close() {
        statements.withLock { $0 = nil }
        connection.close()
    }

    func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        try loadRecords(take)
        var contents = StoreContents()
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

    private func loadRecords(_ take: ([StoredRecord]) -> Void) throws(StoreError) {
        let statement = try connection.prepare("SELECT kind, id, body FROM records ORDER BY kind, id")
        var records: [StoredRecord] = []
        while try statement.step() {
            guard let kind = RecordKind(rawValue: UInt8(clamping: statement.integer(0))) else {
                throw StoreError(.corrupt, "a record of an unknown kind")
            }
            if records.isEmpty { records.reserveCapacity(Self.portion) }
            records.append(StoredRecord(kind: kind, id: statement.text(1), body: statement.bytes(2)))
            guard records.count == Self.portion else { continue }
            take(records)
            records = []
        }
        if !records.isEmpty { take(records) }
    }

    /// A record as it was last committed; nil where there is none.
    func record(_ name: RecordName) throws(StoreError) -> StoredRecord? {
        let statement = try connection.prepare("SELECT body FROM records WHERE kind = ?1 AND id = ?2")
        try statement.bind(1, Int64(name.kind.rawValue))
        try statement.bind(2, name.id)
        return try statement.step() ? StoredRecord(kind: name.kind, id: name.id, body: statement.bytes(0)) : nil
    }

    /// Writes changes in one transaction. Of several puts of one record the last is written.
    func commit(_ changes: some Sequence<StoreChange>) throws(StoreError) {
        var count: UInt64 = 0
        do throws(StoreError) {
            count = try write(Self.last(changes))
            state.withLock {
                $0.failure = nil
                $0.commits += 1
                $0.changes += count
            }
        } catch {
            try? connection.execute("ROLLBACK")
            state.withLock { $0.failure = error }
            throw error
        }
    }

    private func write(_ changes: [StoreChange]) throws(StoreError) -> UInt64 {
        try connection.execute("BEGIN IMMEDIATE")
        var failure: StoreError?
        statements.withLock { statements in
            do throws(StoreError) {
                guard let statements else { throw StoreError(.closed, "the store is closed") }
                for change in changes { try Self.write(change, statements) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try connection.execute("COMMIT")
        return UInt64(changes.count)
    }

    private static func write(_ change: StoreChange, _ statements: Statements) throws(StoreError) {
        switch change {
        case .put(let record):
            try statements.put.bind(1, Int64(record.kind.rawValue))
            try statements.put.bind(2, record.id)
            try statements.put.bind(3, record.body)
            try statements.put.run()
        case .delete(let kind, let id):
            try statements.delete.bind(1, Int64(kind.rawValue))
            try statements.delete.bind(2, id)
            try statements.delete.run()
        case .remember(let answer, let horizon):
            try statements.remember.bind(1, answer.key)
            try statements.remember.bind(2, Int64(bitPattern: answer.fingerprint))
            try statements.remember.bind(3, Int64(answer.status))
            try statements.remember.bind(4, answer.body)
            try statements.remember.bind(5, answer.expires)
            try statements.remember.bind(6, answer.head)
            try statements.remember.run()
            try statements.expire.bind(1, horizon)
            try statements.expire.run()
        case .log(let events, let expired):
            try statements.log.bind(1, events.first)
            try statements.log.bind(2, events.last)
            try statements.log.bind(3, events.epoch)
            try statements.log.bind(4, events.time)
            try statements.log.bind(5, events.bytes)
            try statements.log.run()
            try statements.forget.bind(1, expired)
            try statements.forget.run()
        }
    }

    /// The changes without those that a later one of the same record undoes.
    private static func last(_ changes: some Sequence<StoreChange>) -> [StoreChange] {
        var kept: [StoreChange] = []
        var places: [RecordName: Int] = [:]
        for change in changes {
            let name: RecordName
            switch change {
            case .put(let record): name = RecordName(record.kind, record.id)
            case .delete(let kind, let id): name = RecordName(kind, id)
            case .remember, .log:
                kept.append(change)
                continue
            }
            if let place = places[name] {
                kept[place] = change
            } else {
                places[name] = kept.count
                kept.append(change)
            }
        }
        return kept
    }
}
