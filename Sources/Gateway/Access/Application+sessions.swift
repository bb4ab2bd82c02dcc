// What tokens are turned into: a cookie for pages, a permit for streams.

import Access
import EventStream
import HTTPTransport
import Machine
import Wire

extension Application {
    /// Sets the cookie that carries the token of the request from now on, or takes it away. No script can read it, no other
    /// site's page has it sent, and it goes with the browser's session.
    func session(
        _ isBegun: Bool, _ request: HTTPRequest, _ exchange: any Exchange, _ caller: Caller
    ) throws(Problem) {
        // TLS may end at a proxy: the page knows how it came here.
        let isSecure = request.header("Origin")?.lowercased().hasPrefix("https:") ?? false
        let rest = "; Path=/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
        var response = HTTPResponse.answer(.noContent)
        if isBegun {
            guard caller.principal.isKnown, let token = try BearerToken.token(of: request, trustsCookies: false) else {
                throw Problem(
                    401, "Unauthorized", "send the token that the cookie is to carry as Authorization: Bearer")
            }
            response.headers.append(("Set-Cookie", "\(BearerToken.cookie)=\(token)\(rest)"))
        } else {
            response.headers.append(("Set-Cookie", "\(BearerToken.cookie)=\(rest); Max-Age=0"))
        }
        exchange.send(response)
    }

    /// Has a stream end when what let it in counts no more.
    func admit(_ caller: Caller, to stream: inout StreamRequest, from request: HTTPRequest) {
        if caller.address != request.peer { stream.client = caller.address }
        guard let authority else { return }
        stream.permit = PrincipalPermit(principal: caller.principal, authority: authority)
    }
}

/// A token's word for a stream.
struct PrincipalPermit: StreamPermit {
    let principal: Principal
    let authority: TokenAuthority

    var expires: Int64 { principal.expires }
    var isHonoured: Bool { authority.honours(principal) }
}
