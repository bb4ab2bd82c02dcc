// A request without a connection: a program passes it to an application itself, and receives the answer as a value.

import Synchronization

/// What came of a direct request.
package enum DirectAnswer: Sendable {
    /// With the application's headers; a transport adds its own.
    case response(HTTPResponse)
    /// It begins a stream. The receiver finds a place for it and reports the outcome to the context, as a transport does.
    case stream(headers: [(name: String, value: String)], any StreamContext)
}

/// A request without a connection.
package final class DirectRequest: HTTPExchange {
    private struct Notes {
        var body: [UInt8] = []
        var context: (any AnyObject & Sendable)?
        var attachment: (any AnyObject & Sendable)?
        var label = RequestLabel()
        var headers: [(name: String, value: String)] = []
        var isAnswered = false
    }

    /// The most parameters of its query.
    private static let parameterLimit = 1_000

    let target: RequestTarget
    let method: String
    let arrived: Int64
    let id: String
    let peer: String
    private let lines: [(name: String, value: String)]
    private let content: [UInt8]
    private let notes = Mutex(Notes())
    private let application: any HTTPApplication
    private let receive: @Sendable (DirectAnswer) -> Void

    /// - Parameters:
    ///   - target: The path with its query.
    ///   - arrived: Monotonic nanoseconds.
    ///   - receive: Receives the answer, once, on any thread.
    package init(
        _ method: String, _ target: String, headers: [(name: String, value: String)], body: [UInt8] = [],
        id: String, peer: String, arrived: Int64, to application: any HTTPApplication,
        receive: @escaping @Sendable (DirectAnswer) -> Void
    ) {
        self.method = method
        self.target = RequestTarget(Array(target.utf8), parameterLimit: Self.parameterLimit)
        lines = headers
        content = body
        (self.id, self.peer, self.arrived) = (id, peer, arrived)
        self.application = application
        self.receive = receive
    }

    /// Passes the request to the application, as a transport does: a body only once its head was accepted.
    package func run() {
        if !content.isEmpty {
            let decision = application.decide(HTTPRequest(self))
            notes.withLock { ($0.context, $0.label) = (decision.context, decision.label) }
            switch decision.outcome {
            case .refused(let response): return answer(.response(response))
            case .dropped: break
            case .kept:
                guard content.count <= decision.limit else {
                    return answer(.failure(.bodyTooLarge(limit: decision.limit)))
                }
                notes.withLock { $0.body = content }
            }
        }
        application.respond(to: HTTPRequest(self), on: HTTPResponder(self))
    }

    var body: [UInt8] { notes.withLock { $0.body } }
    var context: (any AnyObject & Sendable)? { notes.withLock { $0.context } }
    var attachment: (any AnyObject & Sendable)? {
        get { notes.withLock { $0.attachment } }
        set { notes.withLock { $0.attachment = newValue } }
    }
    private var headers: [(name: String, value: String)] { notes.withLock { $0.headers } }
    var hasRoomForAnswer: Bool { true }

    func changeLabel(_ change: (inout RequestLabel) -> Void) { notes.withLock { change(&$0.label) } }
    func addHeaders(_ headers: [(name: String, value: String)]) { notes.withLock { $0.headers += headers } }

    func header(_ name: StaticString) -> String? { headerLines(name.description).first }

    func headerLines(_ name: String) -> [String] {
        let name = name.lowercased()
        return lines.filter { $0.name.lowercased() == name }.map(\.value)
    }

    func answer(_ answer: PendingAnswer) {
        let isFirst = notes.withLock { notes in
            defer { notes.isAnswered = true }
            return !notes.isAnswered
        }
        guard isFirst else { return answer.abandon() }
        switch answer {
        case .response(let response): send(response)
        case .later(let make): send(make())
        case .failure(let failure): send(application.response(for: failure))
        case .stream(let headers, _, let context):
            receive(.stream(headers: headers.map { (name: $0.0, value: $0.1) } + self.headers, context))
        case .nothing: break
        }
    }

    private func send(_ response: HTTPResponse) { receive(.response(response.adding(headers))) }
}
