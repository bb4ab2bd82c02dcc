// A store's file that is read but not served.

package import Storage

/// Reads the records of a file, whether or not a server uses it: the state committed when reading began.
package final class SQLiteSource: RecordSource {
    private let connection: SQLiteConnection
    /// Prevents a server from using the file.
    private let lock: FileLock?

    /// - Parameter isExclusive: No server may use the file from now on.
    /// - Throws: `corrupt` if it is no store, `otherLayout` if another version wrote it, `locked` if it should be exclusive
    ///   and a server uses it.
    package init(path: String, isExclusive: Bool = false) throws(StoreError) {
        lock = isExclusive ? try FileLock(store: path) : nil
        connection = try SQLiteStore.opened(path)
    }

    package func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        // One transaction: otherwise a record could move from the journal into the table between two statements.
        try connection.execute("BEGIN")
        defer { try? connection.execute("COMMIT") }
        let reader = try StoreReader(connection, newer: try Journal.records(of: connection))
        var (contents, unknown) = try reader.load(take)
        contents.unknown = unknown.map(\.description)
        return contents
    }
}
