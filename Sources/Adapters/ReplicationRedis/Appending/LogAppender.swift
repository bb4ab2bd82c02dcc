// What a replica decides about its end of the log: when it appends, beats, confirms, gives a session up and begins another. In
// turns, so that a thread takes them in one program and a simulation in another.

import Base
import Machine
import Replication
import Synchronization
import Tween

/// Appends entries, and exchanges heartbeats, which also return the log's time. Used by one thread at a time.
final class LogAppender: @unchecked Sendable {
    // @unchecked because: one thread takes the turns; what others reach guards itself.
    enum Message: Sendable {
        case entries([DraftEntry], session: UInt64)
        case head(question: UInt64)
        case resetClock
    }

    /// Nanoseconds between two heartbeats.
    private static let beat: Int64 = 250_000_000
    /// Milliseconds of the steward's lease after its last heartbeat.
    private static let lease = 3_000
    /// Seconds without a heartbeat after which a replica counts as gone.
    static let silence = 10
    /// Nanoseconds between two attempts to connect.
    private static let pause: Int64 = 200_000_000

    let current = ConnectionInUse()
    private let parts: RedisLog.Parts
    private let snapshotWriter: SnapshotWriter
    private let report: Mutex<ReplicaReport>
    private var session: LogSession?
    /// How many sessions have begun since the first.
    private var count: UInt64 = 0
    /// Why there is no session.
    private var failure = LogFailure(.away, "no session has begun")
    /// Monotonic nanoseconds of the next turn even if there is no message: of a heartbeat, or of an attempt to connect.
    private(set) var nextTurn: Int64 = 0

    init(_ parts: RedisLog.Parts) {
        self.parts = parts
        snapshotWriter = SnapshotWriter(parts)
        report = Mutex(ReplicaReport(name: parts.needs.name))
    }

    private var now: Int64 { parts.surroundings.monotonic() }

    // MARK: - Any thread

    func report(_ new: ReplicaReport) { report.withLock { $0 = new } }

    /// Writes a board back that the server has lost.
    /// - Parameter board: nil if there is none to write.
    func store(_ board: LoadedBoard?) { snapshotWriter.store(board) }

    /// Waits for the current snapshot.
    func stopSnapshots() { snapshotWriter.stop() }

    // MARK: - Turns

    /// Goes on with a session that has begun.
    func begin(_ session: LogSession) {
        self.session = session
        current.set(session.connection)
        nextTurn = now
    }

    /// Sends messages, a heartbeat if it is time for one, and connects if it is time for that.
    func turn(_ messages: [Message]) {
        let session: LogSession
        do throws(RedisError) {
            guard let living = try living() else { return refuse(messages) }
            session = living
        } catch {
            lose(error)
            return refuse(messages)
        }
        do throws(RedisError) {
            try append(messages, session)
            guard now >= nextTurn else { return }
            try beat(session)
            // Entries that were not confirmed in time may be by now. Also shows without any entry that too few can.
            try waitUntilSafe(session)
            nextTurn = now + Self.beat
        } catch {
            lose(error)
        }
    }

    /// Leaves the board.
    func leave() {
        if let session { _ = try? session.call(.leave, []) }
        close()
    }

    /// Returns the session, which may begin only now; nil until it is time to try.
    private func living() throws(RedisError) -> LogSession? {
        if let session { return session }
        guard now >= nextTurn else { return nil }
        let session = try LogSession(parts, mayMake: false)
        begin(session)
        count += 1
        session.count = count
        parts.needs.post(.taken(upTo: session.head, session: count))
        session.warnings = try RedisLog.warnings(of: session.connection)
        parts.needs.post(.warnings(session.warnings))
        return session
    }

    private func lose(_ error: RedisError) {
        close()
        failure = LogFailure(error, whenEmpty: parts.whenEmpty)
        parts.needs.post(.lost(failure))
        if LogSession.isGone(error) { announceBoard() }
        nextTurn = now + Self.pause
    }

    private func close() {
        current.set(nil)
        session?.connection.close()
        session = nil
    }

    /// Notes on a server that has lost the board that this replica has it, and writes it back if it should.
    private func announceBoard() {
        // What fails is tried again with the next session.
        guard (try? BoardAbsence(parts).announce(report.withLock { $0 })) == true else { return }
        snapshotWriter.want(for: .board)
    }

    /// Rejects messages while there is no connection.
    private func refuse(_ messages: [Message]) {
        let names = messages.flatMap { message -> [EntryName] in
            if case .entries(let entries, _) = message { entries.map(\.name) } else { [] }
        }
        if !names.isEmpty { parts.needs.post(.refused(names, failure)) }
    }

