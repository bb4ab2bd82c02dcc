// Decodes requests into commands: the only place where a change is decoded and checked, from a request, a line of a batch,
// or within an action.

package import Base
package import Board
import EventStream
import HTTPTransport
import Machine
package import RecurrenceRules
package import Wire

/// Decodes changes and rejects forbidden webhooks.
package struct RequestDecoder: Sendable {
    /// Returns why a URL may not be called; nil if it may.
    let webhookRefusal: @Sendable (_ url: String) -> String?
    let rules: any CalendarRules
    let bounds: StreamBounds
    private let names: NameSource

    /// Seconds after which a ticker that the server named expires.
    private static let timeToLiveOfUnnamed = 60.0

    package init(
        rules: any CalendarRules, bounds: StreamBounds, random: RandomSource = .system,
        webhookRefusal: @escaping @Sendable (_ url: String) -> String?
    ) {
        names = NameSource(random)
        self.webhookRefusal = webhookRefusal
        self.rules = rules
        self.bounds = bounds
    }

    /// A change and the form of its response.
    struct Decoded {
        var request: CommandRequest
        /// The options of the stream that is the response; nil if it is none.
        var stream: StreamRequest?
        /// It has neither a format nor actions. Nearly all are so.
        var isPlain = false
    }

    /// Decodes a request's change.
    func change(_ route: Route.Change, _ request: HTTPRequest, _ caller: Caller) throws(Problem) -> Decoded {
        var change = try decode(route, request, caller)
        try caller.checkChange(change.request.command)
        if !change.isPlain { try checkWebhooks(of: change.request.command) }
        // Set only if present: an assignment boxes the value, and looks up its type first.
        if let condition = try RequestHeaders.precondition(request) {
            try caller.checkCondition(on: route.name)
            change.request.precondition = condition
        }
        // The same request with another form of response has another key. Set only if present, as above.
        if let key = try RequestHeaders.retryKey(request, of: caller, takesStream: change.stream != nil) {
            change.request.retry = key
        }
        change.request.preview = try RequestHeaders.preview(request)
        return change
    }

    /// Decodes a line's change, and checks it as it will be carried out.
    /// - Parameters:
    ///   - index: Its place in the batch, from 0.
    ///   - stagger: Seconds between the motions of consecutive lines.
    package func command(
        ofLine line: ArraySlice<UInt8>, at index: Int, stagger: Double, _ caller: Caller
    ) throws(Problem) -> Command {
        let command = try Stagger.apply(stagger, to: BatchDecoder.command(line, rules: rules), at: index)
        try caller.checkChange(command)
        try checkWebhooks(of: command)
        return command
    }

    // MARK: - Decoding

    private func decode(
        _ route: Route.Change, _ request: HTTPRequest, _ caller: Caller
    ) throws(Problem) -> Decoded {
        func made(_ command: Command, _ name: ResourceName?, _ form: CommandRequest.Form) -> Decoded {
            Decoded(request: CommandRequest(command, showing: name, as: form))
        }
        let shown = CommandRequest.Form.resource(status: 200, created: 200)
        switch route {
        case .make(.schedule):
            let (id, definition) = try ScheduleDecoder.definition(request.body, rules: rules)
            let name = ResourceName(.schedule, id ?? names.next("s"))
            let decoded = made(.schedule(name, definition), name, .resource(status: 201, created: 201))
            return try answered(decoded, of: name, request, by: id == nil ? nil : caller)
        case .make(let kind): return try make(kind, request)
        case .update(let name):
            let update = try UpdateDecoder.update(request.body, kind: name.kind, role: .update, rules: rules)
            // Before the update is consumed: otherwise it would be copied.
            let isPlain = update.isPlain
            var decoded = made(.update(name, update), name, .resource(status: 202, created: 202))
            decoded.isPlain = isPlain
            return try answered(decoded, of: name, request, by: caller)
        case .define(let name) where name.kind == .schedule:
            let (_, definition) = try ScheduleDecoder.definition(request.body, rules: rules)
            let decoded = made(.schedule(name, definition), name, .resource(status: 200, created: 201))
            return try answered(decoded, of: name, request, by: caller)
        case .define(let name):
            let update = try UpdateDecoder.update(request.body, kind: name.kind, role: .definition, rules: rules)
            return made(.define(name, update), name, .resource(status: 200, created: 201))
        case .remove(let name): return made(.remove(name), nil, .noContent)
        case .removeAll: return made(.removeAllSchedules, nil, .noContent)
        case .setAllPaused(let isPaused):
            return made(isPaused ? .pauseAllSchedules : .resumeAllSchedules, nil, .schedules)
        case .setPaused(let name, let isPaused):
            return made(isPaused ? .pauseSchedule(name) : .resumeSchedule(name), name, shown)
        case .notify(let name):
            // Any JSON, or nothing for a notification without data.
            let document = request.body.isEmpty ? nil : try UpdateDecoder.document(request.body)
            let data = document.map { $0.source(of: $0.root) }
            try LineRoom.check(data: data, at: "")
            return made(.notify(name: name, data: data), nil, .noContent)
        case .play(let name, let verb):
            return made(.play(name, try PlaybackDecoder.operation(verb, body: request.body)), name, shown)
        }
    }

    /// Makes a track that the server names.
    private func make(_ kind: ResourceKind, _ request: HTTPRequest) throws(Problem) -> Decoded {
        var update = try UpdateDecoder.update(request.body, kind: kind, role: .update, rules: rules)
        update.timeToLive = update.timeToLive ?? Self.timeToLiveOfUnnamed
        let name = ResourceName(kind, names.next(kind == .ticker ? "t" : "p"))
        let form = CommandRequest.Form.resource(status: 202, created: 202)
        let decoded = Decoded(request: CommandRequest(.update(name, update), showing: name, as: form))
        return try answered(decoded, of: name, request, by: nil)
    }

    /// Makes the answer to a change the stream of its resource if the client prefers one.
    /// - Parameter caller: Who must have the right to subscribe to the resource; nil if the server has chosen its name for
    ///   this request.
    /// - Throws: 401 or 403 without that right.
    private func answered(
        _ decoded: consuming Decoded, of name: ResourceName, _ request: HTTPRequest, by caller: Caller?
    ) throws(Problem) -> Decoded {
        let accepted = AcceptedTypes(request)
        guard accepted.prefersStream else { return decoded }
        var stream = try StreamQuery.request(request.queryItems, of: name, lastEventID: nil, bounds)
        // It ends with what was asked for, which may be later than the first `complete`.
        stream.terms.once = false
        accepted.choose(&stream)
        try Self.check(stream.parts, for: stream.encoding?.payload, at: "?as")
        if let caller { stream.parts = try caller.narrowed(stream.parts) }
        decoded.request.form = .stream
        decoded.stream = stream
        return decoded
    }

    /// - Parameters:
    ///   - payload: What a stream's frames must be; nil for either.
    ///   - pointer: The field in which a client asks for texts.
    /// - Throws: 422 for frames that can't be sent in the stream's form.
    static func check(
        _ parts: StreamParts, for payload: StreamEncoding.Payload?, at pointer: String
    ) throws(Problem) {
        switch payload {
        case .json where parts.hasTexts:
            throw .field(pointer, "text frames can't be sent as lines of JSON or to a terminal; leave it out")
        case .text where !parts.areTexts: throw .field(pointer, "a stream of plain text has text frames alone")
        case .json, .text, nil: return
        }
    }

    // MARK: - Webhooks

    /// Rejects webhooks to hosts that are not allowed, before they are due.
    private func checkWebhooks(of command: Command) throws(Problem) {
        for action in command.actions { try check(action) }
    }

    private func check(_ placed: PlacedAction) throws(Problem) {
        if case .webhook(let url, _) = placed.action, let reason = webhookRefusal(url) {
            throw .field("/\(placed.pointer)/webhook", "\(reason); see --webhook-host")
        }
        for inner in placed.inner { try check(inner) }
    }
}

extension TrackUpdate {
    /// Whether it has neither a format nor actions.
    fileprivate var isPlain: Bool { !$format && !hasActions }
}
