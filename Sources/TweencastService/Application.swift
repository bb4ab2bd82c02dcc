// What stands between HTTP and the tick thread: guards, routes, decodes, and hands values over. Runs on the
// transport's threads; holds no state of its own.

import Board
import EventStream
import HTTPTransport
import Synchronization
import Webhooks
import Wire

/// The service as the transport sees it.
final class Application: HTTPApplication {
    private let configuration: ServiceConfiguration
    let access: AccessRules
    let watch: TickWatch
    let clock: ServiceClock
    private let files: StaticFiles
    private let rules: any CalendarRules
    let preparation: PreparationQueue
    let post: @Sendable (Message) -> Bool
    let isDraining = Atomic(false)
    private let names = NameSource()
    private let batches = BatchBudget()

    /// What it works with.
    struct Parts {
        var configuration: ServiceConfiguration
        var access: AccessRules
        var files: StaticFiles
        var rules: any CalendarRules
        var preparation: PreparationQueue
        var watch: TickWatch
        var clock: ServiceClock
    }

    init(_ parts: Parts, post: @escaping @Sendable (Message) -> Bool) {
        configuration = parts.configuration
        access = parts.access
        files = parts.files
        rules = parts.rules
        preparation = parts.preparation
        watch = parts.watch
        clock = parts.clock
        self.post = post
    }

    /// Refuses changes from now on.
    func drain() { isDraining.store(true, ordering: .releasing) }

    func bodyLimit(method: String, path: String) -> Int {
        // Asked before a body is read, whatever becomes of the request: the whole route is looked for afterwards.
        method == "POST" && path == Route.batchPath ? configuration.batchLimit : configuration.bodyLimit
    }

