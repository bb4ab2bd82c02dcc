// Replicas of one board over a log that a test reads out to each of them when it says so: without threads or sockets.

import Base
import Board
import Gateway
import Labels
import Locales
import Machine
import Publishing
import RecurrenceRules
import Replication
import Storage
import Synchronization
import TestSupport
import Tween
import Wire

@testable import EventStream
@testable import TweencastService

/// A log in memory, for several replicas.
final class HandLog: Sendable {
    private struct State {
        var entries: [RawEntry] = []
        var sent: [RawEntry] = []
        var random = SeededRandom(seed: 9)
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> Instant

    init(clock: @escaping @Sendable () -> Instant) { self.clock = clock }

    var entries: [RawEntry] { state.withLock { $0.entries } }

    /// Takes an entry, as a log's keeper does.
    func take(_ draft: DraftEntry) {
        let now = clock()
        state.withLock { state in
            let last = state.entries.last?.position ?? .start
            if let due = draft.due, last.instant > due { return }
            let instant = max(now, last.instant.advanced(byNanoseconds: 1_000))
            let position = LogPosition(sequence: last.sequence + 1, instant: instant, name: draft.name)
            state.entries.append(RawEntry(position: position, previous: last.name, payload: draft.payload))
        }
    }

    func append(_ content: LogContent) {
        take(DraftEntry(EntryName(rawValue: state.withLock { $0.random.next() }), content.bytes))
    }
}

/// One replica's way to that log.
final class HandLogAccess: SharedLog {
    private struct State {
        var sent: [DraftEntry] = []
        var session: UInt64 = 0
        var reports: [ReplicaReport] = []
        var reloads = 0
        var clockResets = 0
        var stored: [LoadedBoard?] = []
        var question: UInt64?
    }

    private let state = Mutex(State())

    /// The session of what was handed over last.
    var session: UInt64 { state.withLock { $0.session } }

    func append(_ entries: [DraftEntry], session: UInt64) {
        state.withLock {
            $0.sent += entries
            $0.session = session
        }
    }
    func reload() { state.withLock { $0.reloads += 1 } }
    func askHead(question: UInt64) { state.withLock { $0.question = question } }
    func report(_ report: ReplicaReport) { state.withLock { $0.reports.append(report) } }
    func store(_ board: LoadedBoard?) { state.withLock { $0.stored.append(board) } }
    func resetClock() { state.withLock { $0.clockResets += 1 } }
    func close() {}

    /// What was handed over and has not reached the log.
    func takeSent() -> [DraftEntry] {
        state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
    }

    /// The newest question how far the log has come, once.
    func takeQuestion() -> UInt64? {
        state.withLock { state in
            defer { state.question = nil }
            return state.question
        }
    }

    var sentCount: Int { state.withLock { $0.sent.count } }
    var reloads: Int { state.withLock { $0.reloads } }
    /// Boards that it was given to write back.
    var stored: [LoadedBoard?] { state.withLock { $0.stored } }
    var clockResets: Int { state.withLock { $0.clockResets } }
    var lastReport: ReplicaReport? { state.withLock { $0.reports.last } }
}

/// A test's own time.
final class HandClock: Sendable {
    private let time = Atomic<Int64>(1_700_000_000_000_000_000)

    var now: Instant { Instant(nanoseconds: time.load(ordering: .relaxed)) }
    func set(_ now: Instant) { time.store(now.nanoseconds, ordering: .relaxed) }
    func wait(_ seconds: Double) { time.wrappingAdd(Int64(seconds * 1e9), ordering: .relaxed) }
}

/// One replica.
final class HandReplica {
    let name: String
    let access = HandLogAccess()
    let node: ReplicaNode
    let inbox = ShardInbox()
    private let log: HandLog
    private let clock: HandClock
    private let calls = NotedCalls()
    private let sharing = SharedSwitch()
    let time: ServiceClock
    private(set) var lastTick: Int64 = 0
    private var read = 0
    private var streams: UInt32 = 0

