// Names that a token may not read: every field of the contract that can name something, tried on a running server, and held
// against the contract itself.

import Foundation
import Gateway
import TestSupport
import Testing

@Suite struct NamingTests {
    /// A field as `Tests/Peers/named_fields.py` finds it.
    private struct Field: Decodable {
        var place: String
        /// Its schema is that of a name; others may hold any text.
        var isName: Bool
    }

    private static func fields() throws -> [Field] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: ".venv/bin/python3")
        process.arguments = ["Tests/Peers/named_fields.py"]
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode([Field].self, from: bytes)
    }

    @Test func `the naming table has every contract field that can name something, and no other`() throws {
        let known = Set(NamingField.all.map(\.place))
        let fields = try Self.fields()
        #expect(fields.count > 150)
        for field in fields {
            let isKnown = known.contains(field.place) || !field.isName && Self.texts.contains(field.place)
            #expect(isKnown, "\(field.place) is new: does it name anything? Then NamingField needs it, else this test")
        }
        let places = Set(fields.map(\.place))
        #expect(known.subtracting(places).isEmpty && Self.texts.subtracting(places).isEmpty)
        #expect(known.isDisjoint(with: Self.texts))
    }

    /// Fields with texts that name no resource, notification or stream.
    private static let texts: Set = [
        "Affixes", "Appearance.color", "Appearance.trackColor", "Batch", "BatchAnswers", "ByeEvent.limit", "Count",
        "Easing", "EntityTags",
        "ExponentWriting.minus", "ExponentWriting.separator", "FailedWebhook.data", "FailedWebhook.failure",
        "FailedWebhook.id", "FailedWebhook.url", "FailedWebhookPage.next", "Format.currency", "Format.locale",
        "Format.unit", "HelloEvent.epoch", "HelloEvent.version", "Launch.easing", "Limit.flag", "Limit.name",
        "ListeningClient.client", "ListeningClient.peer", "ListeningClient.token", "LocalDate", "Motion.easing",
        "MotionEvent.label",
        "MotionEvent.rest", "NotificationEvent.data", "NotifyAction.data", "NotifyLine.data", "Number", "NumberWord",
        "NumberWriting.digits", "NumberWriting.plural", "NumberWriting.point", "NumberWriting.separator",
        "PlacedKeyframe.easing", "Problem.detail", "Problem.pointer", "Problem.title", "Progress.indeterminate",
        "Progress.label", "Progress.text", "ProgressDisplay.accessible", "ProgressDisplay.elapsed",
        "ProgressDisplay.eta", "ProgressDisplay.maximum", "ProgressDisplay.percent", "ProgressDisplay.rate",
        "ProgressDisplay.text", "ProgressDisplay.value", "ProgressFace.indeterminate", "ProgressFace.label",
        "ProgressFace.maximum", "Readiness.reason", "Readiness.warnings", "Reading.text", "Replica.digest",
        "Replica.name", "Replica.replicas", "Schedule.text", "ScheduleDefinition.ended",
        "ScheduleDefinition.every", "ScheduleDefinition.label",
        "ListedFrame.text", "ShieldsEndpoint.color", "ShieldsEndpoint.message", "headers.PictureTag",
        "parameters.knownPicture", "parameters.at", "parameters.from", "parameters.to",
        "parameters.pictureColor", "parameters.pictureLabel", "ScheduleDefinition.locale",
        "ScheduleDefinition.timeZone", "ScheduleDisplay.accessible",
        "ScheduleDisplay.clock", "ScheduleDisplay.remaining", "ScheduleDisplay.text", "ScheduleFrame.text",
        "StreamLine.event", "StreamLine.id", "StreamLines", "StreamTerms.locale", "StreamRequest.lastEventID",
        "Sum.text",
        "TextPart.value", "Ticker.label", "Ticker.prefix", "Ticker.suffix", "Ticker.text", "TickerDisplay.accessible",
        "TickerDisplay.percent", "TickerDisplay.target", "TickerDisplay.text", "TickerDisplay.value",
        "TickerFace.label", "TickerFace.prefix", "TickerFace.suffix", "TickerFrame.digits", "TickerWriting.cardinal",
        "TickerWriting.forms", "TickerWriting.ordinal",
        "TickerWriting.prefix", "TickerWriting.suffix", "Ticket.ticket", "Timing.spring", "ToldEasing", "Version.api",
        "Version.timeZones",
        "Version.version", "WebhookAction.data", "WebhookAction.webhook", "Wheels", "asyncapi.EventID",
        "asyncapi.messages.textFrame", "headers.Allow", "headers.ETag", "headers.ETagIfReadable", "headers.SetCookie",
        "headers.WWWAuthenticate",
        "parameters.idempotencyKey", "parameters.lastEventID", "parameters.lastEventIDHeader",
        "parameters.locale", "parameters.prefer", "parameters.ticket", "parameters.webhookAfter",
        "paths./metrics.get.responses.200.content.application/openmetrics-text.schema",
        "paths./metrics.get.responses.200.content.text/plain.schema", "requestBodies.NotificationData",
        "responses.ScheduleOrStream", "responses.Stream",
    ]

    // MARK: - What is asked

    private static let asked: [NamingField] = NamingField.all.filter { $0.rule.isOfRequest }

    /// The stranger may publish and subscribe to other-*; of the two names one is there.
    private static let stranger = GuardedServer.Visitor.other.headers

    @Test(arguments: asked) func `a name without the right to it is refused alike whether the resource exists`(
        field: NamingField
    ) throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        let probes = NamingProbe.all(field)
        #expect(!probes.isEmpty, "no request with \(field.place)")
        for probe in probes {
            // A batch is no resource: it is answered 412 for any condition, and no line of it is looked at.
            let conditions = probe.path == "/v1/batch" ? [] : ["If-Match: \"1\"", "If-Match: \"99\""]
            for extra in conditions + ["Idempotency-Key: §", "Prefer: return=minimal"] {
                let answers = try ["shop-1", "shop-0"].map {
                    let header = extra.replacing("§", with: "\(UUID())")
                    return try probe.send($0, to: guarded, headers: Self.stranger + [header])
                }
                let (there, missing) = (answers[0], answers[1])
                #expect(there.status == missing.status, "\(probe) \(extra)")
                #expect(there.body.replacing("shop-1", with: "shop-0") == missing.body, "\(probe) \(extra)")
                #expect(probe.isRefused(there), "\(probe) \(extra): \(there.status) \(there.body)")
            }
            let allowed = field.rule == .admin ? GuardedServer.Visitor.admin.headers : Self.stranger
            let own = try probe.send("other-1", to: guarded, headers: allowed)
            #expect(!probe.isRefused(own), "\(probe): \(own.status) \(own.body)")
        }
        let shown = try guarded.server.client.get("/v1/tickers/shop-1", headers: GuardedServer.Visitor.admin.headers)
        #expect(shown.body.contains(#""revision":"1""#), "\(shown.body)")
    }

    @Test func `whoever may either read or change a track may have a motion begin by it`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        for grant in [
            #"{"publish":["ticker=own-*","ticker=shop-*"]}"#,
            #"{"publish":["ticker=own-*"],"subscribe":["ticker=shop-1"]}"#,
        ] {
            let token = try GuardedServer.jwt(GuardedServer.claims(grant: grant))
            let answer = try guarded.server.client.post(
                "/v1/tickers/own-1", #"{"to":5,"start":{"after":"ticker:shop-1"}}"#,
                headers: ["Authorization: Bearer \(token)"])
            #expect(answer.status == 202, "\(answer.body)")
        }
    }

    @Test func `list cursors and prefixes tell nothing about resources that are not listed`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        let places = NamingField.all.filter { $0.rule == .cursor }.map(\.place)
        #expect(places == ["parameters.after", "parameters.prefix", "parameters.scheduleAfter"])
        for list in ["tickers", "progress", "schedules"] {
            for parameter in ["after", "prefix"] {
                let answers = try ["shop-1", "shop-0"].map {
                    try guarded.server.client.get("/v1/\(list)?\(parameter)=\($0)", headers: Self.stranger)
                }
                #expect(answers[0].status == 200 && answers[1].status == 200)
                #expect(answers.allSatisfy { !$0.body.contains("shop") }, "\(list) \(parameter)")
                #expect(answers[0].body.contains("other-1") == answers[1].body.contains("other-1"))
            }
        }
    }

    @Test func `a stream's name works for its owner only, and is 404 to others`() throws {
        let guarded = try GuardedServer()
        #expect(
            NamingField.all.filter { $0.rule == .owner }.map(\.place) == ["parameters.streamName", "HelloEvent.stream"])
        let stream = try EventSourceClient(
            port: guarded.server.port, path: "/v1/events?ticker=other-1", headers: Self.stranger)
        let hello = try #require(try stream.next()?.data)
        let name = try #require(hello.firstMatch(of: /"stream":"([^"]+)"/)?.output.1)
        func change(_ name: some StringProtocol, _ id: String, by headers: [String]) throws -> HTTPAnswer {
            try guarded.server.client.send(
                "PUT", "/v1/streams/\(name)", body: #"{"ticker":["\#(id)"]}"#, headers: headers)
        }
        let shop = GuardedServer.Visitor.subscriber.headers
        let (there, missing) = (
            try change(name, "shop-1", by: shop), try change("AAAAAAAAAAAAAAAAAAAAAA", "shop-1", by: shop)
        )
        #expect(there.status == 404 && there.status == missing.status && there.body == missing.body)
        // Of one's own stream a topic that may not be heard is refused, whether it is there.
        try guarded.prepare()
        let refused = try ["shop-1", "shop-0"].map { try change(name, $0, by: Self.stranger) }
        #expect(refused[0].status == 403 && refused[1].status == 403)
        #expect(refused[0].body.replacing("shop-1", with: "shop-0") == refused[1].body)
        #expect(try change(name, "other-2", by: Self.stranger).status == 204)
    }

    // MARK: - What is told

    @Test func `by of a notification is sent only to readers of that ticker, live and in replay`() throws {
        let guarded = try GuardedServer()
        #expect(NamingField.all.filter { $0.rule == .omitted }.map(\.place) == ["Schedule.by", "NotificationEvent.by"])
        let told = try NamingListeners(guarded.server.port, on: guarded)
        try Self.notify(guarded.server.client, by: "shop-1")
        try told.expect(readable: #""by":{"ticker":"shop-1"}"#)
        // Somebody who comes back is told what was missed, and no more.
        let again = try NamingListeners(guarded.server.port, on: guarded, after: told.beginning)
        try again.expect(readable: #""by":{"ticker":"shop-1"}"#)
    }

    @Test func `by of a notification is hidden on all replicas, also for replay on a new one`()
        throws
    {
        let redis = try RedisServer(["appendonly yes", "appendfsync always"])
        let store = ["--store", "redis://127.0.0.1:\(redis.port)?name=board"]
        let first = try GuardedServer(arguments: store)
        let second = try GuardedServer(arguments: store)
        let told = try NamingListeners(second.server.port, on: first)
        try Self.notify(first.server.client, by: "shop-1")
        try told.expect(readable: #""by":{"ticker":"shop-1"}"#)
        let third = try GuardedServer(arguments: store)
        let again = try NamingListeners(third.server.port, on: first, after: told.beginning)
        try again.expect(readable: #""by":{"ticker":"shop-1"}"#)
        let refused = try second.server.client.post(
            "/v1/tickers/other-2", #"{"to":1,"start":{"after":"ticker:shop-1"}}"#, headers: Self.stranger)
        #expect(refused.status == 403, "\(refused.body)")
    }

    /// Has an action of a ticker tell others something.
    private static func notify(_ client: HTTPClient, by id: String) throws {
        let answer = try client.post(
            "/v1/tickers/\(id)", #"{"to":5,"duration":0,"then":[{"notify":"other-n","data":{"by":{"ticker":"x"}}}]}"#,
            headers: GuardedServer.Visitor.admin.headers)
        #expect(answer.status == 202, "\(answer.body)")
    }

    @Test func `by of a delayed action is hidden from those who may not read that ticker`() throws {
        let guarded = try GuardedServer()
        let (client, admin) = (guarded.server.client, GuardedServer.Visitor.admin.headers)
        let waiting = #"{"to":5,"duration":0,"then":[{"notify":"n","delay":1000}]}"#
        _ = try client.post("/v1/tickers/shop-1", waiting, headers: admin)
        let list = try client.get("/v1/schedules", headers: admin).body
        #expect(list.contains(#""by":{"ticker":"shop-1"}"#), "\(list)")
        let id = try #require(list.firstMatch(of: /"schedule":"([^"]+)"/)?.output.1)
        let grant = #"{"publish":["schedule=*"],"subscribe":["schedule=*"]}"#
        let token = try GuardedServer.jwt(GuardedServer.claims(grant: grant))
        let headers = ["Authorization: Bearer \(token)"]
        var bodies = [
            try client.get("/v1/schedules", headers: headers).body,
            try client.get("/v1/schedules/\(id)", headers: headers).body,
            try client.get("/v1/schedules/\(id)?preview=2&locale=de", headers: headers).body,
        ]
        for key in ["a", "a", "b"] {
            bodies.append(
                try client.post("/v1/schedules/\(id)/pause", headers: headers + ["Idempotency-Key: \(key)"]).body)
        }
        #expect(bodies.allSatisfy { $0.contains(id) && !$0.contains("shop-1") }, "\(bodies)")
        #expect(try client.get("/v1/schedules/\(id)", headers: admin).body.contains(#""by":{"ticker":"shop-1"}"#))
    }

    @Test func `a stream tells nothing about resources its reader may not read`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        let query = "/v1/events?ticker=*&progress=*&schedule=*&notification=*"
        let stranger = try EventSourceClient.greeted(port: guarded.server.port, path: query, headers: Self.stranger)
        let motions = try EventSourceClient.greeted(
            port: guarded.server.port, path: query + "&mode=motion", headers: Self.stranger)
        let admin = GuardedServer.Visitor.admin.headers
        let all = try EventSourceClient.greeted(port: guarded.server.port, path: query, headers: admin)
        let client = guarded.server.client
        for (method, path, body) in Self.life {
            let status = try client.send(method, path, body: body, headers: admin).status
            #expect((200..<300).contains(status), "\(method) \(path)")
        }
        var missing: Set = [
            "message", "complete", "milestone", "paused", "resumed", "removed", "scheduled", "fired", "notification",
        ]
        _ = try all.collect { event in
            if event.data.contains("shop-1") { missing.remove(event.name) }
            return missing.isEmpty
        }
        #expect(missing.isEmpty)
        _ = try client.post("/v1/notifications/other-end", headers: admin)
        for stream in [stranger, motions] {
            let told = try stream.collect { $0.data.contains("other-end") }
            #expect(!told.contains { $0.data.contains("shop") }, "\(told)")
        }
        for path in ["/v1/tickers", "/v1/progress", "/v1/schedules", "/v1/limits"] {
            let answer = try client.get(path, headers: Self.stranger)
            #expect(answer.status == 200 && !answer.body.contains("shop"), "\(path)")
        }
    }

    /// What is done to somebody's own, so that all events happen.
    private static let life: [(String, String, String?)] = [
        (
            "POST", "/v1/tickers/shop-1",
            #"{"from":0,"to":5,"duration":0.05,"milestones":[3],"then":[{"notify":"shop-1"}]}"#
        ),
        ("POST", "/v1/progress/shop-1/pause", nil), ("POST", "/v1/progress/shop-1/resume", nil),
        ("DELETE", "/v1/progress/shop-1", nil),
        ("PUT", "/v1/schedules/shop-1", #"{"in":0.05,"do":[{"notify":"shop-1"}]}"#),
    ]
}

/// Streams of a notification in several forms: one whose reader may read everything, and others.
private struct NamingListeners {
    /// The id before any event.
    let beginning: String
    private let whole: EventSourceClient
    private let others: [EventSourceClient]

    /// - Parameters:
    ///   - guarded: Where tickets are made.
    ///   - last: The event after which they come back; nil for new ones.
    init(_ port: UInt16, on guarded: GuardedServer, after last: String? = nil) throws {
        let admin = GuardedServer.Visitor.admin.headers
        let other = GuardedServer.Visitor.other.headers
        let answer = try guarded.server.client.post("/v1/tickets", #"{"notification":["other-n"]}"#, headers: admin)
        let ticket = try #require(answer.body.firstMatch(of: /"ticket":"([^"]+)"/)?.output.1)
        let query = "/v1/events?notification=other-n" + (last.map { "&lastEventID=\($0)" } ?? "")
        func open(_ query: String, _ headers: [String]) throws -> (EventSourceClient, hello: String) {
            let stream = try EventSourceClient(port: port, path: query, headers: headers)
            return (stream, try stream.next()?.data ?? "")
        }
        let (whole, hello) = try open(query, admin)
        self.whole = whole
        let epoch = try #require(hello.firstMatch(of: /"epoch":"([^"]+)"/)?.output.1)
        beginning = "\(epoch)-0"
        let (changed, own) = try open(query.replacing("other-n", with: "other-x"), other)
        others =
            try [
                open(query, other).0, open(query + "&locale=de", other).0, open(query + "&ticket=\(ticket)", []).0,
            ] + (last == nil ? [changed] : [])
        guard last == nil else { return }
        let name = try #require(own.firstMatch(of: /"stream":"([^"]+)"/)?.output.1)
        let status = try HTTPClient(port: port).send(
            "PUT", "/v1/streams/\(name)", body: #"{"notification":["other-n"]}"#, headers: other
        ).status
        #expect(status == 204)
    }

    /// Each is told the event; what may not be read by all is told to one.
    func expect(readable text: String) throws {
        let told = try #require(try whole.collect { $0.name == "notification" }.last)
        #expect(told.data.contains(text), "\(told.data)")
        for stream in others {
            let event = try #require(try stream.collect { $0.name == "notification" }.last)
            #expect(event.id == told.id)
            #expect(event.data == #"{"notification":"other-n","data":{"by":{"ticker":"x"}}}"#)
        }
    }
}

extension NamingField.Rule {
    /// Whether it is of what somebody asks and may be refused.
    fileprivate var isOfRequest: Bool {
        switch self {
        case .publish, .subscribe, .either, .admin: true
        case .cursor, .owner, .subject, .omitted: false
        }
    }
}
