// What is looked at before a request costs anything: who asks, whether the server goes on, and whether the thread that
// would have to answer is alive.

import Access
import HTTPTransport
import Synchronization
import Wire

extension Application {
    /// Admits a request, with the headers that its answer is to carry, or refuses it.
    /// - Returns: Whether its cookies count.
    func guardAccess(_ request: HTTPRequest, _ exchange: HTTPExchange) throws(Problem) -> Bool {
        let trustsCookies: Bool
        switch guards.access.verdict(on: claim(of: request)) {
        case .foreignHost:
            throw Problem(403, "Forbidden", "this host name is not allowed; allow it with --allowed-host")
        case .foreignOrigin:
            throw Problem(
                403, "Forbidden", "pages of this origin are not allowed; allow them with --cors-origin")
        case .admitted(let headers, let trusts):
            exchange.addHeaders(headers)
            trustsCookies = trusts
        }
        guard !["GET", "HEAD", "OPTIONS"].contains(request.method) else { return trustsCookies }
        // A form of another page can't send this type without asking first.
        if request.header("Origin") != nil, !request.body.isEmpty, !Self.isJSON(request.header("Content-Type")) {
            throw Problem(415, "Unsupported Media Type", "a page must send Content-Type: application/json")
        }
        // Streams are read, whatever the method; a draining server ends them with `bye`.
        if isDraining.load(ordering: .acquiring), request.path != Route.streamsPath {
            throw Problem(
                503, "Service Unavailable", "the server is shutting down; try again in a moment", retryAfter: 5)
        }
        return trustsCookies
    }

    /// Who asks.
    /// - Throws: 401 for a token that doesn't count, unless it is to be forgotten: no script can take such a cookie away.
    ///   One that is missing may not be needed.
    func caller(of request: HTTPRequest, on route: Route, trustsCookies: Bool) throws(Problem) -> Caller {
        let address = address(of: request)
        guard !route.isOpen else { return Caller(.anybody, at: address) }
        guard let authority = guards.authority else { return Caller(.anybody, at: address) }
        // A ticket says who brings it. What a browser sends with it may be a cookie that counts no more.
        if case .stream = route, request.query(Self.ticketParameter) != nil {
            return Caller(authority.anonymous, at: address)
        }
        guard let token = try BearerToken.token(of: request, trustsCookies: trustsCookies) else {
            return Caller(authority.anonymous, at: address)
        }
        let now = guards.now()
        // Whoever signs out need not be anybody: a token that is not known already is not looked at.
        let isSigningOut = route == .session(isBegun: false)
        do throws(TokenRefusal) {
            let mayTry = !isSigningOut && guards.limits.maySendUnknownToken(address, at: guards.uptime())
            return Caller(try authority.principal(bearing: token, at: now, maySendUnknown: mayTry), at: address)
        } catch {
            if isSigningOut { return Caller(.unknown, at: address) }
            if error == .tooMany { throw guards.limits.refuseToken() }
            guards.limits.noteRefusedToken(address, at: guards.uptime())
            throw Problem(401, "Unauthorized", error.reason)
        }
    }

    /// Where a request comes from: the client's address, if a proxy that is trusted tells it.
    func address(of request: HTTPRequest) -> String {
        guards.proxies.isEmpty ? request.peer : guards.proxies.client(of: request)
    }

    private func claim(of request: HTTPRequest) -> AccessClaim {
        let announced = request.method == "OPTIONS" ? request.header("Access-Control-Request-Method") ?? "GET" : nil
        var claim = AccessClaim(
            method: announced ?? request.method, host: request.header("Host"), origin: request.header("Origin"),
            site: request.header("Sec-Fetch-Site"))
        if claim.site != nil {
            claim.mode = request.header("Sec-Fetch-Mode")
            claim.destination = request.header("Sec-Fetch-Dest")
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

    /// Answers that the server is not ready when the thread that knows the rest can't be asked.
    /// - Returns: false when it can.
    func refuseReadiness(_ exchange: any Exchange) -> Bool {
        guard isStuck else { return false }
        var json = JSONWriter()
        json.object {
            $0.member("ready", false)
            $0.member("reason", "the tick thread is stuck")
        }
        exchange.send(.json(503, json.bytes))
        return true
    }
}
