// Checks before a request costs anything: who sends it, whether the server shuts down, and whether the thread that would
// answer is alive.

import Base
import HTTPTransport
import Synchronization
import Wire

extension Application {
    /// Admits a request, with headers for its answer, or rejects it.
    func guardAccess(_ request: HTTPRequest, _ responder: HTTPResponder) throws(Problem) -> AuthorizedRequest {
        let authorized: AuthorizedRequest
        if let known = request.context as? AuthorizedRequest {
            // The head of a request with a body was checked before the body arrived.
            authorized = known
        } else {
            authorized = try self.authorized(of: request)
        }
        responder.addHeaders(authorized.headers)
        responder.setLabel(RequestLabel(route: RoutePattern(authorized.match).rawValue))
        try checkOpen(to: request)
        return authorized
    }

    /// Checks a request's host and origin.
    func authorized(of request: HTTPRequest) throws(Problem) -> AuthorizedRequest {
        let (claim, access) = (claim(of: request), guards.access)
        switch access.verdict(on: claim) {
        case .foreignHost:
            throw Problem(403, "Forbidden", "this host name is not allowed; allow it with --allowed-host")
        case .foreignOrigin:
            throw Problem(
                403, "Forbidden", "pages of this origin are not allowed; allow them with --cors-origin")
        case .admitted(let headers, let trusts):
            let match = RouteMatch.read(of: request)
            if access.isReadOnly, claim.isOfPage, case .success(let match) = match, match.row.effect != .none {
                throw Problem(
                    403, "Forbidden", "this server is read-only for pages; change it from curl or a service")
            }
            return AuthorizedRequest(headers: headers, trustsCookies: trusts, match: match)
        }
    }

    /// - Throws: 415 for a compressed body, or one from a page without a JSON type. A form on another page can't send this
    ///   type without a preflight.
    func checkType(of request: HTTPRequest) throws(Problem) {
        if let coding = request.joinedHeader("Content-Encoding"), coding.lowercased() != "identity" {
            throw Problem(
                415, "Unsupported Media Type", "compressed bodies are not supported; send it without Content-Encoding")
        }
        guard !Self.reads(request), request.header("Origin") != nil, !Self.isJSON(request.joinedHeader("Content-Type"))
        else {
            return
        }
        throw Problem(415, "Unsupported Media Type", "a page must send Content-Type: application/json")
    }

    /// - Throws: 503 for a change while the server shuts down.
    func checkOpen(to request: HTTPRequest) throws(Problem) {
        // `POST /v1/events` only reads. A draining server ends streams with `bye`.
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

    /// Returns the caller of a request.
    /// - Throws: 401 for an invalid token, 429 after too many. Signing out accepts any, since only its answer can remove a cookie
    ///   that scripts can't read. A missing token is no error, since the route may not need one.
    func caller(of request: HTTPRequest, on match: RouteMatch, trustsCookies: Bool) throws(Problem) -> Caller {
        guard match.row.access == .known, let authority = guards.authority else { return somebody(.anybody, request) }
        // A one-time ticket replaces the token, and is spent later. A browser may also send a cookie that
        // is no longer valid.
        if bringsTicket(request, on: match) {
            return somebody(authority.anonymous, request)
        }
        guard let token = try BearerToken.token(of: request, trustsCookies: trustsCookies) else {
            return somebody(authority.anonymous, request)
        }
        let now = guards.now()
        let client = client(of: request)
        // Signing out needs no identity, so an unknown token is not verified.
        let isSigningOut = match.route == .session(isBegun: false)
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

    /// Returns a caller with this principal.
    func somebody(_ principal: Principal, _ request: HTTPRequest) -> Caller {
        Caller(principal, of: client(of: request), asking: request.id)
    }

    /// Returns the client of a request: its address is the one that a trusted proxy reports, if any.
    func client(of request: HTTPRequest) -> KnownClient {
        // A proxy's connection has requests of many clients.
        guard guards.proxies.isEmpty else {
            return KnownClient(guards.proxies.client(of: request), under: guards.limits)
        }
        let known = request.attachment as? KnownConnection
        if let client = known?.client { return client }
        let client = KnownClient(request.peer, under: guards.limits)
        request.attachment = KnownConnection(client: client, host: known?.host)
        return client
    }

    /// Parses a host, unless the connection's last request had the same.
    private func authority(_ host: String, of request: HTTPRequest) -> Authority? {
        let known = request.attachment as? KnownConnection
        if let last = known?.host, last.text == host { return last.authority }
        guard let authority = Authority(host) else { return nil }
        if host.utf8.count <= KnownConnection.longestHost {
            request.attachment = KnownConnection(client: known?.client, host: (host, authority))
        }
        return authority
    }

    private func claim(of request: HTTPRequest) -> AccessClaim {
        let announced = request.method == "OPTIONS" ? request.header("Access-Control-Request-Method") ?? "GET" : nil
        let host = request.header("Host")
        var claim = AccessClaim(
            method: announced ?? request.method, host: host, origin: request.joinedHeader("Origin"),
            site: request.joinedHeader("Sec-Fetch-Site"), isOfStream: Route.isOfStream(request.path),
            isOfFramedPage: AccessRules.framedPages.contains(request.path),
            parsedHost: host.flatMap { authority($0, of: request) })
        if claim.site != nil {
            claim.mode = request.joinedHeader("Sec-Fetch-Mode")
            claim.destination = request.joinedHeader("Sec-Fetch-Dest")
        }
        return claim
    }

    private static func isJSON(_ type: String?) -> Bool {
        // A comma joins the lines of several headers.
        guard let type, !type.contains(","), let media = type.split(separator: ";").first else { return false }
        return ["application/json", "application/x-ndjson"].contains(media.trimmedBlanks.lowercased())
    }

    // MARK: - The tick thread

    /// Milliseconds after which to retry a stream that found the tick thread stuck.
    static let stuckRetry = 5_000

    var isStuck: Bool { taker.secondsStuck != nil }

    /// Answers whether the process is alive: its tick thread is not stuck.
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

    /// Answers that the server is not ready, if that is known without the tick thread.
    /// - Returns: false if the tick thread must be asked.
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
