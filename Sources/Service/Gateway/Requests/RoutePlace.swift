// What a path names, and what each method makes of it. Every request comes by here: nothing is split or listed before it is
// known to be needed.

import Base
import Board
import EventStream
import Machine
import Wire

/// A request's method, in the order in which they are told.
enum RouteMethod: String, CaseIterable {
    case delete = "DELETE"
    case get = "GET"
    case post = "POST"
    case put = "PUT"

    /// - Returns: nil for a method that no path takes. HEAD is GET without a body; the transport leaves the body out.
    init?(_ text: String) {
        switch text {
        case "POST": self = .post
        case "GET", "HEAD": self = .get
        case "PUT": self = .put
        case "DELETE": self = .delete
        default: return nil
        }
    }
}

/// What a path names.
enum RoutePlace {
    case health, readiness, metrics, version, file
    case all(ResourceKind)
    case one(ResourceName)
    case events(ResourceName)
    case history(ResourceName)
    case playback(ResourceName, PlaybackVerb)
    /// `pause` or `resume` behind a schedule's id.
    case halt(ResourceName, Bool)
    case topics, clients, limits, selfTest, session, tickets, batch
    case openStream(StreamName)
    case notification(String)
    case failedWebhooks
    case failedWebhook(String)
    case retry(String)

    /// - Parameter path: Percent-decoded, but for its slashes.
    init(_ path: String) throws(Route.Refusal) {
        // For a proxy with rules for paths it is another path; for nobody may it be the same as with a slash.
        guard !path.utf8.contains(UInt8(ascii: "%")) || !path.lowercased().contains("%2f") else { throw Self.missing }
        var parts = PathParts(path)
        // What stands before the first slash, which is nothing.
        _ = parts.next()
        guard parts.next() == "v1" else {
            self = Self.top(path)
            return
        }
        switch parts.next() {
        case "tickers": self = try Self.track(.ticker, &parts)
        case "progress": self = try Self.track(.progress, &parts)
        case "schedules": self = try Self.schedule(&parts)
        case "events": self = .topics
        case "streams": self = try Self.openStream(&parts)
        case "batch": self = .batch
        case "clients": self = .clients
        case "limits": self = .limits
        case "selftest": self = .selfTest
        case "session": self = .session
        case "tickets": self = .tickets
        case "webhooks": self = try Self.webhook(&parts)
        case "notifications": self = try Self.notification(&parts)
        default: throw Self.missing
        }
        guard parts.isAtEnd else { throw Self.missing }
    }

    private static let missing = Route.Refusal(allowed: [], problem: .notFound)

    private static func top(_ path: String) -> RoutePlace {
        switch path {
        case "/healthz": .health
        case "/readyz": .readiness
        case "/metrics": .metrics
        case "/version": .version
        default: .file
        }
    }

    private static func track(_ kind: ResourceKind, _ parts: inout PathParts) throws(Route.Refusal) -> RoutePlace {
        guard let id = parts.next() else { return .all(kind) }
        let name = try name(kind, id)
        guard let last = parts.next() else { return .one(name) }
        if last == "events" { return .events(name) }
        if last == "history" { return .history(name) }
        guard let verb = PlaybackVerb(rawValue: last) else { throw missing }
        return .playback(name, verb)
    }

    private static func schedule(_ parts: inout PathParts) throws(Route.Refusal) -> RoutePlace {
        guard let id = parts.next() else { return .all(.schedule) }
        let name = try name(.schedule, id)
        switch parts.next() {
        case nil: return .one(name)
        case "events": return .events(name)
        case "pause": return .halt(name, true)
        case "resume": return .halt(name, false)
        default: throw missing
        }
    }

    private static func openStream(_ parts: inout PathParts) throws(Route.Refusal) -> RoutePlace {
        // What is no name is that of no stream.
        guard let name = parts.next().flatMap({ StreamName($0) }) else { throw missing }
        return .openStream(name)
    }

    private static func notification(_ parts: inout PathParts) throws(Route.Refusal) -> RoutePlace {
        guard let id = parts.next() else { throw missing }
        return .notification(try checked(id))
    }

