// What a store keeps, and its interface. No disk here.

package import Base

/// The kind of a record: a resource's, or another.
package enum RecordKind: Hashable, Sendable, CaseIterable, RawRepresentable {
    case resource(ResourceKind)
    case setting
    /// A pending webhook.
    case delivery

    package static let allCases = ResourceKind.allCases.map(RecordKind.resource) + [.setting, .delivery]

    package static var ticker: Self { .resource(.ticker) }
    package static var progress: Self { .resource(.progress) }
    package static var schedule: Self { .resource(.schedule) }

    /// The raw value is in stores.
    package var rawValue: UInt8 {
        switch self {
        case .resource(let kind): kind.rawValue
        case .setting: 3
        case .delivery: 4
        }
    }

    package init?(rawValue: UInt8) {
        guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = kind
    }
}

extension RecordKind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .resource(let kind): kind.description
        case .setting: "setting"
        case .delivery: "webhook"
        }
    }
}

/// A stored record; body and parts are opaque to the store.
package struct StoredRecord: Hashable, Sendable {
    package var kind: RecordKind
    package var id: String
    package var body: [UInt8]
    /// Large pieces by number, written when they are new and not with every change of the body. A put lists all parts of the
    /// record; parts that it no longer lists are deleted.
    package var parts: [UInt64: [UInt8]]

    package init(kind: RecordKind, id: String, body: [UInt8], parts: [UInt64: [UInt8]] = [:]) {
        self.kind = kind
        self.id = id
        self.body = body
        self.parts = parts
    }
}

/// The name of a record's resource.
package struct RecordName: Hashable, Sendable {
    package var kind: RecordKind
    package var id: String

    package init(_ kind: RecordKind, _ id: String) {
        self.kind = kind
        self.id = id
    }
}

/// Named events of one turn, for clients that reconnect after a restart; opaque to the store.
package struct StoredEvents: Hashable, Sendable {
    /// The run that published them.
    package var epoch: String
    /// The numbers of the first and the last.
    package var first: Int64
    package var last: Int64
    /// Unix nanoseconds.
    package var time: Int64
    package var bytes: [UInt8]

    package init(epoch: String, first: Int64, last: Int64, time: Int64, bytes: [UInt8]) {
        self.epoch = epoch
        self.first = first
        self.last = last
        self.time = time
        self.bytes = bytes
    }
}

/// One change; changes submitted together are committed together.
package enum StoreChange: Sendable {
    case put(StoredRecord)
    /// Puts a record that is encoded on the store's thread when it is written. A commit may hold many of a resource, but
    /// only the last is encoded.
    /// - Parameter size: The approximate bytes that `make` retains while it waits.
    case putLater(RecordName, size: Int, make: @Sendable () -> StoredRecord)
    case delete(RecordKind, id: String)
    /// Adds an answer, and deletes those that expire before `horizon`.
    case remember(StoredAnswer, horizon: Int64)
    /// Adds events, and deletes those with numbers up to `expired`.
    case log(StoredEvents, expired: Int64)
    /// Adds events that are encoded on the store's thread.
    /// - Parameter size: The approximate bytes that `make` retains while it waits.
    case logLater(size: Int, expired: Int64, make: @Sendable () -> StoredEvents)
    /// Moves an unreadable record to quarantine for inspection; it is not loaded again.
    /// - Parameter time: Unix nanoseconds.
    case setAside(RecordName, reason: String, time: Int64)

    /// The record that it puts or deletes; nil for other changes.
    package var recordName: RecordName? {
        switch self {
        case .put(let record): RecordName(record.kind, record.id)
        case .putLater(let name, _, _): name
        case .delete(let kind, let id): RecordName(kind, id)
        case .remember, .log, .logLater, .setAside: nil
        }
    }

    /// The approximate bytes that it retains while it waits.
    package var size: Int {
        switch self {
        case .putLater(_, let size, _), .logLater(let size, _, _): size
        case .put(let record):
            record.id.utf8.count + record.body.count + record.parts.values.reduce(0) { $0 + $1.count }
        case .delete(_, let id): id.utf8.count
        case .remember(let stored, _): stored.key.utf8.count + stored.answer.size
        case .log(let events, _): events.bytes.count
        case .setAside(let name, let reason, _): name.id.utf8.count + reason.utf8.count
        }
    }
}

