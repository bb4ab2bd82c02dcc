// An application whose answers a test writes as a closure, and a server that stops with the test.

import HTTPTransport
import TestSupport

/// What the application was told of an answer.
struct ToldAnswer: Hashable {
    var method: String
    var path: String
    var id: String
    var status: Int
    var bytes: Int?
    var isStream: Bool
}

/// What a test keeps with a request or a connection.
final class Keepsake: Sendable {
    let text: String

    init(text: String) { self.text = text }
}

/// Answers by a closure.
final class TestApplication: HTTPApplication {
    let told = Watched<[ToldAnswer]>([])
    private let bodyLimit: Int
    private let answer: @Sendable (HTTPRequest, HTTPResponder) -> Void

    init(bodyLimit: Int = 1_024, _ answer: @escaping @Sendable (HTTPRequest, HTTPResponder) -> Void) {
        self.bodyLimit = bodyLimit
        self.answer = answer
    }

    /// `/large` takes ten times as much, `/unread` none; `X-Refuse` has a request refused, and `X-Owner` says whose it is.
    func decide(_ request: HTTPRequest) -> HeadDecision {
        let limit = request.path == "/large" ? bodyLimit * 10 : bodyLimit
        let record = request.header("X-Note").map { Keepsake(text: $0) }
        if request.header("X-Refuse") != nil { return HeadDecision(limit: limit, .refused(.text(401, "not you"))) }
        if request.path == "/unread" { return HeadDecision(limit: limit, .dropped) }
        return HeadDecision(limit: limit, .kept(owner: request.header("X-Owner")), context: record)
    }

    func respond(to request: HTTPRequest, on responder: HTTPResponder) { answer(request, responder) }

    func answered(_ answer: AnsweredRequest) {
        let request = answer.request
        let known = ToldAnswer(
            method: request.method, path: request.path, id: request.id, status: answer.status, bytes: answer.bytes,
            isStream: answer.isStream)
        told.update { $0.append(known) }
    }

    func response(for failure: HTTPFailure) -> HTTPResponse {
        switch failure {
        case .bodyTooLarge(let limit): .text(413, "over \(limit)")
        case .tooManyBodies: .text(503, "too many bodies")
        case .tooManyUnread: .text(503, "too many unread")
        case .targetTooLong(let limit): .text(414, "over \(limit)")
        case .tooManyParameters(let limit): .text(414, "over \(limit) parameters")
        case .headTooLarge(let limit): .text(431, "over \(limit)")
        case .tooManyHeaders(let limit): .text(431, "over \(limit) headers")
        case .malformedChunks: .text(400, "malformed chunks")
        case .malformedHead: .text(400, "malformed")
        case .notOneHost: .text(400, "not one host")
        case .ambiguousLength: .text(400, "ambiguous length")
        case .noRoomForStream: .text(200, "no room")
        case .unanswered: .text(500, "unanswered")
        }
    }
}

extension HTTPResponse {
    static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
    }
}

/// A server on a free port of the loopback interface.
final class TestServer {
    let server: HTTPServer
    let port: UInt16
    // The server holds its application through callbacks that know only a pointer.
    private let application: TestApplication

    var client: HTTPClient { HTTPClient(port: port) }
    /// What the application was told of answers so far.
    var told: [ToldAnswer] { application.told.current }

    init(
        bodyLimit: Int = 1_024, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ answer: @escaping @Sendable (HTTPRequest, HTTPResponder) -> Void
    ) throws {
        var configuration = HTTPServerConfiguration()
        configure(&configuration)
        application = TestApplication(bodyLimit: bodyLimit, answer)
        server = HTTPServer(configuration: configuration, application: application)
        port = try server.start()
    }

    deinit { server.stop() }
}

/// Exchanges kept for later, by a test's own hand.
final class KeptExchanges: Sendable {
    private let kept = Watched<[HTTPResponder]>([])

    func keep(_ responder: HTTPResponder) { kept.update { $0.append(responder) } }

    /// Waits for a number of exchanges and takes them.
    func take(_ count: Int) -> [HTTPResponder] {
        kept.wait { $0.count >= count }
        return kept.update { list in
            defer { list = [] }
            return list
        }
    }
}
