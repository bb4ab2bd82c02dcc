// A store's file that is looked through and not served.

package import Storage

/// Reads the records of a file, whether a server uses it or not: what was committed when reading began.
package final class SQLiteSource: RecordSource {
    private let connection: SQLiteConnection
    /// Nobody serves it meanwhile.
    private let lock: FileLock?

    /// - Parameter isExclusive: No server uses the file from now on.
    /// - Throws: `corrupt` for what is no store, `otherLayout` for what another version wrote, `locked` where it was to be
    ///   exclusive and a server has it.
    package init(path: String, isExclusive: Bool = false) throws(StoreError) {
        lock = isExclusive ? try FileLock(path: path + ".lock", of: path) : nil
        connection = try SQLiteStore.opened(path)
    }

    package func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        // One transaction: a record may have gone from the journal into the table by the next statement.
        try connection.execute("BEGIN")
        defer { try? connection.execute("COMMIT") }
        let reader = try StoreReader(connection, newer: try Journal.records(of: connection))
        var (contents, unknown) = try reader.load(take)
        contents.unknown = unknown.map(\.description)
        return contents
    }
}
