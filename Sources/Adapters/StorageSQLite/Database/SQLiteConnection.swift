// A wrapper of SQLite's C interface. It checks every return code, and no pointer leaves this file.

import CSQLite
import Storage

/// An open database, used by one thread at a time.
@safe final class SQLiteConnection: @unchecked Sendable {
    // @unchecked because: one thread uses it at a time, as SQLite requires without its own locking.
    /// Milliseconds that a statement waits for locks of others.
    private static let busyTimeout: Int32 = 250
    /// Nil after closing; SQLite answers calls on nil with an error.
    private var handle: OpaquePointer?
    let path: String
    /// Pages of 4 KiB in the write-ahead log after the last commit through this connection; 0 until `countLogPages`.
    private(set) var logPages = 0

    /// - Parameters:
    ///   - path: A file, or `:memory:`.
    ///   - isFixed: The file doesn't change meanwhile, and nothing is written to or beside it.
    init(path: String, isFixed: Bool = false) throws(StoreError) {
        self.path = path
        var opened: OpaquePointer?
        let flags = isFixed ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let name = isFixed ? Self.immutable(path) : path
        let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let open = unsafe opened else {
            let number = unsafe sqlite3_system_errno(opened)
            unsafe sqlite3_close_v2(opened)
            throw Self.error(code, "\(path) can't be opened", number)
        }
        unsafe handle = unsafe open
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Self.busyTimeout)
    }

    /// Returns the URI with which SQLite opens a file as immutable.
    private static func immutable(_ path: String) -> String {
        var address = path.hasPrefix("/") ? "file://" : "file:"
        for scalar in path.unicodeScalars {
            switch scalar {
            case "%": address += "%25"
            case "?": address += "%3F"
            case "#": address += "%23"
            default: address.unicodeScalars.append(scalar)
            }
        }
        return address + "?immutable=1"
    }

    deinit { close() }

    /// Closes the file and releases its lock. All statements must have been freed.
    func close() {
        unsafe sqlite3_close_v2(handle)
        unsafe handle = nil
    }

    func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else { throw failure(code) }
        return unsafe SQLiteStatement(statement, of: self)
    }

    /// Returns the single text value of a pragma or query.
    func value(_ sql: String) throws(StoreError) -> String {
        let statement = try prepare(sql)
        guard try statement.step() else { return "" }
        return String(decoding: statement.bytes(0), as: UTF8.self)
    }

    /// Checks every page.
    /// - Parameter way: `integrity_check` also compares indices with their tables.
    /// - Throws: `corrupt` at the first damage.
    func check(_ way: String = "quick_check") throws(StoreError) {
        let verdict = try value("PRAGMA \(way)(1)")
        guard verdict == "ok" else { throw StoreError(.corrupt, verdict) }
    }

    /// Copies the database's contents into a new file, without free pages, while it stays in use. The copy is a single file.
    /// It isn't synced.
    func copy(to path: String) throws(StoreError) {
        let copy = try prepare("VACUUM INTO ?1")
        // A path that begins with `file:` would be read as a URI.
        try copy.bind(1, path.hasPrefix("/") ? path : "./" + path)
        _ = try copy.step()
    }

    /// Returns free pages to the file system. The file shrinks once the log has been moved into it.
    /// - Parameter most: The most pages; used pages from the end move into the gaps.
    /// - Returns: The number of pages still free.
    func giveBack(pages most: Int) throws(StoreError) -> Int {
        try execute("PRAGMA incremental_vacuum(\(most))")
        return try freePages()
    }

    /// Returns the number of unused pages.
    func freePages() throws(StoreError) -> Int { Int(try value("PRAGMA freelist_count")) ?? 0 }

    /// Starts to count the log's pages; SQLite then no longer moves them into the database during a commit.
    func countLogPages() {
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_wal_hook(
            handle,
            { owner, _, _, pages in
                guard let owner = unsafe owner else { return SQLITE_OK }
                unsafe Unmanaged<SQLiteConnection>.fromOpaque(owner).takeUnretainedValue().logPages = Int(pages)
                return SQLITE_OK
            }, owner)
    }

    /// Moves the write-ahead log into the database, as far as no reader still needs it. Others may commit meanwhile. After a
    /// complete move, the next commit restarts the log.
    /// - Returns: Whether everything was moved.
    @discardableResult
    func checkpoint() throws(StoreError) -> Bool {
        var (length, moved) = (Int32(0), Int32(0))
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &length, &moved)
        guard code == SQLITE_OK else { throw failure(code) }
        return length == moved
    }

    /// Truncates the write-ahead log, which must have been moved completely.
    /// - Returns: false while another connection reads; it doesn't wait.
    func emptyLog() -> Bool {
        unsafe sqlite3_busy_timeout(handle, 0)
        defer { unsafe sqlite3_busy_timeout(handle, Self.busyTimeout) }
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if code == SQLITE_OK { logPages = 0 }
        return code == SQLITE_OK
    }

    func failure(_ code: Int32) -> StoreError {
        let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? ""
        return Self.error(code, message, unsafe sqlite3_system_errno(handle))
    }

    /// - Parameter number: The errno that SQLite kept of the last failure.
    private static func error(_ code: Int32, _ cause: String, _ number: Int32) -> StoreError {
        switch code & 0xFF {
        case SQLITE_IOERR where number != 0, SQLITE_CANTOPEN where number != 0:
            StoreError(system: number, cause)
        case SQLITE_FULL: StoreError(.full, cause)
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: StoreError(.readOnly, cause)
        case SQLITE_BUSY, SQLITE_LOCKED: StoreError(.locked, cause)
        case SQLITE_CORRUPT, SQLITE_NOTADB: StoreError(.corrupt, cause)
        default: StoreError(.failed, "\(cause) (\(code))")
        }
    }
}

/// A reusable prepared statement.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        unsafe self.handle = unsafe handle
        self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
        try check(unsafe sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ index: Int32, _ text: String) throws(StoreError) {
        // SQLITE_TRANSIENT: SQLite copies before the call returns.
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        try check(unsafe sqlite3_bind_text(handle, index, text, -1, transient))
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) throws(StoreError) {
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code = unsafe bytes.withUnsafeBytes {
            // An empty array may have no address, which SQLite would treat as NULL.
            unsafe $0.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient)
        }
        try check(code)
    }

    /// - Returns: Whether there is a row.
    func step() throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            unsafe sqlite3_reset(handle)
            throw connection.failure(code)
        }
    }

    /// Runs a statement without rows and resets it, which frees the copies of bound values.
    func run() throws(StoreError) {
        _ = try step()
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func bytes(_ column: Int32) -> [UInt8] {
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ column: Int32) -> String {
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        guard count > 0, let start = unsafe sqlite3_column_blob(handle, column) else { return "" }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }
}
