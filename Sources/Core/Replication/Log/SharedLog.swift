// A log that several processes append to and follow, as the service sees it. No network here.

package import Board
package import Machine
package import RecurrenceRules
package import Tween

/// An entry to append.
package struct DraftEntry: Sendable {
    package var name: EntryName
    package var payload: [UInt8]
    /// The entry is dropped if the log has passed this instant; nil appends it in any case.
    package var due: Instant?

    package init(_ name: EntryName, _ payload: [UInt8], due: Instant? = nil) {
        self.name = name
        self.payload = payload
        self.due = due
    }
}

/// Why nothing can be appended. The cause is for this process's own log, never for a client.
package struct LogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The log is unreachable.
        case away
        /// There is no room for another entry.
        case full
        /// The log belongs to another board, or no longer exists.
        case gone
        /// The log's server rejects this process.
        case refused
        /// A number of the log can't be right; the cause names it.
        case damaged

        fileprivate var reason: String {
            switch self {
            case .away: "the replication log is unreachable"
            case .full: "the Redis has no room for another entry"
            case .gone: "the Redis no longer has this board"
            case .refused: "the Redis refuses this program"
            case .damaged: "the board's keys on the Redis are damaged; following stopped"
            }
        }
    }

    package let code: Code
    package let cause: String
    /// Whether it may pass without intervention, for example while a server starts.
    package let mayPass: Bool
    /// What ends it, for an operator; nil where the reason says it.
    private let cure: String?

    package init(_ code: Code, _ cause: String, mayPass: Bool = false, cure: String? = nil) {
        self.code = code
        self.cause = cause
        self.mayPass = mayPass
        self.cure = cure
    }

    /// The reason in the words of readiness checks and logs.
    package var reason: String { cure.map { "\(code.reason): \($0)" } ?? code.reason }

    package var description: String { cause }
}

/// A replica's periodic status report.
package struct ReplicaReport: Hashable, Sendable {
    package var name: ReplicaName
    /// The last entry that it applied, and that entry's name, which is not sent to others.
    package var sequence: UInt64 = 0
    package var entry = EntryName(rawValue: 0)
    /// A position for comparison, and the digest there.
    package var checkpoint: DigestCheckpoint?
    /// Whether it applies entries as they arrive; otherwise it can't be the steward. Not sent to others.
    package var isFollowing = true
    /// Whether its board is whole, even if it waits for entries that the log no longer has.
    package var hasBoard = true

    package init(name: ReplicaName) { self.name = name }
}

/// The replicas that follow the log, reported periodically.
package struct Membership: Sendable {
    /// Replicas that reported recently, including this one, sorted by name.
    package var replicas: [ReplicaReport] = []
    /// Replicas that have not reported for so long that they count as gone.
    package var gone: [ReplicaName] = []
    /// Microseconds since the last report of any other replica; nil if there is no other.
    package var othersSilence: Int64? = 0
    /// Whether no other replica has reported for several intervals, even if they do not count as gone yet.
    package var isAlone: Bool { othersSilence.map { $0 > 1_500_000 } ?? true }
    /// Monotonic nanoseconds until which this replica is the steward; nil for the others.
    package var stewardUntil: Int64?
    /// The last entry in the log, and the entry that this replica had applied when it asked.
    package var head: LogPosition = .start
    package var reported: UInt64 = 0
    package var reportedEntry = EntryName(rawValue: 0)
    /// Nanoseconds by which the log's clock is ahead of its server's since that was set.
    package var clockLead: Int64 = 0
    /// What the log's server has lost, so that the board can't be loaded until the steward has written it back; nil while all
    /// is there.
    package var missing: String?

    package init() {}

    /// Whether the log has lost entries that this replica had applied; others may have replaced them.
    package var hasLostEntries: Bool {
        head.sequence < reported || head.sequence == reported && head.name != reportedEntry
    }
}

/// A loaded board, to be followed from its position on.
package final class LoadedBoard: @unchecked Sendable {
    // @unchecked because: one thread creates it and hands it to another, which then owns it alone.
    package let machine: Machine
    package let follower: Follower
    /// Past named events, for clients that reconnect.
    package let events: [KeptEvents]

    package init(machine: Machine, follower: Follower, events: [KeptEvents]) {
        self.machine = machine
        self.follower = follower
        self.events = events
    }
}

/// Named events of an entry, as a snapshot keeps them.
package struct KeptEvents: Hashable, Sendable {
    package var epoch: String
    /// The number of the last event.
    package var last: Int64
    package var instant: Instant
    package var bytes: [UInt8]

    package init(epoch: String, last: Int64, instant: Instant, bytes: [UInt8]) {
        self.epoch = epoch
        self.last = last
        self.instant = instant
        self.bytes = bytes
    }
}

/// Keeps a machine's named events for clients that reconnect.
package protocol EventRecording: Sendable {
    mutating func record(_ outcome: Outcome, epoch: String)
    /// Restores a snapshot's events, before anything is recorded.
    mutating func restore(_ events: [KeptEvents])
    /// Shifts the events so far after the log's clock was set: they are no older than before.
    mutating func shift(byNanoseconds nanoseconds: Int64)
    /// The newest events, in order.
    var kept: [KeptEvents] { get }
}

