// What a token is exchanged for: a cookie for pages, a permit for streams.

import Base
import EventStream
import HTTPTransport
import Machine
import Wire

extension Application {
    /// Sets the cookie that carries the request's token from now on, or removes it. No script can read it, pages of other
    /// sites can't have it sent, and it ends with the browser's session.
    func session(
        _ isBegun: Bool, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller
    ) throws(Problem) {
        guard try meetsConditions(request, responder, isThere: false) else { return }
        // TLS may end at a proxy; the page knows its own scheme.
        let isSecure = guards.access.speaksTLS || request.header("Origin")?.lowercased().hasPrefix("https:") ?? false
        let rest = "; Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
        let name = isSecure ? BearerToken.secureCookie : BearerToken.cookie
        var response = HTTPResponse.answer(.noContent)
        if isBegun {
            guard caller.principal.isKnown, let token = try BearerToken.token(of: request, trustsCookies: false) else {
                throw Problem(
                    401, "Unauthorized", "send the token that the cookie is to carry as Authorization: Bearer")
            }
            guard name.utf8.count + token.utf8.count <= BearerToken.maximumCookie else {
                throw .field(
                    "", "the token is too long for a cookie: browsers keep \(BearerToken.maximumCookie) bytes at most")
            }
            response.headers.append(("Set-Cookie", "\(name)=\(token)\(rest)"))
        } else {
            // With TLS a browser also sends the cookie of a page without TLS, so signing out removes both.
            for name in Set([name, BearerToken.cookie]).sorted() {
                response.headers.append(("Set-Cookie", "\(name)=\(rest); Max-Age=0"))
            }
        }
        responder.send(response)
    }

    /// Gives a stream its owner, one of the owner's places, and a permit that ends it when the caller's right ends.
    /// - Parameter peer: The address at the other end of the connection.
    /// - Returns: false if the owner has as many streams as allowed.
    func admit(_ caller: Caller, to stream: inout StreamRequest, peer: String, byTicket: Bool = false) -> Bool {
        let client = caller.address == peer ? nil : caller.address
        stream.owner = guards.limits.owner(of: caller)
        guard guards.authority != nil || client != nil || stream.owner != nil else { return true }
        guard let place = guards.limits.stream(of: caller) else { return false }
        stream.permit = PrincipalPermit(
            principal: guards.authority == nil ? .anybody : caller.principal, authority: guards.authority, place: place,
            client: client, isTicket: byTicket)
        return true
    }

    /// Sends a `bye`. A browser's EventSource stops for good on any status but 200.
    func bye(_ caller: Caller, _ stream: StreamRequest, _ responder: any Responder) {
        observer?.refusedStream(because: "limit", stream.origin)
        let limit = OwnerLimits.streamLimit(of: caller)
        let retry = configuration.random.integer(in: Self.retryWhenFull)
        responder.send(.bye("limit", retry: retry, limit: limit.rawValue))
    }
}

/// The permit that a token gives to a stream, with the stream's place. There may be as many as streams.
final class PrincipalPermit: StreamPermit {
    let principal: Principal
    /// nil if no tokens are required.
    private let authority: TokenAuthority?
    private let place: StreamPlace
    let client: String?
    /// Whether it was obtained with the principal's one-time ticket.
    let isTicket: Bool

    init(
        principal: Principal, authority: TokenAuthority?, place: StreamPlace, client: String?, isTicket: Bool = false
    ) {
        self.principal = principal
        self.authority = authority
        self.place = place
        self.client = client
        self.isTicket = isTicket
    }

    /// Returns the permit of another token or ticket of the same owner for the same stream.
    func renewed(by principal: Principal, isTicket: Bool) -> PrincipalPermit {
        PrincipalPermit(principal: principal, authority: authority, place: place, client: client, isTicket: isTicket)
    }

    var expires: Int64 { principal.expires }
    var isHonoured: Bool { authority?.honours(principal) ?? true }
    var readable: TopicSelection? { principal.rights.readable }
    var holder: String? { principal.isKnown ? principal.name : nil }
}
