// The answer to a request that fails: RFC 9457 problem details.

import Base
package import Board
import Labels

/// A request's error, in the form of its answer.
package struct Problem: Error, Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    package var title: String
    package var detail: String
    /// RFC 6901 pointer to the field at fault, such as `/spring/dampingRatio`.
    package var pointer: String?
    /// Seconds for `Retry-After`.
    package var retryAfter: Int?

    package init(_ status: Int, _ title: String, _ detail: String, pointer: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.title = title
        self.detail = detail
        self.pointer = pointer
        self.retryAfter = retryAfter
    }

    /// Returns a 422 for a field.
    package static func field(_ pointer: String, _ detail: String) -> Problem {
        Problem(422, "Unprocessable Content", detail, pointer: pointer)
    }

    package static let notFound = Problem(404, "Not Found", "nothing is served at this path; see /openapi.yaml")

    package init(_ error: JSONError) {
        switch error.reason {
        case .syntax(let what):
            self.init(400, "Malformed JSON", "\(what) (at byte \(error.offset))")
        case .duplicate(let name):
            self.init(422, "Unprocessable Content", "duplicate field", pointer: "/" + Self.token(name))
        }
    }

    package init(_ error: CommandError) {
        switch error {
        case .notFound(let name):
            self.init(404, "Not Found", "there is no \(name.kind) \(name.id)")
        case .running:
            self.init(
                409, "Conflict",
                "a motion is running, and the update's `interrupt` is `reject`; try again when it has ended")
        case .queueFull(let waiting):
            self.init(
                409, "Conflict",
                "\(waiting) updates, or their bytes, already wait for the motion to end; try again later")
        case .preconditionFailed(let failure, let current):
            let detail =
                switch (failure, current) {
                case (.match, let current?): "the resource is at revision \(current); fetch it and try again"
                case (.match, nil): "`If-Match` expects a resource, and there is none; leave it out to make one"
                case (.noneMatch, let current):
                    "the resource is there, at revision \(current ?? 0), which `If-None-Match` excludes"
                }
            self.init(412, "Precondition Failed", detail)
        case .boardFull(let kind, let limit):
            let (things, flag) =
                kind == .schedule ? ("schedules", "max-schedules") : ("tickers and progress views", "max-tracks")
            let detail = "the board is full (\(limit) \(things), as set by --\(flag)); delete some first"
            self.init(503, "Service Unavailable", detail, retryAfter: 60)
        case .boardOutOfMemory(let limit):
            let detail = "the board is full (\(limit) bytes, as set by --board-bytes); delete something first"
            self.init(507, "Insufficient Storage", detail, retryAfter: 60)
        case .invalid(let field, let reason):
            self = .field("/" + field, reason)
        case .conflict(let reason):
            self.init(409, "Conflict", reason)
        }
    }

    /// Escapes a name as a token of an RFC 6901 pointer.
    package static func token(_ name: String) -> String {
        var token = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(character)
            }
        }
        return token
    }

    /// The `application/problem+json` body.
    package var body: [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("status", status)
            $0.member("title", title)
            $0.member("detail", detail)
            if let pointer { $0.member("pointer", pointer) }
        }
        return json.bytes
    }
}
