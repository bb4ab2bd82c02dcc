// What a store keeps and how it is spoken to. No disk here.

package import Base

/// What a record describes: a resource, or what else is kept.
package enum RecordKind: Hashable, Sendable, CaseIterable, RawRepresentable {
    case resource(ResourceKind)
    case setting
    /// A webhook on its way.
    case delivery

    package static let allCases = ResourceKind.allCases.map(RecordKind.resource) + [.setting, .delivery]

    package static var ticker: Self { .resource(.ticker) }
    package static var progress: Self { .resource(.progress) }
    package static var schedule: Self { .resource(.schedule) }

    /// The number stands in stores.
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

/// One resource as it is kept; body and parts mean nothing to the store.
package struct StoredRecord: Hashable, Sendable {
    package var kind: RecordKind
    package var id: String
    package var body: [UInt8]
    /// Heavy pieces by number, which are written when they come and not with every change of the body. A put names all
    /// that the record has; one that it doesn't name any more goes.
    package var parts: [UInt64: [UInt8]]

    package init(kind: RecordKind, id: String, body: [UInt8], parts: [UInt64: [UInt8]] = [:]) {
        self.kind = kind
        self.id = id
        self.body = body
        self.parts = parts
    }
}

/// Which resource a record describes.
package struct RecordName: Hashable, Sendable {
    package var kind: RecordKind
    package var id: String

    package init(_ kind: RecordKind, _ id: String) {
        self.kind = kind
        self.id = id
    }
}

/// An answer kept for retries of its request.
package struct StoredAnswer: Hashable, Sendable {
    package var key: String
    package var fingerprint: UInt64
    package var status: Int
    /// Everything of the answer but status and body; means nothing to the store.
    package var head: String
    package var body: [UInt8]
    /// Unix nanoseconds after which it may go.
    package var expires: Int64

    package init(
        key: String, fingerprint: UInt64, status: Int, head: String = "", body: [UInt8], expires: Int64
    ) {
        self.key = key
        self.fingerprint = fingerprint
        self.status = status
        self.head = head
        self.body = body
        self.expires = expires
    }
}

/// Named events of one turn, for clients that come back after a restart; their bytes mean nothing to the store.
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
    /// The same with a record that is made when it is written, on the store's thread: of the many that one commit may hold
    /// of a resource only the last ever is.
    /// - Parameter size: About how many bytes `make` holds while it waits.
    case putLater(RecordName, size: Int, make: @Sendable () -> StoredRecord)
    case delete(RecordKind, id: String)
    /// Adds an answer, and lets those go that expire before `horizon`.
    case remember(StoredAnswer, horizon: Int64)
    /// Adds events, and lets those go whose numbers are at or below `expired`.
    case log(StoredEvents, expired: Int64)
    /// The same with events that are written when they are stored, on the store's thread.
    /// - Parameter size: About how many bytes `make` holds while it waits.
    case logLater(size: Int, expired: Int64, make: @Sendable () -> StoredEvents)
    /// Moves a record that its owner can't read out of the way, for somebody to look at; it is not loaded again.
    /// - Parameter time: Unix nanoseconds.
    case setAside(RecordName, reason: String, time: Int64)

    /// The record that it puts or deletes; nil for what concerns none.
    package var recordName: RecordName? {
        switch self {
        case .put(let record): RecordName(record.kind, record.id)
        case .putLater(let name, _, _): name
        case .delete(let kind, let id): RecordName(kind, id)
        case .remember, .log, .logLater, .setAside: nil
        }
    }

    /// About how many bytes it holds while it waits.
    package var size: Int {
        switch self {
        case .putLater(_, let size, _), .logLater(let size, _, _): size
        case .put(let record):
            record.id.utf8.count + record.body.count + record.parts.values.reduce(0) { $0 + $1.count }
        case .delete(_, let id): id.utf8.count
        case .remember(let answer, _): answer.key.utf8.count + answer.head.utf8.count + answer.body.count
        case .log(let events, _): events.bytes.count
        case .setAside(let name, let reason, _): name.id.utf8.count + reason.utf8.count
        }
    }
}

/// What a store holds at start beside its records.
package struct StoreContents: Sendable {
    package var answers: [StoredAnswer] = []
    /// In the order of their numbers.
    package var events: [StoredEvents] = []
    /// Records of kinds that this program doesn't know, in words for a log; a store has set them aside.
    package var unknown: [String] = []

    package init() {}
}

/// Why a store can't do what it should. The cause is for the log, never for a client.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No room on the disk.
        case full
        /// The disk or file can't be written.
        case readOnly
        /// Another process has the store.
        case locked
        /// The file is no store of ours, or damaged.
        case corrupt
        /// Another version wrote the file, in another layout.
        case otherLayout
        /// More changes wait than the store takes.
        case busy
        /// The store has been closed.
        case closed
        /// Nobody answers; nothing was changed.
        case away
        /// Whether a change was kept is not known.
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

/// What a store that failed still holds of what it could not take.
package struct StoreRecovery: Sendable {
    /// The records as they were last committed; those that are not there have none.
    package var records: [RecordName: StoredRecord?]
    /// Keys of answers that were not kept.
    package var lostAnswers: Set<String>

    package init(records: [RecordName: StoredRecord?], lostAnswers: Set<String>) {
        self.records = records
        self.lostAnswers = lostAnswers
    }
}

/// How a store is.
package struct StoreHealth: Hashable, Sendable {
    /// The last commit failed for this reason; nil when all is well.
    package var failure: StoreError?
    package var commits: UInt64 = 0
    package var changes: UInt64 = 0
    /// Submissions that wait.
    package var waiting = 0
    /// Their bytes.
    package var waitingBytes = 0
    /// Records that were set aside because they could not be read.
    package var quarantined = 0
    /// Pages of 4 KiB that the write-ahead log holds.
    package var logPages = 0
    /// How often what the log holds could not be moved into the database; it is tried again.
    package var checkpointFailures: UInt64 = 0
    /// How long commits took to be on the disk.
    package var syncs = HistogramSnapshot()

    package init() {}
}

/// What has records to be read.
package protocol RecordSource {
    /// Everything kept; once.
    /// - Parameter take: Is given the records in the order of their kinds and ids, in portions, while others are still
    ///   being read: nothing is sound before all are.
    func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents
}

/// Keeps records. Implementations are used from any thread; `load` at start.
package protocol Store: RecordSource, AnyObject, Sendable {
    /// Hands changes over and returns at once. The completion runs when they are committed or have failed, in order. After
    /// a failure everything fails until `recover`: what was built on a change that is not kept must not be kept either.
    func submit(_ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)
    /// Tells what is kept of everything that failed since the first failure, and takes changes again.
    func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void)
    /// What it is, in a word.
    var name: String { get }
    var health: StoreHealth { get }
    /// Bytes of its files. It asks the system, so not on a thread that others wait for.
    func fileBytes() -> Int
    /// Commits what waits and lets go of the file.
    func close()
}

extension Store {
    package var name: String { "memory" }
    package func fileBytes() -> Int { 0 }
}

/// Keeps nothing: for servers whose state may go with them.
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