/// What a store holds at start besides its records.
package struct StoreContents: Sendable {
    package var answers: [StoredAnswer] = []
    /// Sorted by number.
    package var events: [StoredEvents] = []
    /// Records of unknown kinds, described for a log; the store has quarantined them.
    package var unknown: [String] = []

    package init() {}
}

/// Why a store failed. The cause is for the log, never for a client.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The disk is full.
        case full
        /// The disk or file can't be written.
        case readOnly
        /// Another process has the store.
        case locked
        /// The file is no store of this program, or damaged.
        case corrupt
        /// Another version wrote the file, in another layout.
        case otherLayout
        /// Too many changes wait.
        case busy
        /// The store has been closed.
        case closed
        /// The store is unreachable; nothing was changed.
        case away
        /// It is unknown whether a change was kept.
        case unknown
        case failed
    }

    package let code: Code
    package let cause: String

    package init(_ code: Code, _ cause: String) {
        self.code = code
        self.cause = cause
    }

    package var description: String { "\(code): \(cause)" }
}

/// What a store still has of everything that it could not store.
package struct StoreRecovery: Sendable {
    /// The records as they were last committed; nil for those that did not exist.
    package var records: [RecordName: StoredRecord?]
    /// Keys of answers that were not kept.
    package var lostAnswers: Set<String>

    package init(records: [RecordName: StoredRecord?], lostAnswers: Set<String>) {
        self.records = records
        self.lostAnswers = lostAnswers
    }
}

/// The state of a store.
package struct StoreHealth: Hashable, Sendable {
    /// The error of the last commit; nil if it succeeded.
    package var failure: StoreError?
    package var commits: UInt64 = 0
    package var changes: UInt64 = 0
    /// The number of waiting submissions.
    package var waiting = 0
    /// Their bytes.
    package var waitingBytes = 0
    /// The number of quarantined records.
    package var quarantined = 0
    /// Pages of 4 KiB in the write-ahead log.
    package var logPages = 0
    /// How often a checkpoint failed; it is retried.
    package var checkpointFailures: UInt64 = 0
    /// How long commits took to reach the disk.
    package var syncs = HistogramSnapshot()

    package init() {}
}

/// A source of records.
package protocol RecordSource {
    /// Loads everything; may be called once.
    /// - Parameter take: Receives the records in portions, sorted by kind and id, while others are still being read. They
    ///   are valid only if `load` succeeds.
    func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents
}

/// Keeps records. May be used from any thread; `load` only at start.
package protocol Store: RecordSource, AnyObject, Sendable {
    /// Submits changes and returns at once. Completions run in order, when the changes are committed or have failed. After a
    /// failure everything fails until `recover`, so that nothing is kept that builds on a lost change. Only `busy` is out of this
    /// order: without room, the changes are rejected at once, and later ones may be committed.
    func submit(_ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)
    /// Returns the stored state of everything that failed since the first failure, and accepts changes again.
    func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void)
    /// The kind of the store, in a word.
    var name: String { get }
    var health: StoreHealth { get }
    /// Returns the size of its files in bytes. Asks the system, so latency-sensitive threads must not call it.
    func fileBytes() -> Int
    /// Commits what waits and closes the file.
    func close()
}

extension Store {
    package var name: String { "memory" }
    package func fileBytes() -> Int { 0 }
}

/// Keeps nothing, for servers whose state need not survive them.
package final class EphemeralStore: Store {
    package init() {}
    package func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents { StoreContents() }

    package func submit(
        _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        completion(.success(()))
    }

    package func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {
        completion(.success(StoreRecovery(records: [:], lostAnswers: [])))
    }

    package var health: StoreHealth { StoreHealth() }
    package func close() {}
}
