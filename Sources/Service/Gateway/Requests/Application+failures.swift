// Responses that the transport sends for the service.

import Base
package import HTTPTransport
import Wire

extension Application {
    package func response(for failure: HTTPFailure) -> HTTPResponse {
        switch failure {
        case .bodyTooLarge(let limit):
            .problem(Problem(413, "Content Too Large", "the body must be at most \(limit) bytes long"))
        case .tooManyBodies:
            .problem(
                Problem(
                    503, "Service Unavailable", "too many request bodies at once; try again in a moment", retryAfter: 1)
            )
        case .tooManyUnread: .problem(Self.unread)
        case .targetTooLong(let limit):
            .problem(Problem(414, "URI Too Long", "the request line and headers must be at most \(limit) bytes long"))
        case .tooManyParameters(let limit):
            .problem(Problem(414, "URI Too Long", "the query must have at most \(limit) parameters"))
        case .headTooLarge(let limit):
            .problem(
                Problem(
                    431, "Request Header Fields Too Large",
                    "the request line and headers must be at most \(limit) bytes long"))
        case .tooManyHeaders(let limit):
            .problem(
                Problem(431, "Request Header Fields Too Large", "a request must have at most \(limit) headers"))
        case .malformedHead:
            .problem(
                Problem(
                    400, "Bad Request", "the first line or a header is malformed, or a header goes on in the next line")
            )
        case .notOneHost:
            .problem(
                Problem(400, "Bad Request", "a request needs exactly one Host header, of a host and at most a port"))
        case .ambiguousLength:
            .problem(Problem(400, "Bad Request", "the length of the body must be given exactly once, in digits"))
        case .malformedChunks:
            .problem(
                Problem(
                    400, "Bad Request",
                    "the body's chunks are malformed: lines must end with CR and LF, and have no long extensions"))
        case .noRoomForStream:
            .bye("full", retry: configuration.random.integer(in: Self.retryWhenFull))
        case .unanswered:
            .problem(Problem(500, "Internal Server Error", "the request could not be processed; try again"))
        }
    }

    /// Answers wait to be read, and another one has no room.
    static let unread = Problem(
        503, "Service Unavailable",
        "too many bytes of answers wait to be read; read the answers that you asked for, then try again", retryAfter: 1)

    /// Milliseconds after which to retry a stream that found no room. A range, so that clients don't return all at once.
    static let retryWhenFull = 10_000...30_000
}
