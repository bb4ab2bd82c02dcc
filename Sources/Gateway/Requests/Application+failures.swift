// The answers that the transport gives in the service's name.

package import HTTPTransport
import Wire

extension Application {
    package func response(for failure: HTTPFailure) -> HTTPResponse {
        switch failure {
        case .bodyTooLarge(let limit):
            .problem(Problem(413, "Content Too Large", "a body holds at most \(limit) bytes"))
        case .tooManyBodies:
            .problem(Problem(503, "Service Unavailable", "too many bodies are under way", retryAfter: 1))
        case .targetTooLong(let limit):
            .problem(Problem(414, "URI Too Long", "a request's line and headers hold at most \(limit) bytes"))
        case .tooManyParameters(let limit):
            .problem(Problem(414, "URI Too Long", "a query holds at most \(limit) parameters"))
        case .headTooLarge(let limit):
            .problem(
                Problem(
                    431, "Request Header Fields Too Large",
                    "a request's line and headers hold at most \(limit) bytes"))
        case .malformedHead:
            .problem(Problem(400, "Bad Request", "a header is malformed, or goes on in the next line"))
        case .notOneHost:
            .problem(Problem(400, "Bad Request", "a request must name one Host"))
        case .ambiguousLength:
            .problem(Problem(400, "Bad Request", "a body's length must be said once"))
        case .noRoomForStream:
            .farewell("full", retry: Int.random(in: Self.retryWhenFull))
        case .unanswered:
            .problem(Problem(500, "Internal Server Error", "the request was lost"))
        }
    }

    /// Milliseconds after which a stream that found no room should be asked for again: not all at once.
    private static let retryWhenFull = 10_000...30_000
}