extension EventRecording {
    /// Records what came of an entry.
    package mutating func record(_ consequence: Consequence, epoch: String) {
        switch consequence {
        case .turn(let outcome): if !outcome.events.isEmpty { record(outcome, epoch: epoch) }
        case .clockSet(let nanoseconds): shift(byNanoseconds: nanoseconds)
        case .epoch: break
        }
    }
}

/// A notice from a log's threads, in order.
package enum LogNotice: Sendable {
    /// The next entries that were read.
    case entries([LogEntry])
    /// The next entry can't be read, so nothing after it can be applied.
    case unreadable(UnreadableEntry)
    /// These entries are not in the log and never will be.
    case refused([EntryName], LogFailure)
    /// Nothing can be appended or read. Whether the last appended entries are in the log is unknown.
    case lost(LogFailure)
    /// Entries of a new session are accepted, and no longer of earlier ones. What was appended before is in the log up to
    /// this sequence, or never will be.
    case taken(upTo: UInt64, session: UInt64)
    /// This entry, the last one of this replica that isn't an announcement, is as safe as requested, and so is all that the log has
    /// before it. By its name, since the log of a promoted server may have other entries with the same numbers.
    case safe(upTo: EntryName)
    case members(Membership)
    /// The answer to a question: the current end of the log.
    case head(UInt64, question: UInt64)
    /// Settings of the log's server that an operator should know about, in words.
    case warnings([String])
    /// The log's server has lost the board, or a part of it that this replica is to write back: `store` must follow.
    case boardWanted
    /// A snapshot was written; replaying the log gives the same board.
    case snapshot(DigestCheckpoint)
    /// A snapshot could not be written; it will be retried.
    case snapshotFailed(LogFailure)
    /// The board was reloaded, as requested.
    case loaded(LoadedBoard)
    /// The board could not be reloaded although its server responds; it will be retried.
    case loadFailed(LogFailure)
}

/// The dependencies of a log.
package struct LogContext: Sendable {
    /// The unique name of this replica.
    package var name: ReplicaName
    /// Nanoseconds between ticks, and the event log of a board that is created.
    package var period: Int64
    package var epoch: String
    package var rules: any CalendarRules
    /// Compiles the formats of a snapshot's labels.
    package var planner: any Planner
    /// Receives notices, in order, from any thread.
    package var post: @Sendable (LogNotice) -> Void
    /// Receives samples of the log's clock.
    package var look: @Sendable (ClockEstimate.Sample) -> Void
    /// Prepares what an entry needs before it is applied, such as compiled formats.
    package var prepare: @Sendable (LogEntry) -> Void
    /// Creates an empty machine for an event log.
    package var machine: @Sendable (String) -> Machine
    package var recorder: @Sendable () -> any EventRecording

    package init(
        name: ReplicaName, period: Int64, epoch: String, rules: any CalendarRules, planner: any Planner,
        post: @escaping @Sendable (LogNotice) -> Void, look: @escaping @Sendable (ClockEstimate.Sample) -> Void,
        prepare: @escaping @Sendable (LogEntry) -> Void, machine: @escaping @Sendable (String) -> Machine,
        recorder: @escaping @Sendable () -> any EventRecording
    ) {
        (self.name, self.period, self.epoch, self.rules, self.planner) = (name, period, epoch, rules, planner)
        (self.post, self.look, self.prepare) = (post, look, prepare)
        (self.machine, self.recorder) = (machine, recorder)
    }
}

/// Opens the log of a board.
package protocol LogOpener: Sendable {
    /// Whether the log reports when entries are safe; answers wait for that.
    var isHolding: Bool { get }
    /// Loads the board, and starts to append and to read.
    func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard)
    /// Only loads an existing board.
    /// - Throws: Also if a process follows it.
    func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard
    /// Creates a board as a copy of another, completely or not at all.
    /// - Throws: If a board of this name exists.
    func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure)
}

/// Appends entries, and reports the entries of all replicas.
package protocol SharedLog: AnyObject, Sendable {
    /// Submits entries and returns at once.
    /// - Parameter session: The last session that was reported as taken; 0 for the first. Entries of an earlier one are
    ///   rejected, because clients may have received the answer that they will never be in the log.
    func append(_ entries: [DraftEntry], session: UInt64)
    /// Reloads the board; the result comes as a notice, and entries continue from there.
    func reload()
    /// Asks for the current end of the log; the answer or the failure comes as a notice.
    func askHead(question: UInt64)
    /// Sets what is reported to others about this replica.
    func report(_ report: ReplicaReport)
    /// Writes a board back that the log's server has lost.
    /// - Parameter board: nil if there is none to write.
    func store(_ board: LoadedBoard?)
    /// Appends an entry that sets the log's clock to its server's, after the server's clock was set.
    func resetClock()
    /// Signs off and releases the connection.
    func close()
}
