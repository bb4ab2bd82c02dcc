// The replica's connection to the log: it sends requests in entries, recognizes its own entries when they come back, and
// finds out what became of those that don't. Owned by the tick thread.

import Base
import Board
import Machine
import Replication
import Storage
import Synchronization
import Tween
import Wire

/// This replica's side of the log.
final class LogClient {
    /// Why the board is reloaded.
    enum Reload: Hashable {
        /// The log no longer has the entries that this replica needs.
        case gap
        /// The log differs from the entries that were applied.
        case lost
        /// Other replicas, or a replay of the log, reached a different board.
        case differs
        /// The missing time zones are available now.
        case zones
    }

    /// The state of this replica's connection to the log.
    enum Status: Hashable {
        case following
        /// The log accepts no entries, and none can be read.
        case away(LogFailure)
        /// The next entry can't be read.
        case stopped(UnreadableEntry)
        /// The board is being reloaded. Carries the last failure, if any.
        case loading(LogFailure?)

        var isLoading: Bool {
            if case .loading = self { true } else { false }
        }

        /// Whether entries are applied as they arrive. None arrive while the log is away.
        var follows: Bool {
            switch self {
            case .following, .away: true
            case .stopped, .loading: false
            }
        }
    }

    let name: ReplicaName
    private let log: any SharedLog
    let clock: ServiceClock
    private(set) var status = Status.following {
        didSet {
            reported.isFollowing = status.follows
            reported.hasBoard = status.follows || status.isLoading && loadingReason == .gap
            log.report(reported)
        }
    }
    /// Why the board is reloaded, or was last.
    private var loadingReason: Reload?
    private(set) var membership = Membership()
    /// Whether any membership has arrived yet.
    private(set) var knowsMembers = false
    private(set) var pending = PendingEntries()
    private var draft = EntryDraft()
    private var drafted = PendingEntries.Entry(askers: [], own: [], bytes: 0, sent: Instant(nanoseconds: 0))
    private var ready: [DraftEntry] = []
    /// The session in which entries are sent.
    private var session: UInt64 = 0
    /// The service's own requests that the log did not accept. They are sent when it accepts entries again.
    private(set) var unsaid: [Request] = []
    /// Changes of the whole board that the log does not have yet.
    private var changes = BoardChanges()
    /// Entries that are lost unless they have come back by this sequence.
    private var fence: (sequence: UInt64, names: [EntryName])?
    /// Warnings about the log's Redis for the operator.
    private(set) var warnings: [String] = []
    private(set) var reported = ReplicaReport(name: "")
    /// The digest of the board after the entries applied so far.
    private(set) var digest = StateDigest()
    /// The present turn's instant.
    var now = Instant(nanoseconds: 0)
    /// For names of entries and of epochs.
    private let random: RandomSource
    /// The number of entries sent; below, the number of reloads.
    private(set) var sentCount: UInt64 = 0
    private(set) var reloads: UInt64 = 0
    /// The epoch in which subscribers received events of entries that the log has lost, until the board is reloaded.
    private var lossOf: String?

    /// The most own requests that wait while the log is away; more than there can be calls in flight.
    static let maximumUnsaid = 20_000

    init(_ log: any SharedLog, name: ReplicaName, clock: ServiceClock, random: RandomSource = .system) {
        self.log = log
        self.random = random
        self.name = name
        self.clock = clock
        reported = ReplicaReport(name: name)
    }

    // MARK: - Status

    /// Why changes are rejected now; nil if they are accepted.
    var refusal: StoreError? {
        switch status {
        case .away(let failure): return StoreError(.away, failure.cause)
        case .stopped, .loading: return StoreError(.away, unreadiness ?? "")
        case .following where membership.missing != nil: return StoreError(.away, unreadiness ?? "")
        case .following:
            return pending.isFull ? StoreError(.busy, "too many changes are on their way through the log") : nil
        }
    }

    /// Whether this replica is the steward, which does what only one replica may do.
    var isSteward: Bool {
        guard let end = membership.stewardUntil else { return false }
        return clock.monotonic() < end
    }

    /// When the first client has waited too long.
    var deadline: Instant? { pending.deadline }

    /// How many replicas come before this one to announce what fell due.
    func rank(_ due: Instant) -> Int {
        AnnouncementOrder.rank(of: name, among: membership.replicas.map(\.name), for: due)
    }

    func update(_ membership: Membership) {
        logLoss(of: membership.missing, after: self.membership.missing)
        self.membership = membership
        knowsMembers = true
        if isSteward, membership.clockLead != 0 { log.resetClock() }
        if status == .following { retryUnsent() }
    }

