// Writes to the tables: one transaction for all changes of a commit.

import Base
import OperatingSystem
import Storage
import Synchronization

extension Schema {
    /// The statements for writing changes.
    struct Statements {
        let begin: SQLiteStatement
        let end: SQLiteStatement
        let putPart: SQLiteStatement
        let deletePart: SQLiteStatement
        let remember: SQLiteStatement
        let expire: SQLiteStatement
        let log: SQLiteStatement
        let forget: SQLiteStatement

        init(_ connection: SQLiteConnection) throws(StoreError) {
            begin = try connection.prepare("BEGIN IMMEDIATE")
            end = try connection.prepare("COMMIT")
            putPart = try connection.prepare(
                "INSERT OR REPLACE INTO parts (kind, id, number, body) VALUES (?1, ?2, ?3, ?4)")
            deletePart = try connection.prepare("DELETE FROM parts WHERE kind = ?1 AND id = ?2 AND number = ?3")
            remember = try connection.prepare(
                """
                INSERT OR REPLACE INTO answers (key, fingerprint, status, body, expires, head)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """)
            expire = try connection.prepare("DELETE FROM answers WHERE expires < ?1")
            log = try connection.prepare(
                "INSERT OR REPLACE INTO events (first, last, epoch, time, body) VALUES (?1, ?2, ?3, ?4, ?5)")
            // By the primary key: besides the rows to delete, it reads at most one, which extends beyond `expired`.
            forget = try connection.prepare("DELETE FROM events WHERE first <= ?1 AND last <= ?1")
        }
    }

    /// Writes changes in one transaction. Of several puts of one record, only the last is written.
    /// - Parameters:
    ///   - count: The number of changes, if the sequence can't tell.
    ///   - isOwn: Nobody submitted it, so nobody recovers from its failure: that isn't the store's then.
    /// - Throws: Also if the file has lost its name: the next start could not find the changes.
    func commit(_ changes: some Sequence<StoreChange>, count: Int? = nil, isOwn: Bool = false) throws(StoreError) {
        do throws(StoreError) {
            let (written, quarantined) = try write(Self.last(changes, count: count ?? changes.underestimatedCount))
            state.withLock {
                $0.failure = nil
                $0.commits += 1
                $0.changes += written
                $0.quarantined = quarantined
                $0.logPages = connection.logPages
            }
        } catch {
            try? connection.execute("ROLLBACK")
            writing.withLock {
                $0?.ledger.rollBack()
                $0?.journal.rollBack()
                $0?.quarantine.rollBack()
            }
            if !isOwn { state.withLock { $0.failure = error } }
            throw error
        }
    }

    /// Moves a portion of the journal if enough deleted records are still in the table.
    /// - Parameter few: Deletions that are too few for a move.
    /// - Returns: Whether it did.
    func settleDeletions(beyond few: Int) throws(StoreError) -> Bool {
        let waits = writing.withLock { writing in
            guard let count = writing?.journal.deletions, count > few else { return false }
            writing?.journal.beginMove()
            return true
        }
        // While the store is failing, this commit must not reset the failure.
        guard waits, state.withLock({ $0.failure == nil }) else { return false }
        try commit([], isOwn: true)
        return true
    }

    /// - Returns: The number of changes written, and of records in quarantine.
    private func write(_ changes: [StoreChange]) throws(StoreError) -> (count: UInt64, quarantined: Int) {
        var failure: StoreError?
        var quarantined = 0
        writing.withLock { writing in
            do throws(StoreError) {
                guard writing != nil else { throw StoreError(.closed, "the store is closed") }
                try writing?.statements.begin.run()
                try writing?.file.check()
                for change in changes { try writing?.write(change) }
                try writing?.journal.write()
                let begun = SystemClock.monotonic()
                try writing?.statements.end.run()
                syncs.observe(nanoseconds: SystemClock.monotonic() - begun)
                writing?.ledger.commit()
                writing?.journal.commit()
                // Again, since the file may have been removed in between.
                try writing?.file.check()
                quarantined = writing?.quarantine.count ?? 0
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return (UInt64(changes.count), quarantined)
    }

    /// Returns the changes without those superseded by a later one of the same record.
    private static func last(_ changes: some Sequence<StoreChange>, count: Int) -> [StoreChange] {
        var kept: [StoreChange] = []
        var places: [RecordName: Int] = [:]
        kept.reserveCapacity(count)
        places.reserveCapacity(count)
        for change in changes {
            guard let name = change.recordName else {
                kept.append(change)
                continue
            }
            // A single look-up, since most names are new.
            if let place = places.updateValue(kept.count, forKey: name) {
                kept[place] = change
                places[name] = place
            } else {
                kept.append(change)
            }
        }
        return kept
    }
}

extension Schema.Writing {
    fileprivate mutating func write(_ change: StoreChange) throws(StoreError) {
        switch change {
        case .put(let record): try put(record)
        case .putLater(_, _, let make): try put(make())
        case .delete(let kind, let id):
            try setParts([:], of: RecordName(kind, id))
            journal.set(RecordName(kind, id), nil)
        case .remember(let stored, let horizon):
            try statements.remember.bind(1, stored.key)
            try statements.remember.bind(2, Int64(bitPattern: stored.fingerprint))
            try statements.remember.bind(3, Int64(stored.answer.status))
            try statements.remember.bind(4, stored.answer.body)
            try statements.remember.bind(5, stored.expires)
            try statements.remember.bind(6, stored.answer.head)
            try statements.remember.run()
            try statements.expire.bind(1, horizon)
            try statements.expire.run()
        case .log(let events, let expired): try log(events, expired: expired)
        case .logLater(_, let expired, let make): try log(make(), expired: expired)
        case .setAside(let name, let reason, let time):
            try journal.settle(name)
            guard try quarantine.add(kind: Int64(name.kind.rawValue), id: name.id, reason: reason, time: time) else {
                return
            }
            journal.set(name, nil)
            // Deleting the record deleted its parts from the table.
            _ = ledger.set([:], of: name)
        }
    }

    private func log(_ events: StoredEvents, expired: Int64) throws(StoreError) {
        try statements.log.bind(1, events.first)
        try statements.log.bind(2, events.last)
        try statements.log.bind(3, events.epoch)
        try statements.log.bind(4, events.time)
        try statements.log.bind(5, events.bytes)
        try statements.log.run()
        try statements.forget.bind(1, expired)
        try statements.forget.run()
    }

    private mutating func put(_ record: StoredRecord) throws(StoreError) {
        let name = RecordName(record.kind, record.id)
        try setParts(record.parts, of: name)
        journal.set(name, record.body)
    }

    private mutating func setParts(_ parts: [UInt64: [UInt8]], of name: RecordName) throws(StoreError) {
        let difference = ledger.set(parts, of: name)
        for number in difference.written {
            guard let bytes = parts[number] else { continue }
            try statements.putPart.bind(1, Int64(name.kind.rawValue))
            try statements.putPart.bind(2, name.id)
            try statements.putPart.bind(3, Int64(bitPattern: number))
            try statements.putPart.bind(4, bytes)
            try statements.putPart.run()
        }
        for number in difference.gone {
            try statements.deletePart.bind(1, Int64(name.kind.rawValue))
            try statements.deletePart.bind(2, name.id)
            try statements.deletePart.bind(3, Int64(bitPattern: number))
            try statements.deletePart.run()
        }
    }
}
