// Records that could not be read. They are out of the way of the next start and of new records with their names, and kept
// for inspection.

import Storage

/// The table of quarantined records.
struct Quarantine {
    /// The most records and bytes. A record that doesn't fit stays in its place: it is found unreadable at each start, and a
    /// new record with its name replaces it.
    static let maximumCount = 10_000
    static let maximumBytes = 64 * 1024 * 1024

    private let connection: SQLiteConnection
    /// Its totals; nil while unknown.
    private var totals: (count: Int, bytes: Int)?

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// The number of quarantined records.
    var count: Int { totals?.count ?? 0 }

    /// Computes the totals, unless they are known.
    mutating func measure() throws(StoreError) {
        guard totals == nil else { return }
        let sums = try connection.prepare(
            "SELECT COUNT(*) - COUNT(part), COALESCE(SUM(LENGTH(body)), 0) FROM quarantine")
        guard try sums.step() else { return }
        totals = (Int(sums.integer(0)), Int(sums.integer(1)))
    }

    /// Moves a record with its parts, within a transaction.
    /// - Parameters:
    ///   - kind: As in the file; this program may not know it.
    ///   - time: Unix nanoseconds.
    /// - Returns: false if there is no room, or no such record.
    mutating func add(kind: Int64, id: String, reason: String, time: Int64) throws(StoreError) -> Bool {
        try measure()
        let size = try size(ofRecord: kind, id)
        guard let known = totals, let size, known.count < Self.maximumCount,
            known.bytes.addingReportingOverflow(size).partialValue <= Self.maximumBytes
        else { return false }
        for (columns, table) in [("NULL, body", "records"), ("number, body", "parts")] {
            let move = try connection.prepare(
                """
                INSERT INTO quarantine (kind, id, part, body, reason, time)
                SELECT kind, id, \(columns), ?3, ?4 FROM \(table) WHERE kind = ?1 AND id = ?2
                """)
            try move.bind(1, kind)
            try move.bind(2, id)
            try move.bind(3, reason)
            try move.bind(4, time)
            try move.run()
            let delete = try connection.prepare("DELETE FROM \(table) WHERE kind = ?1 AND id = ?2")
            try delete.bind(1, kind)
            try delete.bind(2, id)
            try delete.run()
        }
        totals = (known.count + 1, known.bytes + size)
        return true
    }

    /// Discards totals after a rollback.
    mutating func rollBack() { totals = nil }

    /// Returns the bytes of a record with its parts; nil if there is none.
    private func size(ofRecord kind: Int64, _ id: String) throws(StoreError) -> Int? {
        let sizes = try connection.prepare(
            """
            SELECT LENGTH(body) + (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM parts WHERE kind = ?1 AND id = ?2)
            FROM records WHERE kind = ?1 AND id = ?2
            """)
        try sizes.bind(1, kind)
        try sizes.bind(2, id)
        return try sizes.step() ? Int(sizes.integer(0)) : nil
    }
}
