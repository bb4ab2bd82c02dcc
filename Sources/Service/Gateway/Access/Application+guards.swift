// What is looked at before a request costs anything: who asks, whether the server goes on, and whether the thread that
// would have to answer is alive.

import HTTPTransport
import Synchronization
import Wire

extension Application {
    /// Admits a request, with the headers that its answer is to carry, or refuses it.
    func guardAccess(_ request: HTTPRequest, _ responder: HTTPResponder) throws(Problem) -> AuthorizedRequest {
        let authorized: AuthorizedRequest
        if let known = request.context as? AuthorizedRequest {
            // One with a body was looked at before that came; its head is the same.
            authorized = known
        } else {
            authorized = try self.authorized(of: request)
        }
        responder.addHeaders(authorized.headers)
        responder.setLabel(authorized.label)
        try checkOpen(to: request)
        return authorized
    }

    /// Looks at the names that a request carries.
    func authorized(of request: HTTPRequest) throws(Problem) -> AuthorizedRequest {
        let (claim, access) = (claim(of: request), guards.access)
        switch access.verdict(on: claim) {
        case .foreignHost:
            throw Problem(403, "Forbidden", "this host name is not allowed; allow it with --allowed-host")
        case .foreignOrigin:
            throw Problem(
                403, "Forbidden", "pages of this origin are not allowed; allow them with --cors-origin")
        case .admitted(let headers, let trusts):
            let route = Route.read(of: request)
            if access.isReadOnly, claim.isOfPage, case .success(let route) = route, route.changesBoard {
                throw Problem(
                    403, "Forbidden", "pages may only look here; what changes something comes by curl or a service")
            }
            return AuthorizedRequest(headers: headers, trustsCookies: trusts, route: route)
        }
    }

    /// - Throws: 415 for a body that is compressed, or that a page didn't call JSON. A form of another page can't send this
    ///   type without asking first.
    func checkType(of request: HTTPRequest) throws(Problem) {
        if let coding = request.whole("Content-Encoding"), coding.lowercased() != "identity" {
            throw Problem(
                415, "Unsupported Media Type", "bodies are read as they come: send this one without Content-Encoding")
        }
        guard !Self.reads(request), request.header("Origin") != nil, !Self.isJSON(request.whole("Content-Type")) else {
            return
        }
        throw Problem(415, "Unsupported Media Type", "a page must send Content-Type: application/json")
    }

    /// - Throws: 503 for what would change something on a server that ends.
    func checkOpen(to request: HTTPRequest) throws(Problem) {
        // Streams are read, whatever the method; a draining server ends them with `bye`.
        guard isClosing.load(ordering: .acquiring), !Self.reads(request), request.path != Route.streamsPath else {
            return
        }
        throw Problem(
            503, "Service Unavailable", "the server is shutting down; try again in a moment", retryAfter: 5)
    }

    /// Whether a request changes nothing, by its method.
    private static func reads(_ request: HTTPRequest) -> Bool {
        switch request.method {
        case "GET", "HEAD", "OPTIONS": true
        default: false
        }
    }

    /// Who asks.
    /// - Throws: 401 for a token that doesn't count, unless it is to be forgotten: no script can take such a cookie away.
    ///   One that is missing may not be needed.
    func caller(of request: HTTPRequest, on route: Route, trustsCookies: Bool) throws(Problem) -> Caller {
        guard !route.isOpen, let authority = guards.authority else { return somebody(.anybody, request) }
        // A ticket says who brings it. What a browser sends with it may be a cookie that counts no more.
        if case .stream = route, request.query(Self.ticketParameter) != nil {
            return somebody(authority.anonymous, request)
        }
        guard let token = try BearerToken.token(of: request, trustsCookies: trustsCookies) else {
            return somebody(authority.anonymous, request)
        }
        let now = guards.now()
        let client = client(of: request)
        // Whoever signs out need not be anybody: a token that is not known already is not looked at.
        let isSigningOut = route == .session(isBegun: false)
        do throws(TokenRefusal) {
            let mayTry = !isSigningOut && guards.limits.maySendUnknownToken(client.address, at: guards.uptime())
            return somebody(try authority.principal(bearing: token, at: now, maySendUnknown: mayTry), request)
        } catch {
            if isSigningOut { return somebody(.unknown, request) }
            if error == .tooMany { throw guards.limits.refuseToken(of: client.address) }
            guards.limits.recordRefusedToken(client.address, at: guards.uptime())
            observer?.refusedToken(because: error.reason, from: client.address, request: request.id)
            throw Problem(401, "Unauthorized", error.reason)
        }
    }

    /// Somebody with a request.
    func somebody(_ principal: Principal, _ request: HTTPRequest) -> Caller {
        Caller(principal, of: client(of: request), asking: request.id)
    }

    /// Where a request comes from: the client's address, if a proxy that is trusted tells it.
    func client(of request: HTTPRequest) -> KnownClient {
        // A proxy's connection brings requests of many.
        guard guards.proxies.isEmpty else {
            return KnownClient(guards.proxies.client(of: request), under: guards.limits)
        }
        if let known = request.keepsake as? KnownClient { return known }
        let client = KnownClient(request.peer, under: guards.limits)
        request.keepsake = client
        return client
    }

    private func claim(of request: HTTPRequest) -> AccessClaim {
        let announced = request.method == "OPTIONS" ? request.header("Access-Control-Request-Method") ?? "GET" : nil
        var claim = AccessClaim(
            method: announced ?? request.method, host: request.header("Host"), origin: request.whole("Origin"),
            site: request.whole("Sec-Fetch-Site"), isOfStream: Route.isOfStream(request.path))
        if claim.site != nil {
            claim.mode = request.whole("Sec-Fetch-Mode")
            claim.destination = request.whole("Sec-Fetch-Dest")
        }
        return claim
    }

    private static func isJSON(_ type: String?) -> Bool {
        guard let media = type?.split(separator: ";").first?.lowercased() else { return false }
        return media == "application/json" || media == "application/x-ndjson"
    }

    // MARK: - The tick thread

    /// Milliseconds after which a stream should try again that found the tick thread stuck.
    static let stuckRetry = 5_000

    var isStuck: Bool { taker.secondsStuck != nil }

    /// Whether the process is alive: its tick thread is not stuck.
    func health() -> HTTPResponse {
        guard let seconds = taker.secondsStuck else {
            return .json(200, Array(#"{"status":"ok"}"#.utf8))
        }
        var json = JSONWriter()
        json.object {
            $0.member("status", "stuck")
            $0.member("seconds", seconds)
        }
        return .json(503, json.bytes)
    }

    /// Answers that the server is not ready where that is known without asking the tick thread.
    /// - Returns: false where it must be asked.
    func refuseReadiness(_ responder: any Responder) -> Bool {
        let isRetiring = isRetiring.load(ordering: .acquiring)
        guard let reason = isRetiring ? "draining" : isStuck ? "the tick thread is stuck" : taker.absence else {
            return false
        }
        var json = JSONWriter()
        json.object {
            $0.member("ready", false)
            $0.member("reason", reason)
        }
        responder.send(.json(503, json.bytes))
        return true
    }
}
