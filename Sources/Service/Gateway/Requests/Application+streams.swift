// Opens streams and changes open ones.

package import EventStream
import HTTPTransport
import Machine
package import Wire

extension Application {
    /// The number of random bytes in a stream's name.
    private static let nameBytes = 16

    func open(
        _ aim: Route.StreamAim, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller
    ) throws(Problem) {
        let ticket = request.query(Self.ticketParameter)
        var stream = try stream(aim, request)
        AcceptedTypes(request).choose(&stream)
        try RequestDecoder.check(
            stream.parts, for: stream.encoding?.payload, at: aim == .topicsByBody ? "/as" : "?as")
        let responder = EncodedResponder.responder(responder, stream.encoding)
        Self.record(request, caller, in: &stream)
        if ticket == nil { stream.parts = try caller.narrowed(stream.parts) }
        guard try meetsConditions(request, responder) else { return }
        if let ticket { return try open(stream, bringing: ticket, request, responder, caller) }
        guard admit(caller, to: &stream, peer: request.peer) else { return bye(caller, stream, responder) }
        try open(stream, request, responder)
    }

    private func stream(_ aim: Route.StreamAim, _ request: HTTPRequest) throws(Problem) -> StreamRequest {
        let last = try RequestHeaders.lastEventID(request)
        let items = request.queryItems.filter { $0.name != Self.ticketParameter }
        var stream: StreamRequest
        switch aim {
        case .resource(let name):
            return try StreamQuery.request(items, of: name, lastEventID: last, bounds)
        case .selfTest, .change:
            return StreamRequest(parts: StreamParts(TopicSelection([]), .json), isSelfTest: aim == .selfTest)
        case .topics: stream = try StreamQuery.request(items, of: nil, lastEventID: last, bounds)
        case .topicsByBody:
            stream = try StreamBody.request(request.body, lastEventID: last, bounds)
        }
        stream.name = StreamName(configuration.secret(Self.nameBytes))
        return stream
    }

    /// Records who opens a stream, and since when the client is waiting.
    static func record(_ request: HTTPRequest, _ caller: Caller, in stream: inout StreamRequest) {
        stream.origin = StreamOrigin(client: caller.address, request: request.id)
        stream.arrived = request.arrived
    }

    func open(_ stream: StreamRequest, _ request: HTTPRequest, _ responder: any Responder) throws(Problem) {
        // A browser's EventSource stops for good on any status but 200.
        guard !isStuck, taker.absence == nil else {
            observer?.refusedStream(because: "stuck", stream.origin)
            return responder.send(.bye("stuck", retry: Self.stuckRetry))
        }
        try submit(.query(.stream(stream), responder), in: stream.locale, of: request, responder)
    }

    // MARK: - Changes

    /// Changes what an open stream subscribes to.
    func change(
        _ name: StreamName, _ request: HTTPRequest, _ responder: any Responder, _ caller: Caller
    ) throws(Problem) {
        let options = try StreamBody.request(request.body, lastEventID: nil, bounds)
        guard options.lastEventID == nil else {
            throw .field("/lastEventID", "can't be set on an open stream; leave it out")
        }
        guard try meetsConditions(request, responder) else { return }
        try guards.limits.consume(topics: options.parts.patternCount, of: caller, at: guards.uptime())
        guard let ticket = request.query(Self.ticketParameter) else {
            return try change(StreamChange(name, options, by: caller, isByTicket: false), request, responder)
        }
        try spend(ticket, request, responder, caller) { [self] bearer throws(Problem) in
            try change(StreamChange(name, options, by: bearer, isByTicket: true), request, responder)
        }
    }

    private func change(
        _ change: StreamChange, _ request: HTTPRequest, _ responder: any Responder
    ) throws(Problem) {
        try submit(.query(.changeStream(change), responder), in: change.options.locale, of: request, responder)
    }
}

/// A requested change of an open stream, with its caller.
package struct StreamChange: Sendable {
    package let name: StreamName
    /// The options in the request.
    let options: StreamRequest
    private let caller: Caller
    private let isByTicket: Bool
    /// The requested topics that the caller's own rights allow.
    private let narrowed: Result<StreamParts, Problem>

    init(_ name: StreamName, _ options: StreamRequest, by caller: Caller, isByTicket: Bool) {
        self.name = name
        self.options = options
        self.caller = caller
        self.isByTicket = isByTicket
        do throws(Problem) {
            narrowed = .success(try caller.narrowed(options.parts))
        } catch {
            narrowed = .failure(error)
        }
    }

    /// Returns the options to apply: topics that the reader may subscribe to, and a permit by the credentials of this
    /// request.
    /// - Parameters:
    ///   - permit: The stream's present permit; nil if no tokens are required.
    ///   - payload: What the stream's frames must be; nil for either.
    /// - Throws: 404 for another account's stream; 401 or 403 for topics that may not be subscribed to; 422 for frames
    ///   that can't be sent in the stream's form.
    package func request(
        for permit: (any StreamPermit)?, payload: StreamEncoding.Payload?
    ) throws(Problem) -> StreamRequest {
        let held = permit as? PrincipalPermit
        var request = options
        try RequestDecoder.check(options.parts, for: payload, at: "/as")
        if caller.principal.isKnown || isByTicket {
            guard let held, held.principal.account == caller.principal.account else { throw Self.unknown }
            request.parts = try narrowed.get()
            request.permit = held.renewed(by: caller.principal, isTicket: isByTicket)
        } else if let held, held.isTicket {
            // Without a token the rights of the stream's ticket apply: only its bearer knows the stream's name.
            guard options.parts.patternCount <= Application.ticketTopics else {
                throw Problem(
                    400, "Bad Request", "more than \(Application.ticketTopics) topics of a stream with a ticket")
            }
            request.parts = try Caller(held.principal, at: caller.address).narrowed(options.parts)
        } else {
            guard !(held?.principal.isKnown ?? false) else { throw Self.unknown }
            request.parts = try narrowed.get()
        }
        return request
    }

    /// Also for another account's stream, so as not to reveal that it exists.
    package static let unknown = Problem(
        404, "Not Found", "there is no such stream, or it has ended or is another server's; open a new one")
}
