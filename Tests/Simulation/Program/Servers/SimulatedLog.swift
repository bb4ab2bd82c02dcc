// The log that replicas share, at the level of `SharedLog`: which server has it, and what may befall that.

import Base
import Board
import Machine
import RecurrenceRules
import Replication
import Tween
import TweencastService
import Wire

/// The log's server, and those that take its place.
final class SimulatedLog {
    /// Nanoseconds for which a replica may work on with a server that was replaced: until it asks who the server is.
    private static let lingering: ClosedRange<Int64> = 0...(.seconds(1))
    /// Nanoseconds for which replicas say that they have the board, before one writes it back.
    private static let announcing: Int64 = .seconds(1)
    static let gone = LogFailure(.gone, "GONE the board is not here")

    let world: World
    private(set) var server: LogServer
    private var epoch = ""
    private var accesses: [SimulatedLogAccess] = []
    /// Replicas that work on with a server that was replaced.
    private var stale: [(access: SimulatedLogAccess, server: LogServer)] = []
    /// The longest that an entry takes on its way to the log or from it. A tick waits for 2 ms.
    let latency: Int64
    /// Called when replicas may show different frames for a while.
    var isDisturbed: () -> Void = {}
    /// An entry that can't be read, and what is read in its place.
    private var damage: (name: EntryName, payload: [UInt8])?
    /// Called with the next entry that is added.
    private var whenAdded: ((RawEntry) -> Void)?
    /// When replicas may write the board back that the server has lost; nil while they must not.
    private var writtenBackFrom: Int64?
    /// Puts a copy of what the server had in its place.
    private var restoreCopy: (() -> Void)?

    init(_ world: World) {
        self.world = world
        server = LogServer(world)
        latency = world.pick([.microseconds(400), .milliseconds(3), .milliseconds(30)])
    }

    // MARK: - Replicas

    /// Begins a session with the server, and makes the board if there was none yet.
    /// - Throws: If the server has lost the board.
    func begin(_ access: SimulatedLogAccess, _ needs: LogContext) throws(LogFailure) -> LogServer {
        guard !server.isEmpty else { throw Self.gone }
        if !accesses.contains(where: { $0 === access }) { accesses.append(access) }
        if epoch.isEmpty {
            epoch = needs.epoch
            if !needs.rules.zoneVersion.isEmpty { append(.zones(needs.rules.zoneVersion, nil)) }
        }
        if server.isOfNewHistory {
            server.isOfNewHistory = false
            append(.epoch(String(world.chance.next(), radix: 36), lossOf: nil))
        }
        return server
    }

    func forget(_ access: SimulatedLogAccess) { accesses.removeAll { $0 === access } }

    private func append(_ content: LogContent) {
        append(DraftEntry(EntryName(rawValue: world.chance.next()), content.bytes), to: server)
    }

    /// Appends an entry to the log of a server, which may have been replaced.
    func append(_ draft: DraftEntry, to server: LogServer) {
        guard let entry = server.append(draft) else { return }
        whenAdded?(entry)
        for access in accesses { access.readSoon() }
    }

    /// Loads the board: that which the log goes on behind, with all entries.
    func board(of server: LogServer, _ needs: LogContext) throws(LogFailure) -> LoadedBoard {
        guard !server.isEmpty else { throw Self.gone }
        var machine = server.base?.machine ?? needs.machine(epoch)
        var (recorder, follower) = (needs.recorder(), server.base?.follower ?? Follower(period: needs.period))
        recorder.restore(server.base?.events ?? [])
        for raw in server.entries {
            var told: [(Consequence, String)] = []
            do throws(UnreadableEntry) {
                let entry = try read(raw, needs)
                do throws(LogBreak) {
                    try follower.apply(entry, by: &machine) { told.append(($0, $1.epoch)) }
                } catch {
                    throw UnreadableEntry.outOfPlace
                }
            } catch {
                throw LogFailure(.away, "entry \(raw.position.sequence) of the log can't be followed: \(error)")
            }
            for (consequence, epoch) in told { recorder.record(consequence, epoch: epoch) }
        }
        return LoadedBoard(machine: machine, follower: follower, events: recorder.kept)
    }

    func read(_ raw: RawEntry, _ needs: LogContext) throws(UnreadableEntry) -> LogEntry {
        let payload = damage?.name == raw.position.name ? damage?.payload ?? [] : raw.payload
        let content = try LogContent(payload, rules: needs.rules)
        let entry = LogEntry(position: raw.position, previous: raw.previous, content: content)
        needs.prepare(entry)
        return entry
    }

    // MARK: - Another server