    init(_ name: String, _ log: HandLog, _ clock: HandClock, isHolding: Bool = false) {
        self.name = name
        self.log = log
        self.clock = clock
        let planner = LocalePlanner()
        let readers = PreparationQueue(planner)
        time = ServiceClock(ofLogWithTickRate: 60)
        time.add(ClockEstimate.Sample(sent: time.monotonic(), received: time.monotonic(), shown: clock.now.nanoseconds))
        let (calls, sharing) = (calls, sharing)
        let parts = ServiceCore.Parts(
            configuration: ServiceConfiguration(), clock: time, acceptor: NoSockets(), post: { _ in },
            counters: { TransportCounters() }, sharesAddress: { sharing.isOn.load(ordering: .relaxed) },
            call: { calls.append($0.id) }, readers: readers)
        let hub = Hub(inboxes: [inbox], configuration: HubConfiguration(), epoch: "e")
        node = ReplicaNode(
            parts,
            board: LoadedBoard(
                machine: Self.emptyMachine(at: clock.now), follower: Follower(period: time.period), events: []),
            publisher: Publisher(
                hub, grid: time.grid, configuration: Publisher.Configuration(), planner: readers, seed: 1),
            logClient: LogClient(access, name: name, clock: time), isHolding: isHolding)
    }

