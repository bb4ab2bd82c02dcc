// A node with a store that commits when the test says so: what is answered when, without threads or sockets.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Labels
import Locales
import Machine
import Persistence
import Publishing
import Storage
import Synchronization
import TestSupport
import Tween
import Wire

@testable import TweencastService

/// Notes what it is answered.
final class NotedExchange: Responder {
    private let noted = Mutex<[HTTPResponse]>([])
    private let context = Mutex<(any StreamContext)?>(nil)

    func send(_ response: HTTPResponse) { noted.withLock { $0.append(response) } }

    func send(_ make: @escaping @Sendable () -> HTTPResponse) { send(make()) }

    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        self.context.withLock { $0 = context }
    }

    /// The first answer, which is the one that counts.
    var answer: HTTPResponse? { noted.withLock { $0.first } }
    var status: Int? { answer?.status }
    var text: String { String(decoding: answer?.body ?? [], as: UTF8.self) }
    var stream: (any StreamContext)? { context.withLock { $0 } }
    /// What makes the rest of a list.
    var portions: ListBody? { answer?.rest as? ListBody }

    func header(_ name: String) -> String? { answer?.headers.first { $0.name == name }?.value }
}

/// Gives every stream a place, and takes no socket.
final class NoSockets: StreamAcceptor {
    private let given = Mutex<UInt32>(0)

    var hasRoom: Bool { true }

    func reserve() -> StreamID? {
        given.withLock { given in
            given += 1
            return StreamID(loop: 0, slot: given - 1, generation: 1)
        }
    }

    func abandon(_ stream: StreamID) {}
    func inspect(number: UInt64) -> Int { 0 }
    func adopt(_ outlet: StreamOutlet, head: StreamHead, _ context: any StreamContext) -> Bool { false }
}

/// Compiles number formats and counts them.
private final class CompilationCount: Sendable {
    let count = Atomic(0)

    func compile(_ format: NumberFormat) throws(NumberFormatError) -> CompiledNumberFormat {
        count.wrappingAdd(1, ordering: .relaxed)
        return try NumberPlanCompiler.compile(format)
    }
}

/// A node, its store, and the messages that it and the store post.
final class NodeScript {
    let store: HandStore
    let node: StandaloneNode
    let planner: LocalePlanner
    private let compiled = CompilationCount()
    /// How many formats its planner has compiled.
    var compilations: Int { compiled.count.load(ordering: .relaxed) }
    /// Compiles what readers' locales need, once it is started.
    let preparation: PreparationQueue
    let inbox = ShardInbox()
    private let posted = PostedMessages()
    private var keys: UInt64 = 0
    var now = Instant(nanoseconds: 1_700_000_000_000_000_000)