    private static func webhook(_ parts: inout PathParts) throws(Route.Refusal) -> RoutePlace {
        guard parts.next() == "failed" else { throw missing }
        guard let id = parts.next() else { return .failedWebhooks }
        guard let last = parts.next() else { return .failedWebhook(id) }
        guard last == "retry" else { throw missing }
        return .retry(id)
    }

    private static func name(_ kind: ResourceKind, _ id: String) throws(Route.Refusal) -> ResourceName {
        ResourceName(kind, try checked(id))
    }

    private static func checked(_ id: String) throws(Route.Refusal) -> String {
        guard ResourceName.isValid(id: id) else {
            throw Route.Refusal(
                allowed: [],
                problem: Problem(
                    422, "Unprocessable Content", "an id is 1 to 128 of A-Z a-z 0-9 . _ ~ : -, and neither . nor .."))
        }
        return id
    }

    // MARK: - Methods

    /// - Returns: nil where the path doesn't take the method.
    func route(by method: RouteMethod?) -> Route? {
        switch (self, method) {
        case (.one(let name), .post): Self.post(to: name)
        case (.one(let name), .get): .look(.resource(name))
        case (.one(let name), .put): .change(.define(name))
        case (.one(let name), .delete): .change(.remove(name))
        case (.all(let kind), .get): .look(.list(kind))
        case (.all(let kind), .post): .change(.make(kind))
        case (.all(.schedule), .delete): .change(.removeAll)
        case (.playback(let name, let verb), .post): .change(.play(name, verb))
        case (.halt(let name, let isPaused), .post): .change(.setPaused(name, isPaused))
        case (.events(let name), .get): .stream(.resource(name))
        case (.history(let name), .get): .look(.history(name))
        case (.batch, .post): .batch
        case (.notification(let name), .post): .change(.notify(name))
        case (.topics, .get): .stream(.topics)
        case (.topics, .post): .stream(.topicsByBody)
        case (.openStream(let name), .put): .stream(.change(name))
        default: otherRoute(by: method)
        }
    }

    /// What concerns the server rather than the board.
    private func otherRoute(by method: RouteMethod?) -> Route? {
        switch (self, method) {
        case (.health, .get): .health
        case (.readiness, .get): .look(.readiness)
        case (.metrics, .get): .look(.metrics)
        case (.version, .get): .version
        case (.file, .get): .file
        case (.clients, .get): .look(.clients)
        case (.limits, .get): .look(.limits)
        case (.selfTest, .get): .stream(.selfTest)
        case (.session, .post): .session(isBegun: true)
        case (.session, .delete): .session(isBegun: false)
        case (.tickets, .post): .ticket
        case (.failedWebhooks, .get): .look(.failedWebhooks)
        case (.failedWebhook(let id), .delete): .deadLetter(id, .discard)
        case (.retry(let id), .post): .deadLetter(id, .retry)
        default: nil
        }
    }

    /// What is done with all schedules, or with none, shares the place of an id; only POST means it.
    private static func post(to name: ResourceName) -> Route? {
        guard name.kind == .schedule else { return .change(.update(name)) }
        return switch name.id {
        case "pause": .change(.setAllPaused(true))
        case "resume": .change(.setAllPaused(false))
        case "preview": .look(.preview)
        default: nil
        }
    }

    /// Why a method is not taken, with those that are.
    var refusal: Route.Refusal {
        var allowed = RouteMethod.allCases.filter { route(by: $0) != nil }.map(\.rawValue)
        if route(by: .get) != nil { allowed.append("HEAD") }
        allowed.append("OPTIONS")
        var detail = "this path takes \(allowed.joined(separator: ", "))"
        if case .file = self { detail += "; what changes something begins with /v1" }
        return Route.Refusal(allowed: allowed, problem: Problem(405, "Method Not Allowed", detail))
    }
}

/// The parts of a path between its slashes, one after another.
private struct PathParts {
    // An array: the places of a string's bytes take twice as long to go through.
    private let bytes: [UInt8]
    private var start = 0
    /// Everything was handed out, what follows the last slash too.
    private(set) var isAtEnd = false

    init(_ path: String) { bytes = Array(path.utf8) }

    mutating func next() -> String? {
        guard !isAtEnd else { return nil }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        isAtEnd = end == bytes.count
        defer { start = end + 1 }
        // proven: `end` begins at `start`, and goes no further than the bytes do.
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