    private func append(_ messages: [Message], _ session: LogSession) throws(RedisError) {
        var entries: [DraftEntry] = []
        var question: UInt64?
        for message in messages {
            switch message {
            case .entries(let new, let count) where count == session.count: entries += new
            case .entries(let late, _):
                parts.needs.post(.refused(late.map(\.name), LogFailure(.away, "the replication log was unreachable")))
            case .head(let newest): question = newest
            case .resetClock: try resetClock(session)
            }
        }
        // The answer to the last question answers all earlier ones.
        if let question { parts.needs.post(.head(try session.currentHead(), question: question)) }
        // A server that has lost the script rejects each entry, and appends none.
        var last: EntryName?
        var expected = session.expected
        while !entries.isEmpty {
            let sent = try send(entries, session, at: expected, &last)
            entries = sent.rest
            if sent.isUnknown { try LogScript.append.script.load(on: session.connection) }
            guard sent.hasStepped else { continue }
            try session.settleClock()
            expected = []
        }
        guard let last else { return }
        session.unconfirmed = last
        try waitUntilSafe(session)
    }

    /// The result of sending entries.
    private struct Sent {
        /// Entries that the server didn't append, because it doesn't know the script or the time differed.
        var rest: [DraftEntry] = []
        var isUnknown = false
        var hasStepped = false
    }

    /// Sends entries and handles the reply to each.
    private func send(
        _ entries: [DraftEntry], _ session: LogSession, at expected: [UInt8], _ last: inout EntryName?
    ) throws(RedisError) -> Sent {
        for entry in entries {
            let due = entry.due.map { Array(String($0.nanoseconds / 1_000).utf8) } ?? []
            session.append(.append, [LogSession.text(entry.name), entry.payload, due], at: expected)
        }
        let began = now
        var sent = Sent()
        for entry in entries {
            do throws(RedisError) {
                let reply = try session.connection.value(of: session.connection.receive())
                guard let fields = reply.elements, fields.count == 2, let shown = fields[1].integer
                else { throw RedisError(.protocolError, "unexpected answer to an append") }
                // Nobody waits for an announcement.
                if entry.due == nil { last = entry.name }
                if entries.count == 1, !parts.clock.look(from: began, shown) { sent.hasStepped = true }
            } catch let error where error.code == .noScript {
                sent.isUnknown = true
                sent.rest.append(entry)
            } catch let error where LogSession.isStepped(error) {
                sent.hasStepped = true
                sent.rest.append(entry)
            } catch {
                // Without a reply, the entry may be in the log; with an error reply, it is not.
                if session.connection.failure != nil { throw error }
                parts.needs.post(.refused([entry.name], LogFailure(error)))
                if Self.endsSession(error) { throw error }
            }
        }
        return sent
    }

    /// Returns whether this connection would accept no further entry.
    private static func endsSession(_ error: RedisError) -> Bool {
        switch error.code {
        case .readOnly, .moved, .protocolError: true
        case .unreachable, .refused, .outOfMemory, .loading, .noScript, .noReplicas, .unsuitable, .absent, .failed:
            LogSession.isOver(error)
        }
    }

    /// Waits until enough of the server's replicas have what was sent. While there are too few, it doesn't wait for long:
    /// nothing else can be sent meanwhile, and each heartbeat asks again.
    private func waitUntilSafe(_ session: LogSession) throws(RedisError) {
        guard parts.wait > 0 else { return }
        let milliseconds = session.confirming == nil ? Self.confirmation : Self.lateConfirmation
        let count = try session.connection.call("WAIT", String(parts.wait), String(milliseconds)).integer ?? 0
        let confirming = count < parts.wait ? count : nil
        if confirming != session.confirming {
            session.confirming = confirming
            parts.needs.post(.warnings(session.warnings + (confirming.map { [tooFew($0)] } ?? [])))
        }
        guard confirming == nil, let safe = session.unconfirmed.take() else { return }
        parts.needs.post(.safe(upTo: safe))
    }

    /// Milliseconds that the server's replicas have to confirm, and that they have after they didn't.
    private static let confirmation = 1_000
    private static let lateConfirmation = 200

    private func tooFew(_ count: Int64) -> String {
        "changes are answered with 503, because \(count) replicas of the Redis confirm them and --redis-wait is "
            + "\(parts.wait): bring the others back, or start with less"
    }

    private func resetClock(_ session: LogSession) throws(RedisError) {
        let lead = session.lead
        guard lead != 0 else { return }
        let payload = LogContent.clockSet(-lead * 1_000).bytes
        try session.call(
            .resetClock,
            [LogSession.text(parts.newName()), payload, Array(String(lead).utf8)])
    }

    // MARK: - Heartbeats