    /// Fails over to a server that lacks the last entries. Some replicas work with the old one until they notice.
    func failOver(lacking count: Int) {
        let old = server
        guard !old.isEmpty, replace(lacking: count) else { return }
        world.history.mark("log lost a suffix")
        for access in accesses where access.server === old {
            guard world.happens(0.3) else {
                access.leave(old)
                continue
            }
            world.history.mark("replica stayed with a replaced server")
            stale.append((access, old))
            world.after(world.nanoseconds(Self.lingering)) { [self] in leave(old, access) }
        }
    }

    /// A replica notices that its server was replaced. What it was told there is lost as well.
    private func leave(_ old: LogServer, _ access: SimulatedLogAccess) {
        stale.removeAll { $0.access === access && $0.server === old }
        guard access.server === old else { return }
        writeLoss()
        access.leave(old)
    }

    /// Puts a server in the place of this one, unless it would lack nothing.
    private func replace(lacking count: Int) -> Bool {
        let new = server.copy(lacking: count)
        guard new.head.sequence < server.head.sequence else { return false }
        server = new
        writeLoss()
        isDisturbed()
        return true
    }

    private func writeLoss() { world.history.write("suffix lost", at: world.now) { _ in } }

    /// Loses everything, and has a copy of it after so long, which may be older.
    func restore(lacking count: Int, after time: Int64) {
        guard !server.isEmpty else { return }
        world.history.mark("log restored from a copy")
        let copy = server.copy(lacking: count)
        let isOlder = copy.head.sequence < server.head.sequence
        empty()
        restoreCopy = { [self] in
            restoreCopy = nil
            server = copy
            if isOlder { writeLoss() }
        }
        world.after(time) { [self] in restoreCopy?() }
    }

    /// Loses everything, which a replica writes back.
    func lose() {
        guard !server.isEmpty else { return }
        world.history.mark("log emptied")
        world.history.write("board lost", at: world.now) { _ in }
        empty()
        writtenBackFrom = world.now + Self.announcing
    }

    private func empty() {
        isDisturbed()
        server.empty()
    }

    /// Whether this replica is the one that writes the lost board back: the one that is furthest in the log.
    func wantsBoard(of access: SimulatedLogAccess) -> Bool {
        guard let writtenBackFrom, world.now >= writtenBackFrom else { return false }
        let holders = accesses.filter(\.own.hasBoard)
        let most = holders.map(\.own.sequence).max()
        return holders.first { $0.own.sequence == most } === access
    }

    /// Goes on behind a board, in place of what was lost.
    func writeBack(_ board: LoadedBoard) {
        guard server.isEmpty, writtenBackFrom != nil else { return }
        world.history.mark("board written back to the log")
        writtenBackFrom = nil
        server = LogServer(world, base: board)
        server.isOfNewHistory = true
    }

    // MARK: - Entries that can't be read

    /// The next entry can't be read for so long, perhaps not before some replicas have read it: a newer version wrote it, or it
    /// was damaged.
    func damageNext(for time: Int64, then act: @escaping () -> Void) {
        guard whenAdded == nil, damage == nil else { return }
        whenAdded = { [self] entry in
            whenAdded = nil
            isDisturbed()
            world.after(world.pick([0, 0, latency / 2])) { [self] in
                damage = (entry.position.name, damaged(entry.payload))
                world.after(time, act)
            }
        }
    }

    private func damaged(_ payload: [UInt8]) -> [UInt8] {
        let newer: [UInt8] = [LogContent.format + 1] + payload.dropFirst()
        return world.pick([newer, payload + [0], payload.dropLast(), []])
    }

    /// Whether an entry can't be read, or will be such.
    var isDamaged: Bool { damage != nil || whenAdded != nil }

    /// Every entry can be read again.
    func repair() { damage = nil }

    /// Nothing befalls it any more.
    func calm() {
        whenAdded = nil
        repair()
        restoreCopy?()
        for (access, old) in stale { leave(old, access) }
    }
}

/// Opens the log for one process.
final class SimulatedLogOpener: LogOpener, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    private let log: SimulatedLog
    private let machine: SimulatedMachine
    private let wake: () -> Void
    private(set) var access: SimulatedLogAccess?

    init(_ log: SimulatedLog, _ machine: SimulatedMachine, wake: @escaping () -> Void) {
        (self.log, self.machine, self.wake) = (log, machine, wake)
    }

    let isHolding = false

    func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard) {
        let access = SimulatedLogAccess(log, machine, needs, wake: wake)
        let board = try access.open()
        self.access = access
        return (access, board)
    }

    func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard { try log.board(of: log.server, needs) }

    func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure) {
        throw LogFailure(.refused, "a simulated log is not copied to")
    }
}