    func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        do throws(Problem) {
            try guardAccess(request, exchange)
            let route: Route
            do throws(Route.Refusal) {
                route = try Route(method: request.method, path: request.path)
            } catch {
                let isPreflight = request.method == "OPTIONS" && !error.allowed.isEmpty
                exchange.send(isPreflight ? .preflight(error.allowed) : .refusal(error))
                return
            }
            try serve(route, request, exchange)
        } catch {
            exchange.send(.problem(error))
        }
    }

    // MARK: - Routes

    private func serve(_ route: Route, _ request: HTTPRequest, _ exchange: HTTPExchange) throws(Problem) {
        switch route {
        case .health: exchange.send(health())
        case .readiness:
            if !refuseReadiness(exchange) { try hand(.query(.readiness, exchange)) }
        case .metrics: try hand(.query(.metrics, exchange))
        case .file:
            guard let response = files.response(for: request) else { throw .notFound }
            exchange.send(response)
        case .look(let name): try hand(.query(.resource(name, preview: try preview(request)), exchange))
        case .list(let kind): try hand(.query(try list(kind, request), exchange))
        case .stream(let name):
            try open(try stream(request, of: name), exchange)
        case .streams:
            try open(try stream(request, of: nil), exchange)
        case .streamsByBody:
            let rate = configuration.tickRate
            try open(
                try StreamBody.request(request.body, lastEventID: lastEventID(request), tickRate: rate), exchange)
        case .batch: try batch(request, exchange)
        case .clients: try hand(.query(.clients(limit: try limit(request)), exchange))
        case .failedWebhooks:
            let page = Query.failedWebhooks(limit: try limit(request), after: request.query("after"))
            try hand(.query(page, exchange))
        case .deadLetter(let id, let operation):
            try hand(.deadLetter(DeadLetterRequest(id: id, operation: operation, exchange: exchange)))
        case .selfTest:
            try open(
                StreamRequest(selection: TopicSelection([]), variant: .json, framesPerSecond: nil, isSelfTest: true),
                exchange)
        default: try change(route, request, exchange)
        }
    }

    private func change(_ route: Route, _ request: HTTPRequest, _ exchange: HTTPExchange) throws(Problem) {
        var change = try command(route, request, exchange)
        try guardWebhooks(of: change.command)
        change.expected = try expectedRevision(request)
        var takesStream = false
        if case .stream = change.answer { takesStream = true }
        change.retry = try retryKey(request, takesStream: takesStream)
        change.preview = try preview(request)
        try hand(change, exchange)
    }

    private func command(
        _ route: Route, _ request: HTTPRequest, _ exchange: HTTPExchange
    ) throws(Problem) -> CommandRequest {
        func made(_ command: Command, _ name: ResourceName?, _ answer: CommandRequest.Answer) -> CommandRequest {
            CommandRequest(command: command, name: name, answer: answer, exchange: exchange)
        }
        switch route {
        case .make(.schedule):
            let (id, definition) = try ScheduleDecoder.definition(request.body, rules: rules)
            let name = ResourceName(.schedule, id ?? names.next("s"))
            return made(.schedule(name, definition), name, .resource(status: 201, created: 201))
        case .make(let kind):
            return try make(kind, request, exchange)
        case .update(let name):
            let update = try update(request, kind: name.kind, role: .update)
            return made(.update(name, update), name, .resource(status: 202, created: 202))
        case .define(let name) where name.kind == .schedule:
            let (_, definition) = try ScheduleDecoder.definition(request.body, rules: rules)
            return made(.schedule(name, definition), name, .resource(status: 200, created: 201))
        case .define(let name):
            let update = try update(request, kind: name.kind, role: .definition)
            return made(.define(name, update), name, .resource(status: 200, created: 201))
        case .remove(let name): return made(.remove(name), nil, .noContent)
        case .removeAll: return made(.removeAllSchedules, nil, .noContent)
        case .pauseAll: return made(.pauseAllSchedules, nil, .schedules)
        case .resumeAll: return made(.resumeAllSchedules, nil, .schedules)
        case .play(let name, let verb) where name.kind == .schedule:
            let command: Command = verb == "pause" ? .pauseSchedule(name) : .resumeSchedule(name)
            return made(command, name, .resource(status: 200, created: 200))
        case .play(let name, let verb):
            let operation = try PlaybackDecoder.operation(verb, body: request.body)
            return made(.play(name, operation), name, .resource(status: 200, created: 200))
        default:
            throw .notFound
        }
    }

    /// Refuses what would call a host that is not allowed: better now than when it falls due.
    private func guardWebhooks(of command: Command) throws(Problem) {
        switch command {
        case .update(_, let update), .define(_, let update):
            if let then = update.then { try guardWebhooks(of: then, at: "/then") }
        case .schedule(_, let definition): try guardWebhooks(of: definition.actions, at: "/do")
        default: break
        }
    }

    private func guardWebhooks(of actions: ActionList, at pointer: String) throws(Problem) {
        for (index, action) in actions.actions.enumerated() {
            switch action {
            case .notify: break
            case .update(_, let update):
                if let then = update.then { try guardWebhooks(of: then, at: "\(pointer)/\(index)/then") }
            case .webhook(let url, _):
                do throws(WebhookRefusal) {
                    _ = try configuration.webhooks.policy.check(url)
                } catch {
                    throw .field("\(pointer)/\(index)/webhook", "\(error.reason); see --webhook-host")
                }
            }
        }
    }

    /// A track that the server names; its answer is a stream where the client takes one.
    private func make(
        _ kind: ResourceKind, _ request: HTTPRequest, _ exchange: HTTPExchange
    ) throws(Problem) -> CommandRequest {
        var update = try update(request, kind: kind, role: .update)
        update.timeToLive = update.timeToLive ?? Self.timeToLiveOfUnnamed
        let name = ResourceName(kind, names.next(kind == .ticker ? "t" : "p"))
        let takesStream = request.header("Accept")?.contains("text/event-stream") ?? false
        var answer = CommandRequest.Answer.resource(status: 202, created: 202)
        if takesStream {
            var stream = try StreamQuery.request(
                request.queryItems, of: name, lastEventID: nil, tickRate: configuration.tickRate)
            stream.endsAfterCompletion = true
            answer = .stream(stream)
        }
        return CommandRequest(command: .update(name, update), name: name, answer: answer, exchange: exchange)
    }

    private func update(
        _ request: HTTPRequest, kind: ResourceKind, role: UpdateDecoder.Role
    ) throws(Problem) -> TrackUpdate {
        try UpdateDecoder.update(request.body, kind: kind, role: role)
    }

    /// Seconds after which a ticker that the server named is removed.
    private static let timeToLiveOfUnnamed = 60.0

    private func batch(_ request: HTTPRequest, _ exchange: HTTPExchange) throws(Problem) {
        let lines = BatchDecoder.lines(request.body, upTo: configuration.batchLines + 1)
        guard lines.count <= configuration.batchLines else {
            throw Problem(413, "Content Too Large", "a batch must have at most \(configuration.batchLines) lines")
        }
        guard !lines.isEmpty else { throw Problem(400, "Bad Request", "the batch is empty") }
        guard let ticket = batches.ticket(lines: lines.count, bytes: request.body.count) else {
            throw Problem(503, "Service Unavailable", "too many batches at once; try again in a moment", retryAfter: 1)
        }
        try hand(lines, of: BatchRequest(lines: [], retry: try retryKey(request), exchange: exchange, ticket: ticket))
    }

    /// One line's command, checked as a request of its own is.
    func command(ofLine line: ArraySlice<UInt8>) throws(Problem) -> Command {
        let command = try BatchDecoder.command(line)
        try guardWebhooks(of: command)
        return command
    }

    private func stream(_ request: HTTPRequest, of name: ResourceName?) throws(Problem) -> StreamRequest {
        try StreamQuery.request(
            request.queryItems, of: name, lastEventID: lastEventID(request), tickRate: configuration.tickRate)
    }

    private func open(_ request: StreamRequest, _ exchange: HTTPExchange) throws(Problem) {
        // A browser's EventSource stops for ever on any status but 200.
        guard !isStuck else { return exchange.send(.farewell("stuck", retry: Self.stuckRetry)) }
        try hand(.query(.stream(request), exchange))
    }
}

