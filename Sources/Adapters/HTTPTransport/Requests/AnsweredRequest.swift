// A request whose answer is on its way, for whoever counts and writes down what was asked.

/// What the application says of a request, for when it is told what became of it.
package struct RequestLabel: Sendable {
    /// A number of the application's own, for what its path is one of; 0 where it was not looked at.
    package var route: UInt8 = 0
    /// Whose token it brings, for people; empty where nobody is known.
    package var holder = ""
    /// The address that counts; empty for that of the connection.
    package var client = ""
    /// Who asks, as the application knows them; nil where nobody looked.
    package var asker: (any Sendable)?
    /// Whoever answers tells what came of it to those who want to know; else nobody has.
    package var isToldByAnswer = false

    package init(route: UInt8) { self.route = route }
    init() {}
}

/// A request whose answer was handed over, valid while it is told of.
package struct AnsweredRequest {
    private let pending: PendingRequest
    package let status: Int
    /// Bytes of the answer's body; nil where it comes in portions, and for a stream.
    package let bytes: Int?
    /// From the end of its head until now.
    package let nanoseconds: Int64
    /// The answer is a stream, which begins with this.
    package let isStream: Bool

    init(_ pending: PendingRequest, status: Int, bytes: Int?, isStream: Bool, now: Int64) {
        self.pending = pending
        self.status = status
        self.bytes = bytes
        self.isStream = isStream
        nanoseconds = unsafe now - pending.intake.began
    }

    package var method: String { unsafe pending.intake.method }
    /// The request itself, without its body.
    package var request: HTTPRequest { HTTPRequest(pending, body: []) }
    package var id: String { unsafe pending.intake.id }
    package var label: RequestLabel { unsafe pending.intake.label }
    /// Percent-decoded, without the query.
    package var path: String { pending.target.path }
    /// The query's parameters in their order, percent-decoded.
    package var queryItems: [(name: String, value: String)] { pending.target.parameters }
    /// The address at the connection's other end, without its port; empty when it is not known.
    package var peer: String { pending.connection.peer }
}
