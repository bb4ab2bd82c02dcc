// Records that nobody could read: out of the way of the next start and of a new record of their name, and still there for
// somebody to look at.

import Storage

/// The table of records that were set aside.
struct Quarantine {
    /// The most records and bytes of it. What finds no room stays where it was: it is not lost, but it is found unreadable
    /// at each start, and a new record of its name takes its place.
    static let maximumCount = 10_000
    static let maximumBytes = 64 * 1024 * 1024

    private let connection: SQLiteConnection
    /// What it holds; nil while that has to be counted.
    private var totals: (count: Int, bytes: Int)?

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Records that it holds.
    var count: Int { totals?.count ?? 0 }

    /// Counts what it holds, unless that is known.
    mutating func measure() throws(StoreError) {
        guard totals == nil else { return }
        let sums = try connection.prepare(
            "SELECT COUNT(*) - COUNT(part), COALESCE(SUM(LENGTH(body)), 0) FROM quarantine")
        guard try sums.step() else { return }
        totals = (Int(sums.integer(0)), Int(sums.integer(1)))
    }

    /// Moves a record with its parts; within a transaction.
    /// - Parameters:
    ///   - kind: As it is in the file, which may be none that this program knows.
    ///   - time: Unix nanoseconds.
    /// - Returns: false where it has no room, or there is no such record.
    mutating func take(kind: Int64, id: String, reason: String, time: Int64) throws(StoreError) -> Bool {
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

    /// The transaction never was.
    mutating func rollBack() { totals = nil }

    /// Bytes of a record with its parts; nil where there is none.
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