    private static func emptyMachine(at now: Instant) -> Machine {
        var machine = Machine(
            engine: Engine(configuration: Engine.Configuration(planner: LocalePlanner())),
            retries: RetryMemory([], capacity: 100, at: now),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh-e", sharesTurns: true)
        machine.set(ServiceConfiguration().machine)
        return machine
    }

    /// Whether another process serves its address.
    var sharesAddress: Bool {
        get { sharing.isOn.load(ordering: .relaxed) }
        set { sharing.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Asks for a ticker.
    func look(at id: String) -> NotedExchange {
        let responder = NotedExchange()
        receive(.asked(.query(.resource(ResourceName(.ticker, id), preview: 0, locale: nil), responder)))
        return responder
    }

    /// Is told how far the log had come when it asked.
    func hearHead() {
        guard let question = access.takeQuestion() else { return }
        receive(.log(.head(UInt64(log.entries.count), question: question)))
    }

    /// Webhooks that it called.
    var called: [String] { calls.all }
    var machine: Machine { node.core.machine }

    /// A turn, and a tick where one is due.
    func receive(_ messages: Message...) {
        _ = node.runTurn(with: messages[...], at: clock.now)
        let tick = time.dueTick(at: clock.now)
        guard node.wantsTick, tick > lastTick else { return }
        node.tick(tick, isLate: false)
        lastTick = tick
    }

    /// What it has sent reaches the log.
    func deliver() { for draft in access.takeSent() { log.take(draft) } }

    /// Takes in what is in the log, of those entries that it has not read.
    func follow() throws {
        let new = try log.entries.dropFirst(read).map(Self.read)
        read += new.count
        receive(.log(.entries(new)))
        while !node.backlog.isEmpty || node.isBusy {
            // What is later than a tick to come waits for that.
            if !node.isBusy { clock.wait(0.001) }
            receive()
        }
    }

    private static func read(_ raw: RawEntry) throws(UnreadableEntry) -> LogEntry {
        LogEntry(
            position: raw.position, previous: raw.previous,
            content: try LogContent(raw.payload, rules: NoCalendar()))
    }

    /// Passes over entries, as one does for whom they are in the log no more.
    func skip(_ count: Int) { read += count }

    /// Sends an update of a ticker.
    func post(_ id: String, _ json: String, key: String? = nil, expecting: UInt64? = nil) throws -> NotedExchange {
        let responder = NotedExchange()
        let name = ResourceName(.ticker, id)
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        var request = CommandRequest(.update(name, update), showing: name, as: .resource(status: 202, created: 202))
        request.precondition = expecting.map { .revision($0) }
        request.retry = key.map { RetryKey(key: $0, fingerprint: 1, client: "c") }
        receive(.asked(.change(.command(request), PendingResponse(responder))))
        return responder
    }

    func batch(_ lines: [String], key: String? = nil) -> NotedExchange {
        let responder = NotedExchange()
        let retry = key.map { RetryKey(key: $0, fingerprint: 1, client: "c") }
        receive(.asked(.batch(BatchRequest(lines: MachineScript.lines(lines), retry: retry, responder: responder))))
        return responder
    }

    /// What a stream of everything is told at its beginning.
    /// - Parameter lastEventID: Of its reader.
    func greeting(_ variant: Variant = .json, after lastEventID: String? = nil) -> String {
        let patterns = TopicKind.allCases.compactMap { TopicPattern(kind: $0, parsing: "*") }
        let request = StreamRequest(parts: StreamParts(TopicSelection(patterns), variant), lastEventID: lastEventID)
        streams += 1
        receive(.open(OpenedStream(request), StreamID(loop: 0, slot: streams, generation: 0)))
        return told { message in
            guard case .open(let opening) = message else { return nil }
            return String(decoding: opening.portion.bytes, as: UTF8.self)
        }
    }

    /// What single streams were told since this was last asked.
    func toldAlone() -> String {
        told { if case .tell(_, let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil } }
    }

    /// What its streams were sent together since this was last asked.
    func sentToAll() -> String {
        told { if case .batch(let batch) = $0 { String(decoding: batch.bytes, as: UTF8.self) } else { nil } }
    }

    private func told(_ text: (ShardMessage) -> String?) -> String {
        node.sendEvents(at: clock.now)
        var messages: [ShardMessage] = []
        inbox.receive(into: &messages)
        return messages.compactMap(text).joined()
    }

    /// Its board, as a snapshot of it would be loaded.
    func loaded() -> LoadedBoard {
        LoadedBoard(
            machine: machine,
            follower: Follower(at: node.position, digest: node.digest, period: 1_000_000_000 / 60),
            events: [])
    }

    /// A board that is loaded from the log's first entry on, with what was told on the way.
    func loadedFromLog() throws -> LoadedBoard {
        var (machine, recorder) = (Self.emptyMachine(at: clock.now), HistoryRecorder(HubConfiguration()))
        var follower = Follower(period: 1_000_000_000 / 60)
        for raw in log.entries {
            var told: [(Consequence, String)] = []
            try follower.apply(Self.read(raw), by: &machine) { told.append(($0, $1.epoch)) }
            for (consequence, epoch) in told { recorder.record(consequence, epoch: epoch) }
        }
        return LoadedBoard(machine: machine, follower: follower, events: recorder.kept)
    }

    func value(_ id: String) -> Double? { machine.engine.track(ResourceName(.ticker, id))?.target.double }
}

private final class SharedSwitch: Sendable {
    let isOn = Atomic(false)
}

/// Ids of webhooks that were called.
private final class NotedCalls: Sendable {
    private let ids = Mutex<[String]>([])
    func append(_ id: String) { ids.withLock { $0.append(id) } }
    var all: [String] { ids.withLock { $0 } }
}

/// Replicas and their log.
final class ReplicaScript {
    let clock = HandClock()
    let log: HandLog
    let replicas: [HandReplica]

    init(_ count: Int = 3, isHolding: Bool = false) {
        let clock = clock
        let log = HandLog { clock.now }
        self.log = log
        replicas = (0..<count).map { HandReplica("r\($0)", log, clock, isHolding: isHolding) }
    }

    /// Everything that was sent reaches the log, and all read it, until nothing is on its way.
    /// - Parameter absent: One that does neither.
    func settle(without absent: HandReplica? = nil) throws {
        let there = replicas.filter { $0 !== absent }
        repeat {
            for replica in there { replica.deliver() }
            for replica in there { try replica.follow() }
        } while there.contains { $0.access.sentCount > 0 }
    }

    /// Tells all who is there; the first one is the steward.
    func meet(steward: Int? = 0, gone: [String] = []) {
        for (index, replica) in replicas.enumerated() {
            var membership = Membership()
            membership.replicas = replicas.map { $0.access.lastReport ?? ReplicaReport(name: $0.name) }
            membership.gone = gone
            if index == steward { membership.stewardUntil = .max }
            replica.receive(.log(.members(membership)))
        }
    }

    var digests: Set<UInt64?> { Set(replicas.map { $0.node.digest.value }) }
}
