// Finds the token of a request: in `Authorization`, or in a cookie that no script can read. Never in a URL.

import HTTPTransport
import Wire

/// Finds the token of a request.
enum BearerToken {
    /// The cookie's name.
    static let cookie = "tweencast_token"
    /// The cookie's name with TLS: browsers accept it only from this host, not from another in its domain.
    static let secureCookie = "__Host-tweencast_token"
    /// The most bytes of a cookie's name and value that browsers keep (RFC 6265bis, 5.6).
    static let maximumCookie = 4_096
    /// The maximum length of a token in bytes; longer ones are rejected unread.
    static let maximumLength = 8 * 1_024

    /// - Parameter trustsCookies: Whether the request comes from a page that may write, or from no page.
    /// - Returns: nil if there is none.
    /// - Throws: 401 for an `Authorization` that has no bearer token.
    static func token(of request: HTTPRequest, trustsCookies: Bool) throws(Problem) -> String? {
        // All header lines: if there are two tokens, neither is accepted.
        if let header = request.wholeHeader("Authorization") {
            let parts = header.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= maximumLength,
                TokenFile.isToken(parts[1])
            else { throw unreadable }
            return String(parts[1])
        }
        guard trustsCookies, request.header("Cookie") != nil else { return nil }
        // All header lines: a proxy may have split one into several (RFC 9113, 8.2.3).
        let header = request.headerLines("Cookie").joined(separator: ";")
        if let token = try cookie(secureCookie, in: header) { return token }
        return try cookie(cookie, in: header)
    }

    private static let unreadable = Problem(
        401, "Unauthorized",
        "Authorization must be: Bearer, a space, and a token of at most \(maximumLength) bytes (RFC 6750)")

    private static func cookie(_ name: String, in header: String) throws(Problem) -> String? {
        let values = header.split(separator: ";").compactMap { pair -> Substring? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0].drop(while: { $0 == " " }) == name ? parts[1] : nil
        }
        guard let value = values.first, value.utf8.count <= maximumLength else { return nil }
        // One of them was set by another host in the domain, but it is unknown which.
        guard values.count == 1 else {
            throw Problem(401, "Unauthorized", "there are \(values.count) cookies \(name); sign in once more")
        }
        return String(value)
    }
}
