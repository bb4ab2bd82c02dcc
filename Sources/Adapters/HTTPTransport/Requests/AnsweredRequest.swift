// A request that was answered, for metrics and the access log.

/// The application's description of a request, passed back when it was answered.
package struct RequestLabel: Sendable {
    /// The application's number for the route; 0 if the path was not examined.
    package var route: UInt8 = 0
    /// A readable name of the token's holder; empty if unknown.
    package var holder = ""
    /// The client address to count and log; empty for the connection's.
    package var client = ""
    /// The authenticated client in the application's form; nil if not determined.
    package var asker: (any Sendable)?
    /// The owner whose share of the answers that wait to be read its answer uses; nil if only the total limits it.
    package var owner: String?
    /// Whether the code that answers reports the outcome to audit itself; else nothing has reported it.
    package var isAuditedByAnswer = false

    package init(route: UInt8) { self.route = route }
    init() {}
}

/// An answered request, valid only during the callback that reports it.
package struct AnsweredRequest {
    /// Without its body.
    package let request: HTTPRequest
    package let label: RequestLabel
    package let status: Int
    /// Bytes of the answer's body; nil for streams and bodies in portions.
    package let bytes: Int?
    /// From the end of its head until now.
    package let nanoseconds: Int64
    /// Whether the answer begins a stream.
    package let isStream: Bool

    init(_ pending: PendingRequest, status: Int, bytes: Int?, isStream: Bool, now: Int64) {
        request = HTTPRequest(pending)
        label = unsafe pending.intake.label
        self.status = status
        self.bytes = bytes
        self.isStream = isStream
        nanoseconds = now - request.arrived
    }
}
