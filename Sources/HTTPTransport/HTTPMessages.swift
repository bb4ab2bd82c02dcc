// Requests and responses as values; what a server is and what it asks of its application.

/// A request, valid only during `respond`: headers and parameters are looked up in the connection.
package struct HTTPRequest {
    package let method: String
    /// Percent-decoded.
    package let path: String
    package let body: [UInt8]
    let connection: Connection

    /// A header's value; names in any case.
    package func header(_ name: String) -> String? { connection.header(name) }

    /// The query's parameters in their order, percent-decoded; one without `=` has an empty value.
    package var queryItems: [(name: String, value: String)] { connection.queryItems }

    /// The first parameter of a name.
    package func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }
}

/// A response, whole.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// What the transport itself must refuse, in an answer of the application's form.
package enum HTTPFailure: Hashable, Sendable {
    case bodyTooLarge(limit: Int)
    /// The application let an exchange go without an answer.
    case unanswered
}

/// What answers requests.
package protocol HTTPApplication: AnyObject, Sendable {
    /// The longest body in bytes; a longer one is refused as soon as it shows.
    var bodyLimit: Int { get }
    /// Answers, now or later. Runs on a worker of the transport and must not block.
    func respond(to request: HTTPRequest, on exchange: HTTPExchange)
    func response(for failure: HTTPFailure) -> HTTPResponse
}

/// Settings of a server.
package struct HTTPServerConfiguration: Sendable {
    /// An IPv4 address, or `::1` and the like.
    package var host = "127.0.0.1"
    package var port: UInt16 = 0
    package var workers = 2
    /// Most connections that wait for an answer; streams don't count.
    package var connectionLimit = 8_192
    /// Bytes for a request's line and headers, and a response's.
    package var connectionMemory = 16 * 1_024
    /// Seconds a connection may be idle.
    package var timeoutSeconds = 30

    package init() {}
}

/// Why a server can't run.
package enum TransportError: Error, Hashable, Sendable {
    case badAddress(String)
    case addressInUse
    case failed(code: Int32)
}