    init(
        retryKeys: Int = 100, stored: [StoredAnswer] = [], schedulesPerSweep: Int = 500, keepsLog: Bool = false
    ) {
        store = HandStore()
        planner = LocalePlanner(compiler: compiled.compile)
        preparation = PreparationQueue(planner)
        var log = HubConfiguration()
        log.keepsLog = keepsLog
        let hub = Hub(inboxes: [inbox], configuration: log, epoch: "e")
        let posted = posted
        let clock = ServiceClock(tickRate: 60)
        let parts = ServiceCore.Parts(
            configuration: ServiceConfiguration(), clock: clock, acceptor: NoSockets(), post: { posted.append($0) },
            counters: { TransportCounters() }, call: { posted.call($0.id) }, readers: preparation)
        var board = Engine.Configuration(planner: planner)
        board.maximumSchedulesPerSweep = schedulesPerSweep
        let machine = Machine(
            engine: Engine(configuration: board),
            retries: RetryMemory(stored, capacity: retryKeys, at: now),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh-e")
        node = StandaloneNode(
            parts, machine: machine,
            publisher: Publisher(
                hub, grid: clock.grid, configuration: Publisher.Configuration(), planner: preparation, seed: 1),
            commits: CommitCoordinator(
                store, reader: RecordReading(planner: planner, rules: NoCalendar()), pause: SchedulePause(),
                post: { posted.append(.store($0)) }, report: { _, _ in }))
    }

    /// Sends an update of a ticker, in a turn of its own or in one that then takes what was posted.
    func post(
        _ id: String, _ json: String, key: String? = nil, client: String = "c", expecting: UInt64? = nil,
        beforePosted: Bool = false
    ) throws -> NotedExchange {
        let responder = NotedExchange()
        let name = ResourceName(.ticker, id)
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        var request = CommandRequest(.update(name, update), showing: name, as: .resource(status: 202, created: 202))
        request.precondition = expecting.map { .revision($0) }
        request.retry = key.map { Self.retry($0, id + json, client) }
        let message = Message.asked(.change(.command(request), PendingResponse(responder)))
        let messages = [message] + (beforePosted ? posted.all() : [])
        _ = node.runTurn(with: messages[...], at: now)
        return responder
    }

    /// Sends a batch, in a turn of its own.
    func batch(_ lines: [String], key: String? = nil, reservation: BatchReservation? = nil) -> NotedExchange {
        let responder = NotedExchange()
        let commands = lines.map { line -> Result<Command, Problem> in
            do throws(Problem) {
                return .success(try BatchDecoder.command(Array(line.utf8)[...]))
            } catch {
                return .failure(error)
            }
        }
        var request = BatchRequest(lines: commands, responder: responder)
        request.retry = key.map { Self.retry($0, lines.joined(), "c") }
        request.reservation = reservation
        receive(.asked(.batch(request)))
        return responder
    }

    /// Makes a schedule, due in an hour, in a turn of its own.
    func schedule(_ id: String) throws {
        let (_, definition) = try ScheduleDecoder.definition(
            Array(#"{"in":3600,"do":[{"notify":"n"}]}"#.utf8), rules: NoCalendar())
        let name = ResourceName(.schedule, id)
        let request = CommandRequest(.schedule(name, definition), showing: name, as: .noContent)
        receive(.asked(.change(.command(request), nil)))
    }

    /// Sends what concerns all schedules, in a turn of its own.
    func sweep(_ command: Command, key: String? = nil) -> NotedExchange {
        let responder = NotedExchange()
        var request = CommandRequest(command, as: .schedules)
        request.retry = key.map { Self.retry($0, "\(command)", "c") }
        receive(.asked(.change(.command(request), PendingResponse(responder))))
        return responder
    }

    private static func retry(_ key: String, _ body: String, _ client: String) -> RetryKey {
        var fingerprint = Fingerprint()
        fingerprint.add(body.utf8)
        return RetryKey(key: key, fingerprint: fingerprint.value, client: client)
    }

    /// A turn with one message.
    func receive(_ message: Message) { _ = node.runTurn(with: [message], at: now) }

    /// A turn with nothing new.
    func turn() { _ = node.runTurn(with: [], at: now) }

    /// Turns with what was posted, until nothing is any more.
    func takePosted() {
        while let message = posted.first() { receive(message) }
    }

    /// Webhooks that were called, by id.
    var calls: [String] { posted.calls }

    /// Turns until no batch and no change to all schedules has anything left; the store commits what has to be for that.
    func finishPortions() {
        while node.hasPortions {
            if !node.commits.admitsPortion {
                store.settle(1)
                takePosted()
            }
            turn()
        }
    }

    /// The store fails, and tells what it could not keep.
    func loseStore(to failure: StoreError = StoreError(.full, "no room")) {
        store.settle(failing: failure)
        takePosted()
    }

    /// The store is well again: the board is as the store has it, and changes are taken.
    func recoverStore() {
        store.settle()
        store.finishRecovery()
        takePosted()
        store.settle()
        takePosted()
    }

    func target(_ id: String) -> Double? {
        node.core.machine.engine.track(ResourceName(.ticker, id))?.target.double
    }
}

private final class PostedMessages: Sendable {
    private let messages = Mutex<[Message]>([])
    private let called = Mutex<[String]>([])

    func call(_ id: String) { called.withLock { $0.append(id) } }
    var calls: [String] { called.withLock { $0 } }

    func append(_ message: Message) { messages.withLock { $0.append(message) } }

    func all() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    func first() -> Message? { messages.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
