// Conditions of requests: `If-Match` and `If-None-Match`. Nothing here has a date, so that those by date say nothing, and
// no part of anything is served, so that neither does `If-Range` (RFC 9110, 13.1).

package import Board
package import HTTPTransport
import Wire

extension RequestHeaders {
    /// `If-Match` and `If-None-Match`; nil where there is neither.
    static func precondition(_ request: HTTPRequest) throws(Problem) -> Precondition? {
        let condition = Precondition(
            match: try revisions("If-Match", request), noneMatch: try revisions("If-None-Match", request))
        return condition == Precondition() ? nil : condition
    }

    private static func revisions(
        _ name: StaticString, _ request: HTTPRequest
    ) throws(Problem) -> Precondition.Revisions? {
        // Looked for before it is read whole: hardly any request has one.
        guard request.header(name) != nil, let text = request.wholeHeader(name.description) else { return nil }
        switch EntityTags(text) {
        case .any: return .any
        case .list(let tags): return .these(tags.compactMap(revision))
        case nil:
            throw Problem(
                400, "Bad Request", "\(name) must be *, or revisions in double quotes with commas between them")
        }
    }

    /// The revision of an `ETag`; nil for a tag that this server never gave. Proxies that compress mark what it did give:
    /// `W/"7"` (nginx, HAProxy) and `"7-gzip"` (Apache) are revision 7 as well.
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
    /// Holds a request against its conditions, where what its path names has no revision.
    /// - Parameter isThere: Whether it may be fetched from that path.
    /// - Returns: false where it is answered: what its sender has is what there is.
    /// - Throws: 400 for a condition that is none; 412 for one that doesn't hold.
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

    /// How a look at a resource is answered whose condition doesn't hold.
    package static func response(for failure: Precondition.Failure, at revision: UInt64) -> HTTPResponse {
        switch failure {
        case .match: .problem(Problem(.preconditionFailed(failure, current: revision)))
        case .noneMatch: .notModified(revision)
        }
    }
}