    private func logLoss(of missing: String?, after known: String?) {
        if let missing, missing != known {
            Log.write(
                .store, .error, "the Redis has lost a part of the board; the replica that is furthest writes it back",
                ["missing": .text(missing)])
        } else if missing == nil, known != nil {
            Log.write(.store, .warning, "the Redis has the whole board again")
        }
    }

    /// Handles warnings about the log's Redis.
    func warn(_ new: [String]) {
        for warning in new where !warnings.contains(warning) {
            Log.write(.store, .warning, "the Redis needs attention", ["detail": .text(warning)])
        }
        for warning in warnings where !new.contains(warning) {
            Log.write(.store, .info, "the Redis needs this attention no longer", ["detail": .text(warning)])
        }
        warnings = new
    }

    /// Writes a board back that the log's server has lost; nil if there is none here.
    func store(_ board: LoadedBoard?) {
        if board != nil {
            Log.write(
                .store, .warning, "writing the board back to the Redis from memory",
                ["position": .text(String(reported.sequence))])
        }
        log.store(board)
    }

    // MARK: - Sending

    /// Adds a client's request to the next entry.
    func add(_ request: Request) { add(request, for: request.waiter.map { .request($0) } ?? .nobody) }

    /// Adds the next lines of a batch to an entry.
    func add(_ part: BatchPart) {
        var window = part
        window.lines = part.lines.prefix(Machine.linesPerPart)
        add(.batch(window), for: part.waiter.map { .batch($0) } ?? .nobody)
    }

    /// Adds one of the service's own requests to the next entry.
    func add(own request: Request) {
        guard status == .following else {
            if unsaid.count < Self.maximumUnsaid { unsaid.append(request) }
            return
        }
        drafted.own.append(request)
        add(request, for: .nobody)
    }

    private func add(_ request: Request, for asker: PendingEntries.Asker) {
        draft.add(request)
        drafted.askers.append(asker)
        if draft.isFull { close() }
    }

    /// Adds a change to the whole board as an entry of its own. It is sent until the log has it.
    func add(_ content: LogContent) {
        changes.add(content)
        sendChanges()
    }

    private func sendChanges() {
        guard status == .following else { return }
        for draft in changes.drainUnsent(newName) {
            ready.append(draft)
            pending.add(
                draft.name, PendingEntries.Entry(askers: [], own: [], bytes: draft.payload.count, sent: now))
        }
    }

    /// The settings that this replica has requested and that are not in effect yet.
    var wantedSettings: MachineSettings? { changes.settings }

    /// Requests no time zones any more: the log has some.
    func forgetZones() { changes.forgetZones() }

    /// Finishes the present entry.
    private func close() {
        let name = newName()
        ready.append(DraftEntry(name, draft.payload))
        drafted.bytes = draft.byteCount
        drafted.sent = now
        pending.add(name, drafted)
        draft = EntryDraft()
        drafted = PendingEntries.Entry(askers: [], own: [], bytes: 0, sent: drafted.sent)
    }

    private func newName() -> EntryName { EntryName(rawValue: random.next()) }

    /// Announces to the log that something fell due.
    func propose(_ due: Instant) { ready.append(DraftEntry(newName(), LogContent.turn([]).bytes, due: due)) }

    /// Asks for the log's head.
    func ask(_ question: UInt64) { log.askHead(question: question) }

    /// Sends the finished entries.
    func send() {
        if !draft.isEmpty { close() }
        guard !ready.isEmpty else { return }
        sentCount += UInt64(ready.count)
        log.append(ready, session: session)
        ready.removeAll(keepingCapacity: true)
    }

    // MARK: - Receiving

    /// Restores the waiters of an entry's requests if the entry is this replica's.
    /// - Returns: Who waits for it, and since when; nil if it is another replica's.
    func claim(_ entry: inout LogEntry) -> PendingEntries.Entry? {
        guard let known = pending.remove(entry.position.name) else { return nil }
        changes.finish(entry.position.name)
        guard case .turn(var requests) = entry.content else { return known }
        for (index, asker) in zip(requests.indices, known.askers) {
            switch asker {
            case .nobody: break
            case .request(let waiter), .batch(let waiter): requests[index].waiter = waiter
            }
        }
        entry.content = .turn(requests)
        return known
    }

    /// Reports this replica's position to the others.
    func report(_ position: LogPosition, _ digest: StateDigest, _ divergence: DivergenceDetector) {
        self.digest = digest
        (reported.sequence, reported.entry) = (position.sequence, position.name)
        reported.checkpoint = divergence.newest
        log.report(reported)
    }

