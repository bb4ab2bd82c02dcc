// The service's answers with their headers.

import Base
import EventStream
package import HTTPTransport
package import Machine
package import Wire

/// The headers of every stream's answer.
package enum EventStreamHead {
    static let contentType = "text/event-stream"

    package static let headers: [(String, String)] = [
        ("Content-Type", contentType),
        ("Cache-Control", "no-store, no-transform"),
        ("X-Accel-Buffering", "no"),
        ("X-Content-Type-Options", "nosniff"),
    ]
}

extension HTTPResponse {
    /// Headers of every answer but streams and files: never sniffed, never cached. `AccessRules` adds those that say which pages may read it.
    private static let common: [(name: String, value: String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"),
    ]

    /// - Parameter rest: What makes the portions behind `body`; nil if it is all.
    package static func json(_ status: Int, _ body: [UInt8], rest: (any BodySource)? = nil) -> HTTPResponse {
        HTTPResponse(status: status, headers: common + [("Content-Type", "application/json")], body: body, rest: rest)
    }

    package static func lines(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, headers: common + [("Content-Type", "application/x-ndjson")], body: body)
    }

    /// - Parameter rest: What makes the portions behind `body`; nil if it is all.
    package static func text(_ body: [UInt8], _ type: String, rest: (any BodySource)? = nil) -> HTTPResponse {
        HTTPResponse(status: 200, headers: common + [("Content-Type", type)], body: body, rest: rest)
    }

    /// Returns a page that loads and runs nothing.
    static func page(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        let headers = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
        ]
        return HTTPResponse(status: status, headers: common + headers, body: body)
    }

    /// Returns a 304: the client has the current state.
    /// - Parameter revision: nil if the resource has none.
    package static func notModified(_ revision: UInt64? = nil) -> HTTPResponse {
        HTTPResponse(status: 304, headers: common + (revision.map { [("ETag", "\"\($0)\"")] } ?? []))
    }

    /// Encodes the machine's answer.
    package static func answer(_ answer: Answer) -> HTTPResponse {
        HTTPResponse(status: answer.status, headers: headers(of: answer), body: answer.body())
    }

    /// Returns the machine's answer without its resource: 201 if the request created it, otherwise 204. Other answers keep
    /// their body.
    package static func minimal(_ answer: Answer) -> HTTPResponse {
        guard answer.showsResource else { return .answer(answer) }
        var headers = headers(of: answer)
        headers.removeAll { $0.name == "Content-Type" }
        let isNew = headers.contains { $0.name == "Location" }
        headers.append(("Preference-Applied", "return=minimal"))
        return HTTPResponse(status: isNew ? 201 : 204, headers: headers)
    }

    private static func headers(of answer: Answer) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(common.count + 4)
        headers += common
        answer.appendHeaders(to: &headers)
        return headers
    }

    static func answer(_ answer: Answer, isMinimal: Bool) -> HTTPResponse {
        isMinimal ? .minimal(answer) : .answer(answer)
    }

    /// Returns the machine's answer with no more of its number than name, value and text; it doesn't show whether the number
    /// is new.
    static func sum(_ answer: Answer, isMinimal: Bool) -> HTTPResponse {
        var response = HTTPResponse.answer(answer, isMinimal: isMinimal)
        guard answer.showsResource else { return response }
        response.headers.removeAll { $0.name == "ETag" || $0.name == "Location" }
        if isMinimal { response.status = 204 } else { response.body = TrackEncoder.sum(of: response.body) }
        return response
    }

    /// Returns the answer to an allowed CORS preflight.
    /// - Parameters:
    ///   - allowed: The path's methods.
    ///   - fields: The headers that requests may have.
    static func preflight(_ allowed: [String], headers fields: String) -> HTTPResponse {
        let methods = allowed.joined(separator: ", ")
        let headers = [
            ("Allow", methods), ("Access-Control-Allow-Methods", methods),
            ("Access-Control-Allow-Headers", fields), ("Access-Control-Max-Age", "7200"),
        ]
        return HTTPResponse(status: 204, headers: common + headers, body: [])
    }

    /// Returns a stream that ends at once, since a browser's EventSource stops for good on any status but 200.
    /// - Parameters:
    ///   - retry: Milliseconds after which the client should retry.
    ///   - limit: The name of the limit that was reached.
    package static func bye(_ reason: String, retry: Int, limit: String? = nil) -> HTTPResponse {
        var json = JSONWriter()
        json.object {
            $0.member("reason", reason)
            if let limit { $0.member("limit", limit) }
        }
        return HTTPResponse(
            status: 200, headers: EventStreamHead.headers.map { (name: $0.0, value: $0.1) },
            body: SSE.event("bye", retry: retry, payload: json.bytes))
    }

    package static func problem(_ problem: Problem) -> HTTPResponse {
        var response = HTTPResponse.answer(.problem(problem))
        // RFC 6750, 3.
        if problem.status == 401 { response.headers.append(("WWW-Authenticate", "Bearer realm=\"tweencast\"")) }
        return response
    }

    static func refusal(_ refusal: Route.Refusal) -> HTTPResponse {
        var response = problem(refusal.problem)
        if !refusal.allowed.isEmpty {
            response.headers.append(("Allow", refusal.allowed.joined(separator: ", ")))
        }
        return response
    }
}

extension Answer {
    /// Whether its body is a resource.
    fileprivate var showsResource: Bool {
        switch self {
        case .resource: true
        // The kept answer had one, unless the resource was gone again.
        case .again(let kept, _): kept.status != 204
        case .problem, .noContent, .schedules, .spent, .stream: false
        }
    }
}
