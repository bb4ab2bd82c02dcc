// Conditions of requests: `If-Match` and `If-None-Match`. Conditions by date are ignored, since nothing here has a date; so
// is `If-Range`, since no ranges are served (RFC 9110, 13.1).

package import Board
package import HTTPTransport
import Wire

extension RequestHeaders {
    /// Returns `If-Match` and `If-None-Match`; nil if there is neither.
    static func precondition(_ request: HTTPRequest) throws(Problem) -> Precondition? {
        let condition = Precondition(
            match: try revisions("If-Match", request), noneMatch: try revisions("If-None-Match", request))
        return condition == Precondition() ? nil : condition
    }

    private static func revisions(
        _ name: StaticString, _ request: HTTPRequest
    ) throws(Problem) -> Precondition.Revisions? {
        // Checked first, since few requests have one and reading all lines costs more.
        guard request.header(name) != nil, let text = request.wholeHeader(name.description) else { return nil }
        switch EntityTags(text) {
        case .any: return .any
        case .list(let tags): return .these(tags.compactMap(revision))
        case nil:
            throw Problem(
                400, "Bad Request", "\(name) must be *, or revisions in double quotes with commas between them")
        }
    }

    /// Returns the revision in an `ETag`; nil for a tag that this server never sent. Compressing proxies change tags:
    /// `W/"7"` (nginx, HAProxy) and `"7-gzip"` (Apache) are revision 7 too.
    private static func revision(of tag: EntityTag) -> UInt64? {
        let parts = tag.text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || contentCodings.contains(parts[1]), parts[0].utf8.allSatisfy(isDigit),
            let revision = UInt64(parts[0]), revision != Precondition.untagged
        else { return nil }
        return revision
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static let contentCodings: Set<Substring> = ["gzip", "br", "deflate", "zstd"]
}

extension Application {
    /// Checks the conditions of a request for something without a revision.
    /// - Parameter isThere: Whether GET of its path returns something.
    /// - Returns: false if it was answered with 304: the client's copy is current.
    /// - Throws: 400 for an invalid condition; 412 for one that doesn't hold.
    func meetsConditions(
        _ request: HTTPRequest, _ responder: any Responder, isThere: Bool = true
    ) throws(Problem) -> Bool {
        guard let condition = try RequestHeaders.precondition(request) else { return true }
        switch condition.failure(at: isThere ? Precondition.untagged : nil) {
        case nil: return true
        case .noneMatch where request.method == "GET" || request.method == "HEAD":
            responder.send(.notModified())
            return false
        case .match: throw Self.unmet("If-Match", isThere ? "has no such revision" : "is nothing that may be fetched")
        case .noneMatch: throw Self.unmet("If-None-Match", "is there")
        }
    }

    private static func unmet(_ name: String, _ state: String) -> Problem {
        Problem(412, "Precondition Failed", "what this path names \(state); leave \(name) out")
    }

    /// Returns the response to a GET of a resource whose condition doesn't hold.
    package static func response(for failure: Precondition.Failure, at revision: UInt64) -> HTTPResponse {
        switch failure {
        case .match: .problem(Problem(.preconditionFailed(failure, current: revision)))
        case .noneMatch: .notModified(revision)
        }
    }
}
