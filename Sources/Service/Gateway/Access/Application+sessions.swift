// What tokens are turned into: a cookie for pages, a permit for streams.

import EventStream
import HTTPTransport
import Machine
import Wire

extension Application {
    /// Sets the cookie that carries the token of the request from now on, or takes it away. No script can read it, no other
    /// site's page has it sent, and it goes with the browser's session.
    func session(
        _ isBegun: Bool, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller
    ) throws(Problem) {
        guard try meetsConditions(request, responder, isThere: false) else { return }
        // TLS may end at a proxy: the page knows how it came here.
        let isSecure = guards.access.speaksTLS || request.header("Origin")?.lowercased().hasPrefix("https:") ?? false
        let rest = "; Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
        let name = isSecure ? BearerToken.secureCookie : BearerToken.cookie
        var response = HTTPResponse.answer(.noContent)
        if isBegun {
            guard caller.principal.isKnown, let token = try BearerToken.token(of: request, trustsCookies: false) else {
                throw Problem(
                    401, "Unauthorized", "send the token that the cookie is to carry as Authorization: Bearer")
            }
            response.headers.append(("Set-Cookie", "\(name)=\(token)\(rest)"))
        } else {
            // By TLS a browser sends the cookie of a page without it as well: whoever signs out is to be nobody.
            for name in Set([name, BearerToken.cookie]).sorted() {
                response.headers.append(("Set-Cookie", "\(name)=\(rest); Max-Age=0"))
            }
        }
        responder.send(response)
    }

    /// Has a stream know its owner and take one of the owner's places, and end when what let it in counts no more.
    /// - Parameter peer: At the other end of the connection.
    /// - Returns: false where the owner has as many streams as it may.
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

    /// A browser's EventSource stops for ever on any status but 200.
    func bye(_ caller: Caller, _ stream: StreamRequest, _ responder: any Responder) {
        observer?.refusedStream(because: "limit", stream.origin)
        let limit = OwnerLimits.streamLimit(of: caller)
        responder.send(.bye("limit", retry: Int.random(in: Self.retryWhenFull), limit: limit.rawValue))
    }
}

/// A token's word for a stream, and the stream's place. There may be as many as streams.
final class PrincipalPermit: StreamPermit {
    let principal: Principal
    /// nil where nobody is asked.
    private let authority: TokenAuthority?
    private let place: StreamPlace
    let client: String?
    /// It was let in by a one-time ticket, which is the principal's.
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

    /// The word of another token or ticket of the same owner's, for the same stream.
    func renewed(by principal: Principal, isTicket: Bool) -> PrincipalPermit {
        PrincipalPermit(principal: principal, authority: authority, place: place, client: client, isTicket: isTicket)
    }

    var expires: Int64 { principal.expires }
    var isHonoured: Bool { authority?.honours(principal) ?? true }
    var readable: TopicSelection? { principal.rights.readable }
    var holder: String? { principal.isKnown ? principal.name : nil }
}