    private func beat(_ session: LogSession) throws(RedisError) {
        let own = report.withLock { $0 }
        let began = now
        let text = ReportText.text(of: own)
        let place = SnapshotStore(address: parts.server.address).place
        // It would fail until the next check of all pieces, while nobody could load the board.
        if snapshotWriter.drainFailure() { session.checked = nil }
        let reply = try session.call(
            .beat,
            [[UInt8]](
                words: text, String(Self.lease), String(Self.silence * 1_000_000), own.isFollowing ? "1" : "0", place,
                session.checked.map { $0.until > began ? $0.slot : "" } ?? ""))
        guard let fields = reply.elements, fields.count == 11 else {
            throw RedisError(.protocolError, "unexpected answer to a heartbeat")
        }
        let (now, lead): (Int64, Int64)
        var membership = Membership()
        do throws(FieldDamage) {
            (now, lead) = (try fields[0].number("set"), try fields[4].number("lead"))
            membership.head = LogPosition(
                sequence: UInt64(clamping: try fields[1].count("seq")), instant: try fields[2].instant("instant"),
                name: EntryName(rawValue: try fields[3].bits("name")))
        } catch {
            throw error.error(in: "the head")
        }
        if !parts.clock.look(from: began, now) { try session.settleClock() }
        session.lead = lead
        (membership.reported, membership.reportedEntry) = (own.sequence, own.entry)
        membership.clockLead = lead * 1_000
        membership.missing = fields[9].text
        if fields[5].text == parts.needs.name { membership.stewardUntil = began + Int64(Self.lease) * 1_000_000 }
        addMembers(fields[6], at: now, to: &membership)
        parts.needs.post(.members(membership))
        // The steward checks the snapshot, or everybody while there is none.
        let hasChecked = fields[5].text.map { $0 == parts.needs.name } ?? true
        recordCheck(hasChecked && membership.missing == nil ? fields[8] : .null, at: began, session)
        if membership.missing != nil {
            guard own.hasBoard, isFurthest(in: membership, steward: fields[5].text) else { return }
            let mayRewind = fields[10].integer.map { haveReported(fields[6], since: $0, at: now) } ?? false
            snapshotWriter.want(for: .part(session: session.number, mayRewind: mayRewind))
        } else if membership.stewardUntil != nil {
            writeSnapshot(of: membership, bytes: fields[7], fields[8], at: now, session)
        }
    }

    private func addMembers(_ reply: RedisReply, at now: Int64, to membership: inout Membership) {
        membership.othersSilence = nil
        for (member, value) in reply.pairs {
            guard let (seen, report) = ReportText.report(of: member, value.text ?? "") else { continue }
            if member != parts.needs.name {
                membership.othersSilence = min(membership.othersSilence ?? .max, now - seen)
            }
            if now - seen > Int64(Self.silence) * 1_000_000 {
                membership.gone.append(member)
            } else {
                membership.replicas.append(report)
            }
        }
        membership.replicas.sort { $0.name < $1.name }
    }

    /// Whether all that don't count as gone have reported since the log's loss was noted. Then no report is from before it, and
    /// who is furthest is known.
    private func haveReported(_ reply: RedisReply, since instant: Int64, at now: Int64) -> Bool {
        reply.pairs.allSatisfy { member, value in
            guard let (seen, _) = ReportText.report(of: member, value.text ?? "") else { return true }
            return member == parts.needs.name || seen > instant || now - seen > Int64(Self.silence) * 1_000_000
        }
    }

    /// Records which snapshot was found complete, so that the next heartbeats don't look for each of its pieces.
    /// - Parameter snapshot: null if this heartbeat has not found it complete.
    private func recordCheck(_ snapshot: RedisReply, at began: Int64, _ session: LogSession) {
        guard let fields = snapshot.elements, fields.count > 4, let slot = fields[4].text else {
            session.checked = nil
            return
        }
        if let checked = session.checked, checked.slot == slot, checked.until > began { return }
        session.checked = (slot, began + Self.check)
    }

    /// Nanoseconds between two checks of all pieces of the newest snapshot.
    private static let check: Int64 = 10_000_000_000

    /// Whether this replica writes back what is missing: the one that is furthest in the log, whose board lacks the least.
    /// Among equals it is the steward, or the first by name. One that reports more than the log has loads the board again.
    private func isFurthest(in membership: Membership, steward: String?) -> Bool {
        let candidates = membership.replicas.filter { $0.hasBoard && $0.sequence <= membership.head.sequence }
        let most = candidates.map(\.sequence).max()
        let furthest = candidates.filter { $0.sequence == most }.map(\.name)
        let writer = furthest.first { $0 == steward } ?? furthest.first
        return writer == parts.needs.name
    }

    /// Begins a snapshot if one is due.
    private func writeSnapshot(
        of membership: Membership, bytes: RedisReply, _ last: RedisReply, at now: Int64, _ session: LogSession
    ) {
        guard let last = last.elements, last.count >= 4 else { return }
        let plan = SnapshotPlan(
            sequence: membership.head.sequence, bytes: bytes.integer ?? 0, now: now,
            snapshot: UInt64(clamping: last[0].integer ?? 0), mark: last[1].integer ?? 0,
            size: last[2].integer ?? 0, written: last[3].integer ?? 0)
        if plan.isDue(every: parts.snapshotEntries) { snapshotWriter.begin(session: session.number) }
    }
}
