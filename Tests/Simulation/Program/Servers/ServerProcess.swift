// A process of a server: the service, its connections, and the requests that it has not answered.

import Base
import HTTPTransport
import RecurrenceRules
import TweencastService
import Wire

/// What a client hears of its request.
enum Reply {
    case response(HTTPResponse)
    case stream(StreamConnection)
    /// The connection broke inside the body, of which this much had come.
    case cut([UInt8])
    /// The connection broke before an answer came.
    case lost
}

/// What receives a stream.
struct StreamReceiver {
    let receive: ([UInt8]) -> Void
    /// The stream is over, or its connection broke.
    let end: () -> Void
}

/// A request of a client.
struct ClientRequest {
    var method: String
    var target: String
    var headers: [(name: String, value: String)] = []
    var body = ""
    /// Whether it may leave before it has read its answer.
    var isImpatient = false
}

/// A running service.
final class ServerProcess: StreamAcceptor, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Nanoseconds until another thread of the process acts.
    private static let hop: ClosedRange<Int64> = 0...(.microseconds(300))
    private static let latency: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(3))
    /// Nanoseconds after which a stream that accepts nothing is ended. A server waits for 30 s; readers here stall for 5 s.
    private static let stall: Int64 = .seconds(3)
    /// Nanoseconds for which a stream may accept nothing before its reader lags, as a loop has it, and after which one that has
    /// kept up lags no longer.
    private static let lateness: Int64 = .milliseconds(10)
    private static let lagMemory = Int64(StreamConfiguration().lagMemory * 1e9)
    /// Runs of the tick thread within 10 ms that nothing but an endless loop needs.
    private static let mostRuns = 2_000

    private struct Exchange {
        let reply: (Reply) -> Void
        let client: StreamReceiver?
        let isImpatient: Bool
        /// A thread of the process has begun with it.
        var isBegun = false
        /// The answer is on its way.
        var isAnswered = false
    }

    private let world: World
    private let machine: SimulatedMachine
    private let socketBytes: Int
    private let callWebhook: WebhookReceiver.Call
    private var service: SteppedService?
    private var exchanges: [Int: Exchange] = [:]
    /// Answers whose clients have not read all of them.
    private var bodies: [Int: PortionedBody] = [:]
    private var requestCount = 0
    private var connections: [StreamID: StreamConnection] = [:]
    private var slots = SlotNumbers()
    private var generations: [UInt32] = []
    private var nextRun = Int64.max
    /// The present span of time, and how often the tick thread ran in it.
    private var span: (end: Int64, runs: Int) = (0, 0)
    private var nextServing = Int64.max

    init(
        _ world: World, _ machine: SimulatedMachine, socketBytes: Int,
        callWebhook: @escaping WebhookReceiver.Call
    ) {
        (self.world, self.machine, self.socketBytes) = (world, machine, socketBytes)
        self.callWebhook = callWebhook
    }

    // MARK: - The process

    /// Loads the board and begins to serve.
    func start(_ configuration: ServiceConfiguration, _ store: PersistenceBackend, zones: ZoneCache)
        throws(ServiceError)
    {
        let chance = world.chance
        let surroundings = SteppedService.Surroundings(
            machine: machine.clock, random: chance, secret: { _ in String(chance.next(), radix: 36) }, acceptor: self,
            call: { [self] id, url, body in
                callWebhook(id, url, body) { [weak self] outcome in
                    self?.service?.endCall(id, outcome)
                    self?.wake()
                }
            }, zones: zones)
        service = try SteppedService(configuration, store: store, surroundings)
        wake()
    }

    var isRunning: Bool { service != nil }

    /// How far it has followed its log.
    var progress: SteppedService.Progress? { service?.progress }

    /// Dies at once.
    /// - Parameter losesAnswers: Whether answers on their way may be lost.
    func kill(losesAnswers: Bool = true) {
        let ended = service
        service = nil
        defer { withExtendedLifetime(ended) {} }
        for (number, exchange) in exchanges.sorted(by: { $0.key < $1.key }) {
            if exchange.isAnswered, !losesAnswers || world.happens(0.5) { continue }
            exchanges[number] = nil
            world.after(world.nanoseconds(Self.latency)) { exchange.reply(.lost) }
        }
        for (_, body) in bodies.sorted(by: { $0.key < $1.key }) { body.die() }
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            // The kernel sends on what it has, unless the machine dies as well.
            if world.happens(0.5) {
                connection.send([], isLast: true)
            } else {
                connection.breakOff(after: world.nanoseconds(Self.latency))
            }
        }
        connections = [:]
    }

    /// Stops in order: ends streams, lets answers under way end, finishes what waits, closes the store.
    /// - Parameter mayClose: Whether no thread of it waits for its log.
    func stop(once mayClose: @escaping () -> Bool, then end: @escaping () -> Void) {
        service?.drain()
        wake()
        let deadline = world.now + .seconds(10)
        func look() {
            guard isRunning else { return }
            let isOver = connections.isEmpty && bodies.isEmpty && exchanges.values.allSatisfy(\.isBegun)
            guard mayClose(), isOver || world.now >= deadline else { return world.after(.milliseconds(10), look) }
            service?.close()
            let unanswered = exchanges.values.count { !$0.isAnswered } + bodies.count
            if unanswered > 0 {
                world.history.write("wrong", at: world.now) {
                    $0.member("what", "a stop left \(unanswered) requests unanswered")
                }
            }
            kill(losesAnswers: false)
            end()
        }
        look()
    }

    // MARK: - Turns

    /// Runs the tick thread soon.
    func wake() { run(at: world.now + world.nanoseconds(Self.hop)) }

    private func run(at time: Int64) {
        guard isRunning, time < nextRun else { return }
        nextRun = time
        world.at(time) { [self] in
            guard nextRun == time else { return }
            nextRun = .max
            runTurns()
        }
    }

    private func runTurns() {
        guard let service else { return }
        guard !isSpinning() else { return run(at: world.now + .milliseconds(1)) }
        service.run()
        if service.hasPreparations {
            world.after(world.nanoseconds(Self.hop)) { [self] in
                self.service?.prepare()
                wake()
            }
        }
        serve(at: world.now + world.nanoseconds(Self.hop))
        if let instant = service.nextWake() {
            run(at: max(world.now + .microseconds(1), machine.worldTime(ofMonotonic: instant)))
        }
    }

    /// Whether it runs again and again although hardly any time passes.
    private func isSpinning() -> Bool {
        if world.now >= span.end { span = (world.now + .milliseconds(10), 0) }
        span.runs += 1
        if span.runs == Self.mostRuns {
            world.history.write("wrong", at: world.now) { $0.member("what", "the tick thread runs without a pause") }
        }
        return span.runs >= Self.mostRuns
    }

    // MARK: - Requests

    /// Handles a request that has arrived.
    /// - Parameter reader: What receives the stream if that is the answer.
    func receive(
        _ request: ClientRequest, of client: Int, reader: StreamReceiver? = nil, reply: @escaping (Reply) -> Void
    ) {
        guard let service else { return reply(.lost) }
        requestCount += 1
        let number = requestCount
        exchanges[number] = Exchange(reply: reply, client: reader, isImpatient: request.isImpatient)
        let direct = DirectRequest(
            request.method, request.target, headers: [("Host", "localhost")] + request.headers,
            body: Array(request.body.utf8), id: "request-\(number)", peer: "10.0.0.\(client)",
            arrived: machine.monotonic, to: service.application,
            receive: { [weak self] in self?.answer(number, $0) })
        // Another thread may be faster with a later one.
        world.after(world.nanoseconds(Self.hop)) { [self] in
            guard isRunning, exchanges[number] != nil else { return }
            exchanges[number]?.isBegun = true
            direct.run()
            wake()
        }
    }

    private func answer(_ number: Int, _ answer: DirectAnswer) {
        // What a dead process lets go of is no answer.
        guard isRunning, let exchange = exchanges[number] else { return }
        switch answer {
        case .response(let response):
            if let rest = response.rest { return send(response, rest, of: exchange, number) }
            exchanges[number]?.isAnswered = true
            deliver(.response(response), of: exchange, number)
        case .stream(_, let context): open(context, number, exchange)
        }
    }

    /// Sends a body whose portions are made as its client reads them.
    private func send(_ response: HTTPResponse, _ rest: any BodySource, of exchange: Exchange, _ number: Int) {
        exchanges[number] = nil
        let body = PortionedBody(world, response, rest, isImpatient: exchange.isImpatient)
        bodies[number] = body
        body.wake = { [weak self] in self?.wake() }
        body.ended = { [self] reply in
            bodies[number] = nil
            exchange.reply(reply)
        }
        body.begin()
    }

    private func deliver(_ reply: Reply, of exchange: Exchange, _ number: Int) {
        world.after(world.nanoseconds(Self.latency)) { [self] in
            // The process may have died, and the answer with it.
            if exchanges.removeValue(forKey: number) != nil { exchange.reply(reply) }
        }
    }

    // MARK: - Streams

    private func open(_ context: any StreamContext, _ number: Int, _ exchange: Exchange) {
        guard isRunning, let reader = exchange.client, let id = context.reservation ?? reserve() else {
            context.failed()
            return deliver(.lost, of: exchange, number)
        }
        let connection = StreamConnection(
            world, id, capacity: socketBytes, receive: reader.receive,
            end: { [weak self] in
                self?.close(id, .hangup)
                reader.end()
            })
        connection.hasRoomAgain = { [weak self] in self?.fill(id) }
        connections[id] = connection
        exchanges[number] = nil
        world.after(world.nanoseconds(Self.hop)) { [self] in adopt(connection, context) }
        exchange.reply(.stream(connection))
    }

    /// The streams' thread takes over a socket.
    private func adopt(_ connection: StreamConnection, _ context: any StreamContext) {
        guard let feed = service?.feed else { return }
        guard connections[connection.id] === connection else { return context.failed() }
        connection.isAdopted = true
        // First, so that it knows of streams with reserved places.
        feed.receive(now: machine.monotonic)
        feed.opened(connection.id, now: machine.monotonic)
        context.opened(connection.id)
        wake()
        serve(at: world.now)
    }

    private func close(_ id: StreamID, _ reason: SocketCloseReason) {
        guard let connection = connections[id] else { return }
        // A loop notices a hangup once it has the socket.
        guard connection.isAdopted else {
            return world.after(world.nanoseconds(Self.hop)) { [self] in close(id, reason) }
        }
        connections[id] = nil
        service?.feed.closed(id, ClosedSocket(reason: reason))
        free(id)
        wake()
    }

    private func serve(at time: Int64) {
        guard isRunning, time < nextServing else { return }
        nextServing = time
        world.at(time) { [self] in
            guard nextServing == time else { return }
            nextServing = .max
            serveStreams()
        }
    }

    private func serveStreams() {
        guard let feed = service?.feed else { return }
        let now = machine.monotonic
        feed.receive(now: now)
        while let id = feed.nextReady(now: now) { offer(id, now: now) }
        feed.sent(now: now)
        let full = connections.values.filter { $0.fullTime > Self.stall }
        for connection in full.sorted(by: { $0.id < $1.id }) {
            world.history.mark("stalled stream ended")
            connection.breakOff(after: 0)
        }
        if feed.nextDeadline < .max { serve(at: machine.worldTime(ofMonotonic: feed.nextDeadline)) }
        // A message of the shard to the hub.
        if service?.isBusy == true { wake() }
    }

    /// Fills a stream, or notes that it wants that, as a loop does.
    private func offer(_ id: StreamID, now: Int64) {
        guard let connection = connections[id], connection.isFull else { return fill(id, now: now) }
        connection.wantsFill = true
        if connection.fullTime >= Self.lateness { recordDelay(of: connection, now: now) }
    }

    private func recordDelay(of connection: StreamConnection, now: Int64) {
        connection.lastLate = now
        guard !connection.isLagging else { return }
        world.history.mark("reader lags")
        connection.isLagging = true
        service?.feed.lagChanged(connection.id, isLagging: true, now: now)
    }

    /// Whether a reader that lagged has read all that was sent, so that nothing new is queued behind old bytes.
    private func isClear(_ connection: StreamConnection, now: Int64) -> Bool {
        if now - connection.lastLate > Self.lagMemory {
            world.history.mark("reader lags no longer")
            connection.isLagging = false
            service?.feed.lagChanged(connection.id, isLagging: false, now: now)
            return true
        }
        guard !connection.isClear() else { return true }
        connection.wantsFill = true
        recordDelay(of: connection, now: now)
        return false
    }

    /// There is room again for what did not fit.
    private func fill(_ id: StreamID) {
        guard isRunning, connections[id]?.wantsFill == true else { return }
        connections[id]?.wantsFill = false
        fill(id, now: machine.monotonic)
        serve(at: world.now + world.nanoseconds(Self.hop))
    }

    private func fill(_ id: StreamID, now: Int64) {
        guard let feed = service?.feed, let connection = connections[id] else { return }
        if connection.isLagging, !isClear(connection, now: now) { return }
        var bytes: [UInt8] = []
        let isLast = feed.fill(id, now: now, into: &bytes)
        if !bytes.isEmpty || isLast { connection.send(bytes, isLast: isLast) }
    }

    // MARK: - Places

    var hasRoom: Bool { true }
    func inspect(number: UInt64) -> Int { 0 }
    func adopt(_ outlet: StreamOutlet, head: StreamHead, _ context: any StreamContext) -> Bool { false }

    func reserve() -> StreamID? {
        let slot = slots.allocate()
        if slot == generations.count { generations.append(1) }
        return StreamID(loop: 0, slot: UInt32(slot), generation: generations[slot])
    }

    func abandon(_ stream: StreamID) {
        service?.feed.closed(stream, ClosedSocket(reason: .abandoned))
        free(stream)
    }

    private func free(_ stream: StreamID) {
        generations[Int(stream.slot)] &+= 1
        slots.free(Int(stream.slot))
    }
}
