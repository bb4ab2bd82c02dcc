// A log that several processes append to and follow, as the service sees it. No network here.

package import Board
package import Machine
package import RecurrenceRules
package import Tween

/// An entry on its way into the log.
package struct DraftEntry: Sendable {
    package var name: EntryName
    package var payload: [UInt8]
    /// It isn't wanted any more once the log has passed this instant; nil for one that always is.
    package var due: Instant?

    package init(_ name: EntryName, _ payload: [UInt8], due: Instant? = nil) {
        self.name = name
        self.payload = payload
        self.due = due
    }
}

/// Why nothing can be appended. The cause is for the log of this process, never for a client.
package struct LogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Nobody answers.
        case away
        /// There is no room for another entry.
        case full
        /// The log is another board's, or gone.
        case gone
        /// The log's keeper refuses this process.
        case refused

        /// What whoever looks after this process is told.
        package var reason: String {
            switch self {
            case .away: "the replication log is unreachable"
            case .full: "the Redis has no room for another entry"
            case .gone: "the Redis no longer has this board"
            case .refused: "the Redis refuses this program"
            }
        }
    }

    package let code: Code
    package let cause: String
    /// Whether it may be over by itself, as that of a server which is being started.
    package let mayPass: Bool

    package init(_ code: Code, _ cause: String, mayPass: Bool = false) {
        self.code = code
        self.cause = cause
        self.mayPass = mayPass
    }

    package var description: String { cause }
}

/// What a replica says of itself now and then.
package struct ReplicaReport: Hashable, Sendable {
    package var name: ReplicaName
    /// The last entry that it carried out, and what that is called; others are not told the name.
    package var sequence: UInt64 = 0
    package var entry = EntryName(rawValue: 0)
    /// A position at which others compare, and the digest there.
    package var checkpoint: DigestCheckpoint?
    /// It carries entries out as they come. One that doesn't leaves to others what one of them has to do; they are not told.
    package var isFollowing = true

    package init(name: ReplicaName) { self.name = name }
}

/// Who follows the log, as it is told now and then.
package struct Membership: Sendable {
    /// Those that were heard of lately, this one included, in the order of their names.
    package var replicas: [ReplicaReport] = []
    /// Those that were not heard of for so long that they count as gone.
    package var gone: [ReplicaName] = []
    /// Microseconds for which no other has given a sign of life; nil where there is no other.
    package var othersSilence: Int64? = 0
    /// Whether no other has done so for several of them: it may not count as gone yet.
    package var isAlone: Bool { othersSilence.map { $0 > 1_500_000 } ?? true }
    /// Monotonic nanoseconds until which this replica alone does what one of them has to do; nil for the others.
    package var leaderUntil: Int64?
    /// The last entry in the log, and the one that this replica had carried out when it asked.
    package var head: LogPosition = .start
    package var reported: UInt64 = 0
    package var reportedEntry = EntryName(rawValue: 0)
    /// Nanoseconds by which the log's clock is ahead of its keeper's, which was set.
    package var clockLead: Int64 = 0

    package init() {}

    /// Whether the log has lost entries that this replica had carried out: others may have come in their place.
    package var hasLostEntries: Bool {
        head.sequence < reported || head.sequence == reported && head.name != reportedEntry
    }
}

/// A board as it was loaded, to be followed from its position on.
package final class LoadedBoard: @unchecked Sendable {
    // @unchecked because: it is made by one thread and given to another, which alone has it from then on.
    package let machine: Machine
    package let follower: Follower
    /// Named events of the past, for those who come back.
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
    /// The number of the last.
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

/// Keeps named events as a machine tells them, for those who come back.
package protocol EventRecording: Sendable {
    mutating func record(_ outcome: Outcome, epoch: String)
    /// Takes back what a snapshot kept, before anything is recorded.
    mutating func restore(_ events: [KeptEvents])
    /// The newest, in order.
    var kept: [KeptEvents] { get }
}

/// What a log has to tell, from its own threads, in order.
package enum LogNotice: Sendable {
    /// Entries that were read, the next ones.
    case entries([LogEntry])
    /// What comes next can't be read: nothing that follows is carried out.
    case unreadable(UnreadableEntry)
    /// These are not in the log and never will be.
    case refused([EntryName], LogFailure)
    /// Nothing can be appended, and nothing is read. What was appended last may be in the log or not.
    case lost(LogFailure)
    /// Entries of another session are taken, and of no earlier one. What was appended before is in the log up to this
    /// sequence, or never will be.
    case taken(upTo: UInt64, session: UInt64)
    /// Entries up to this sequence are where they are safe, as far as was asked for.
    case safe(upTo: UInt64)
    case members(Membership)
    /// As the answer to a question: the log has come so far.
    case head(UInt64, question: UInt64)
    /// The settings of the log's keeper that an operator should know of, in words.
    case warnings([String])
    /// A snapshot was written of the board as replaying the log gives it.
    case snapshot(DigestCheckpoint)
    /// One could not be written; it is tried again.
    case snapshotFailed(LogFailure)
    /// The board was loaded anew, as was asked.
    case loaded(LoadedBoard)
    /// It could not be, though its keeper answers; it is tried again.
    case loadFailed(LogFailure)
}

/// What a log needs to be opened with.
package struct LogContext: Sendable {
    /// What this replica is called; no two share it.
    package var name: ReplicaName
    /// Nanoseconds between ticks, and what events' numbers belong to, for a board that is made.
    package var period: Int64
    package var epoch: String
    package var rules: any CalendarRules
    /// Compiles the formats of a snapshot's labels.
    package var planner: any Planner
    /// Takes news, in order, from any thread.
    package var post: @Sendable (LogNotice) -> Void
    /// Takes looks at the log's clock.
    package var look: @Sendable (ClockEstimate.Sample) -> Void
    /// Has what an entry needs at hand before it is carried out: formats are compiled.
    package var prepare: @Sendable (LogEntry) -> Void
    /// An empty machine for events of an epoch.
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
    /// Whether entries are told to be safe; answers wait for that.
    var isHolding: Bool { get }
    /// Loads the board, and begins to append and to read.
    func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard)
    /// Loads a board that is there, and does no more.
    /// - Throws: Also where somebody follows it.
    func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard
    /// Makes a board that begins as another, whole or not at all.
    /// - Throws: Where there is one of its name.
    func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure)
}

/// Takes entries, and tells of those of all.
package protocol SharedLog: AnyObject, Sendable {
    /// Hands entries over and returns at once.
    /// - Parameter session: The last one that was told to be taken, 0 for the first. Entries of one that is over are refused:
    ///   whoever asked for them may have been told already that they never will be in the log.
    func append(_ entries: [DraftEntry], session: UInt64)
    /// Has the board loaded anew; it comes as news, and entries follow from there.
    func reload()
    /// Asks how far the log has come; the answer, or that nothing is taken, comes as news.
    func askHead(question: UInt64)
    /// What others are told of this replica.
    func report(_ report: ReplicaReport)
    /// The keeper's clock was set, and the log's goes on from where it stood: has it show the keeper's time, by an entry.
    func resetClock()
    /// Takes leave and lets go.
    func close()
}
