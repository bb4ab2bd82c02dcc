// The layer between HTTP and the thread that runs requests: checks, routes, decodes and passes values on. Runs on the
// transport's threads and keeps no state of its own but two flags of a shutdown and the room for batches.

package import Base
import Board
import EventStream
package import HTTPTransport
import Machine
package import RecurrenceRules
import Synchronization
import Tokens
import Wire

/// The service as the transport sees it.
package final class Application: HTTPApplication {
    /// What the service is configured with.
    package struct Configuration: Sendable {
        /// The maximum size of a request body, in bytes.
        package var bodyLimit = 64 * 1024
        /// The maximum size of a batch's body, in bytes.
        package var batchLimit = 4 * 1024 * 1024
        /// The maximum number of lines of a batch.
        package var batchLines = 10_000
        package var streams = StreamBounds()
        /// Returns why a webhook's URL may not be called; nil if it may.
        package let webhookRefusal: @Sendable (_ url: String) -> String?
        /// The version of this server, as JSON.
        package var version: @Sendable () -> [UInt8] = { Array("{}".utf8) }
        /// For ids, and for the times after which refused streams come back.
        package var random = RandomSource.system
        /// Returns the base64url text of this many bytes that nobody can guess.
        package var secret: @Sendable (_ bytes: Int) -> String = { SecureRandom.text(bytes: $0) }

        package init(webhookRefusal: @escaping @Sendable (_ url: String) -> String?) {
            self.webhookRefusal = webhookRefusal
        }
    }

    /// The checks that apply to every request, and the audit log.
    package struct Guards: Sendable {
        package var rules: Reloadable<AccessRules>
        /// Verifies tokens; nil if none are required.
        package var authority: TokenAuthority?
        package var proxies: TrustedProxies
        package var limits: OwnerLimits
        /// Receives changes; nil if there is no audit log.
        package var audit: AuditLogger?
        /// Unix nanoseconds.
        package var now: @Sendable () -> Int64
        /// Nanoseconds of a monotonic clock, for rate limits: if the wall clock were used and set back, clients would have to
        /// wait until it catches up.
        package var uptime: @Sendable () -> Int64

        package init(
            access: AccessRules, authority: TokenAuthority?, proxies: TrustedProxies, limits: OwnerLimits,
            audit: AuditLogger?, now: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Int64
        ) {
            rules = Reloadable(access)
            self.authority = authority
            self.proxies = proxies
            self.limits = limits
            self.audit = audit
            self.now = now
            self.uptime = uptime
        }

        package var access: AccessRules { rules.value }
    }

    /// Its collaborators.
    package struct Parts {
        package var guards: Guards
        package var files: StaticFiles
        package var rules: any CalendarRules
        package var preparation: PreparationQueue
        package var taker: any RequestQueue
        /// Receives the results of requests; nil if there is none.
        package var observer: (any RequestObserver)?

        package init(
            guards: Guards, files: StaticFiles, rules: any CalendarRules, preparation: PreparationQueue,
            taker: any RequestQueue, observer: (any RequestObserver)? = nil
        ) {
            self.observer = observer
            self.guards = guards
            self.files = files
            self.rules = rules
            self.preparation = preparation
            self.taker = taker
        }
    }

    let configuration: Configuration
    let guards: Guards
    let taker: any RequestQueue
    let preparation: PreparationQueue
    let observer: (any RequestObserver)?
    let decoder: RequestDecoder
    let isRetiring = Atomic(false)
    let isClosing = Atomic(false)
    private let files: StaticFiles
    package let batches = BatchBudget()

    package init(_ configuration: Configuration, _ parts: Parts) {
        self.configuration = configuration
        guards = parts.guards
        files = parts.files
        preparation = parts.preparation
        taker = parts.taker
        observer = parts.observer
        decoder = RequestDecoder(
            rules: parts.rules, bounds: configuration.streams, random: configuration.random,
            webhookRefusal: configuration.webhookRefusal)
    }

    var bounds: StreamBounds { configuration.streams }

    /// Reports the server as not ready from now on. Everything else continues.
    package func retire() { isRetiring.store(true, ordering: .releasing) }

    /// Rejects changes from now on.
    package func close() { isClosing.store(true, ordering: .releasing) }

    /// Returns the maximum size of a request body, in bytes.
    func bodyLimit(method: String, path: String) -> Int {
        // Needed before the request is routed.
        method == "POST" && path == Route.batchPath ? configuration.batchLimit : configuration.bodyLimit
    }

    package func respond(to request: HTTPRequest, on responder: HTTPResponder) {
        do throws(Problem) {
            let authorized = try guardAccess(request, responder)
            switch authorized.match {
            case .success(let match):
                try serve(match, request, responder, trustsCookies: authorized.trustsCookies)
            case .failure(let refusal):
                try countUnrouted(request)
                responder.send(answer(to: refusal, method: request.method))
            }
        } catch {
            responder.send(.problem(error))
        }
    }

    // MARK: - Routes

    /// Counts a request that no route takes, for its address: an unknown path, a method that its path doesn't allow, or a
    /// preflight.
    func countUnrouted(_ request: HTTPRequest) throws(Problem) {
        try guards.limits.consume(somebody(.anybody, request), updates: 0, at: guards.uptime())
    }

    func origin(_ caller: Caller) -> AuditOrigin {
        AuditOrigin(caller: caller, time: guards.now(), uptime: guards.uptime())
    }

    /// Returns a responder that also writes the response's status to the audit log, if there is one.
    private func audited(
        _ responder: any Responder, _ action: @autoclosure () -> AuditAction, _ caller: Caller
    ) -> any Responder {
        guards.audit.map { AuditedResponder(responder, $0, origin(caller), action()) } ?? responder
    }

    /// Identifies the caller and serves the request. A thrown error is audited when it is sent; a request passed on, by its
    /// response.
    private func serve(
        _ match: RouteMatch, _ request: HTTPRequest, _ responder: HTTPResponder, trustsCookies: Bool
    ) throws(Problem) {
        let caller = try caller(of: request, on: match, trustsCookies: trustsCookies)
        setLabel(match, caller, responder)
        guard !match.needsRoom(for: request.method) || responder.hasRoomForAnswer else { throw Self.unread }
        try serve(match, request, responder as any Responder, caller)
        if guards.audit != nil { responder.changeLabel { $0.isAuditedByAnswer = true } }
    }

    private func serve(
        _ match: RouteMatch, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller
    ) throws(Problem) {
        if match.row.access != .probe {
            try guards.limits.consume(caller, updates: match.row.updates, at: guards.uptime())
        }
        // Most requests have no parameters. A caller without rights gets 401 or 403 first.
        if !request.queryItems.isEmpty, caller.rights != .none, let known = match.row.parameters,
            !isAnsweredByStream(request, by: match)
        {
            try RequestHeaders.checkParameters(request, among: known)
        }
        if !bringsTicket(request, on: match) { try caller.check(match) }
        try checkAccepted(request, by: match)
        switch match.route {
        case .health: if try meetsConditions(request, responder) { responder.send(health()) }
        case .version:
            if try meetsConditions(request, responder) { responder.send(.json(200, configuration.version())) }
        case .file: responder.send(try file(request))
        case .look(.readiness) where refuseReadiness(responder): break
        case .look(let look):
            let query = try query(look, request, caller)
            // A resource has a revision, and a picture a tag, so the condition is checked where it is looked up.
            if !look.hasOwnCondition {
                guard try meetsConditions(request, responder, isThere: look != .preview) else { return }
            }
            try submit(.query(query, responder), in: query.locale, of: request, responder)
        case .stream(.change(let name)): try change(name, request, responder, caller)
        case .stream(let aim): try open(aim, request, responder, caller)
        case .batch: try batch(request, responder, caller)
        case .change(let change): try self.change(change, request, responder, caller)
        case .deadLetter(let id, let operation):
            guard try meetsConditions(request, responder, isThere: operation == .discard) else { return }
            let response = PendingResponse(audited(responder, AuditAction(operation, id), caller))
            try submit(.change(.deadLetter(id: id, operation, nil), response))
        case .ticket: try makeTicket(request, audited(responder, .ticket, caller), caller)
        case .session(let isBegun): try session(isBegun, request, audited(responder, .session(isBegun), caller), caller)
        }
    }

    private func file(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        guard let response = files.response(for: request) else {
            guard MissingViewer.isAsked(request) else { throw .notFound }
            return MissingViewer.response(to: request)
        }
        guard response.status != 412 else {
            throw Problem(412, "Precondition Failed", "the file no longer matches If-Match; fetch it again")
        }
        return response
    }

    private func change(
        _ change: Route.Change, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller
    ) throws(Problem) {
        var decoded = try decoder.change(change, request, caller)
        if !decoded.isPlain {
            decoded.request.command = decoded.request.command.posted(by: guards.limits.owner(of: caller))
        }
        if change.namesNoResource {
            guard try meetsConditions(request, responder, isThere: change.isOfList) else { return }
        }
        let name = change.name ?? decoded.request.name
        let responder = EncodedResponder.responder(responder, decoded.stream?.encoding)
        // If there is no room for the stream that would be the response, nothing is changed.
        if var stream = decoded.stream {
            Self.record(request, caller, in: &stream)
            guard admit(caller, to: &stream, peer: request.peer) else {
                guards.audit?.record(AuditAction(change, of: name), by: origin(caller), status: 429)
                return bye(caller, stream, responder)
            }
            decoded.stream = stream
        }
        let form = decoded.stream.map { .stream($0) } ?? form(of: decoded.request, name, request, caller)
        try submit(decoded, PendingResponse(audited(responder, AuditAction(change, of: name), caller), form))
    }

    private func form(
        of change: CommandRequest, _ name: ResourceName?, _ request: HTTPRequest, _ caller: Caller
    ) -> PendingResponse.Form {
        var isMinimal = false
        if case .resource = change.form { isMinimal = RequestHeaders.prefersMinimal(request) }
        return .answer(isMinimal: isMinimal, name.map(caller.extent) ?? .whole)
    }

    private func query(_ look: Route.Look, _ request: HTTPRequest, _ caller: Caller) throws(Problem) -> Query {
        switch look {
        // Warnings about the store are for the operator only.
        case .readiness: return .readiness(withWarnings: guards.authority == nil)
        case .metrics:
            return .metrics(AcceptedTypes(request).metrics)
        case .limits:
            return .limits(
                own: guards.limits.use(of: caller, at: guards.uptime()), of: guards.limits.owner(of: caller),
                seesUse: caller.seesWhole)
        case .resource(let name):
            let time = try MomentQuery.time(MomentQuery.instant, request)
            let condition = try RequestHeaders.precondition(request)
            return .resource(
                name, preview: try RequestHeaders.preview(request), locale: ReaderLocale.asked(request),
                // A revision is that of now.
                meeting: time == nil ? condition : nil, within: caller.rights.subscribe, at: time)
        case .history(let name):
            return .history(name, points: try RequestHeaders.points(request))
        case .frames(let name):
            return .frames(
                name, try MomentQuery.frames(request), try MomentQuery.form(request),
                locale: ReaderLocale.asked(request), cost: cost(of: request, by: caller))
        case .picture(let name, let form):
            return .picture(
                name, form, try PictureParameter.options(request, of: name), locale: ReaderLocale.asked(request),
                known: request.wholeHeader("If-None-Match").flatMap { EntityTags($0) },
                isPrivate: guards.authority.map { !$0.anonymous.rights.subscribe.matches(TopicName(name)) } ?? false,
                cost: cost(of: request, by: caller))
        case .preview:
            let (id, definition) = try ScheduleDecoder.definition(request.body, rules: decoder.rules)
            try caller.checkPreview(of: definition, id: id)
            return .preview(definition, count: try RequestHeaders.preview(request))
        case .list(let kind):
            return try RequestHeaders.list(
                kind, request, within: caller.rights.subscribe, of: guards.limits.owner(of: caller))
        case .clients:
            return .clients(limit: try RequestHeaders.limit(request), of: guards.limits.owner(of: caller))
        case .failedWebhooks:
            return .failedWebhooks(
                limit: try RequestHeaders.limit(request), after: request.query("after"),
                of: guards.limits.owner(of: caller))
        }
    }

    private func cost(of request: HTTPRequest, by caller: Caller) -> AnswerCost {
        AnswerCost(hasBody: request.method != "HEAD") { [guards] requests throws(Problem) in
            try guards.limits.consume(further: requests, of: caller, at: guards.uptime())
        }
    }

    private func batch(_ request: HTTPRequest, _ responder: any Responder, _ caller: Caller) throws(Problem) {
        guard try meetsConditions(request, responder, isThere: false) else { return }
        let lines = BatchDecoder.lines(request.body, upTo: configuration.batchLines + 1)
        guard lines.count <= configuration.batchLines else {
            throw Problem(413, "Content Too Large", "a batch must have at most \(configuration.batchLines) lines")
        }
        guard !lines.isEmpty else { throw Problem(400, "Bad Request", "the batch is empty") }
        let retry = try RequestHeaders.retryKey(request, of: caller)
        let stagger = try Stagger.seconds(request.query("stagger"))
        guard let reservation = batches.reserve(lines: lines.count, bytes: request.body.count) else {
            throw Problem(503, "Service Unavailable", "too many batches at once; try again in a moment", retryAfter: 1)
        }
        // Last: a batch that is rejected uses nothing of the rate.
        try guards.limits.consume(updates: lines.count, of: caller, at: guards.uptime())
        let batch = BatchRequest(lines: [], retry: retry, responder: responder, reservation: reservation)
        try submit(lines, of: batch, stagger: stagger, caller)
    }
}