// MARK: - Headers

extension Application {
    private func lastEventID(_ request: HTTPRequest) -> String? { request.header("Last-Event-ID") }

    private func expectedRevision(_ request: HTTPRequest) throws(Problem) -> UInt64? {
        guard let text = request.header("If-Match"), text != "*" else { return nil }
        guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\""),
            let revision = UInt64(text.dropFirst().dropLast())
        else { throw Problem(400, "Bad Request", "If-Match must be a revision in double quotes") }
        return revision
    }

    /// - Parameter takesStream: The same request with another form of answer is another one.
    private func retryKey(_ request: HTTPRequest, takesStream: Bool = false) throws(Problem) -> RetryKey? {
        guard let key = request.header("Idempotency-Key") else { return nil }
        guard (1...255).contains(key.utf8.count) else {
            throw Problem(400, "Bad Request", "Idempotency-Key must be 1 to 255 bytes")
        }
        var fingerprint = Fingerprint()
        fingerprint.add(request.method.utf8)
        fingerprint.add(request.path.utf8)
        fingerprint.add(request.body)
        if takesStream { fingerprint.add("text/event-stream".utf8) }
        return RetryKey(key: key, fingerprint: fingerprint.value, client: request.peer)
    }

    /// How many of a schedule's next instants are asked for.
    private func preview(_ request: HTTPRequest) throws(Problem) -> Int {
        guard let text = request.query("preview") else { return 0 }
        guard let value = Int(text), (1...Self.longestPreview).contains(value) else {
            throw .field("?preview", "must be 1 to \(Self.longestPreview)")
        }
        return value
    }

    private static let longestPreview = 100

    private func list(_ kind: ResourceKind, _ request: HTTPRequest) throws(Problem) -> Query {
        let limit = try limit(request)
        let after = request.query("after")
        if kind == .schedule, let place = after.flatMap({ SchedulePlace($0) }) {
            return .schedules(limit: limit, after: .place(place))
        }
        if let after, !ResourceName.isWellFormed(id: after) {
            throw .field("?after", "must be an id, or the previous page's `next`")
        }
        guard kind == .schedule else { return .tracks(kind, limit: limit, after: after) }
        return .schedules(limit: limit, after: after.map { .schedule(ResourceName(.schedule, $0)) })
    }

    private func limit(_ request: HTTPRequest) throws(Problem) -> Int {
        guard let text = request.query("limit") else { return 100 }
        guard let limit = Int(text), (1...1_000).contains(limit) else { throw .field("?limit", "must be 1 to 1000") }
        return limit
    }
}
