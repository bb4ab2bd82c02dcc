// Where requests carry tokens: `Authorization`, or a cookie that no script can read. Never a URL.

import HTTPTransport
import Wire

/// Finds the token of a request.
enum BearerToken {
    /// The cookie's name.
    static let cookie = "tweencast_token"
    /// The longest token, in bytes; a longer one is refused unread.
    static let maximumLength = 8 * 1_024

    /// - Parameter trustsCookies: The request comes of a page that may write, or of no page.
    /// - Returns: nil where there is none.
    /// - Throws: 401 for an `Authorization` that is no bearer's.
    static func token(of request: HTTPRequest, trustsCookies: Bool) throws(Problem) -> String? {
        if let header = request.header("Authorization") {
            let parts = header.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= maximumLength,
                TokenFile.isToken(parts[1])
            else { throw unreadable }
            return String(parts[1])
        }
        guard trustsCookies, let header = request.header("Cookie") else { return nil }
        return cookie(in: header)
    }

    private static let unreadable = Problem(
        401, "Unauthorized",
        "Authorization must be: Bearer, a space, and a token of at most \(maximumLength) bytes (RFC 6750)")

    private static func cookie(in header: String) -> String? {
        for pair in header.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookie else { continue }
            return parts[1].utf8.count <= maximumLength ? String(parts[1]) : nil
        }
        return nil
    }
}