    /// Handles notices about entries.
    /// - Returns: Who must be refused, and why.
    func handle(_ news: LogNotice) -> [(PendingEntries.Asker, StoreError)] {
        switch news {
        case .refused(let names, let failure): return lose(names, because: StoreError(.away, failure.cause))
        case .lost(let failure): lose(failure)
        case .taken(let sequence, let session):
            self.session = session
            if case .away = status {
                status = .following
                Log.write(.store, .warning, "the replication log is available again")
                add(own: .outageEnded)
            }
            fence = (sequence, pending.names)
            retryUnsent()
        case .unreadable(let reason):
            status = .stopped(reason)
            report(reason)
        case .loadFailed(let failure):
            guard status.isLoading, status != .loading(failure) else { break }
            status = .loading(failure)
            Log.write(
                .store, .error, "can't load the board; retrying", ["reason": "\(failure)"])
        case .entries, .safe, .members, .head, .loaded, .boardWanted, .snapshot, .snapshotFailed, .warnings: break
        }
        return []
    }

    private func report(_ reason: UnreadableEntry) {
        guard case .zones(let version) = reason else {
            return Log.write(
                .store, .error, "the replication log has an entry that this program can't read; following stopped",
                ["reason": "\(reason)"])
        }
        Log.write(
            .store, .error, "this machine lacks the time zones that the board uses; following stopped",
            ["version": .text(version)])
    }

    /// Returns those whose requests have not come back and never will.
    func removeLost(at position: LogPosition) -> [(PendingEntries.Asker, StoreError)] {
        guard let known = fence, position.sequence >= known.sequence else { return [] }
        fence = nil
        return lose(known.names, because: StoreError(.away, "the replication log was unreachable"))
    }

    /// Marks the log as away. An unreadable entry or a reload takes precedence.
    private func lose(_ failure: LogFailure) {
        switch status {
        case .stopped, .loading: return
        case .away(let known) where known.code == failure.code: break
        case .away, .following:
            Log.write(
                .store, .error, "the replication log is unavailable",
                ["reason": .text(failure.reason), "detail": "\(failure)"])
        }
        status = .away(failure)
    }

    private func lose(_ names: [EntryName], because error: StoreError) -> [(PendingEntries.Asker, StoreError)] {
        var refused: [(PendingEntries.Asker, StoreError)] = []
        for name in names {
            guard let entry = pending.remove(name) else { continue }
            changes.lose(name)
            refused += entry.askers.map { ($0, error) }
            unsaid += entry.own.prefix(max(0, Self.maximumUnsaid - unsaid.count))
        }
        return refused
    }

    private func retryUnsent() {
        let requests = unsaid
        unsaid = []
        for request in requests { add(own: request) }
        sendChanges()
    }

    /// Returns those who have waited too long.
    func removeImpatient(at now: Instant) -> [PendingEntries.Asker] { pending.removeImpatient(at: now) }

    /// Returns everyone who waits.
    func removeAllAskers() -> [PendingEntries.Asker] {
        fence = nil
        changes.loseAll()
        return pending.drain().flatMap(\.askers)
    }

    func shift(byNanoseconds nanoseconds: Int64) { pending.shift(byNanoseconds: nanoseconds) }

    // MARK: - Loading

    /// Reloads the board, because what was applied is not what the log holds.
    /// - Parameter epoch: The present epoch of events.
    func reload(because reason: Reload, in epoch: String) {
        guard !status.isLoading else { return }
        loadingReason = reason
        status = .loading(nil)
        reloads += 1
        if reason == .lost { lossOf = lossOf ?? epoch }
        let cause =
            switch reason {
            case .gap: "the replication log no longer has the entries that this replica needs"
            case .lost: "the replication log has lost entries that were already applied"
            case .differs: "this replica's board differs from the others'"
            case .zones: "the board's time zones are installed now"
            }
        Log.write(.store, .warning, "loading the whole board again", ["reason": .text(cause)])
        log.reload()
    }

    /// Continues with a reloaded board. Subscribers may have received events of entries that the log has lost. Those events
    /// keep their ids: a new epoch begins, and a client that resumes with an old id receives a reset. This is requested only
    /// once, and only if the board knows the lost epoch: another replica may have done it, or this may be another log.
    func loaded(_ machine: borrowing Machine) {
        status = .following
        let lost = changes.lostEpoch ?? lossOf
        lossOf = nil
        changes.forgetEpoch()
        if let lost, machine.knows(epoch: lost) {
            changes.add(.epoch(String(random.next(), radix: 36), lossOf: lost))
        }
        sendChanges()
    }
}
