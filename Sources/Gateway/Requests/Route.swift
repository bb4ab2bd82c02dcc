// Which resource and operation a request names. Paths in, values out; nothing is looked up here.

import Board
import Machine
import Primitives
import Wire

/// A request's aim.
enum Route: Hashable, Sendable {
    case health
    /// The viewer's files, and the contract.
    case file
    case look(Look)
    case change(Change)
    case stream(StreamAim)
    case batch
    case deadLetter(String, DeadLetterOperation)
    /// A page's cookie is set, or taken away.
    case session(isBegun: Bool)
    /// A one-time ticket is made.
    case ticket

    /// What is looked at.
    enum Look: Hashable, Sendable {
        case readiness, metrics, limits
        case list(ResourceKind)
        case resource(ResourceName)
        /// Who listens.
        case clients
        /// Webhooks that were given up.
        case failedWebhooks
    }

    /// What is changed.
    enum Change: Hashable, Sendable {
        /// `POST` without an id.
        case make(ResourceKind)
        case update(ResourceName)
        case define(ResourceName)
        case remove(ResourceName)
        case removeAll
        case play(ResourceName, PlaybackVerb)
        /// Of a schedule.
        case setPaused(ResourceName, Bool)
        /// Of all schedules.
        case setAllPaused(Bool)
    }

    /// What is listened to.
    enum StreamAim: Hashable, Sendable {
        case resource(ResourceName)
        case topics
        /// Topics by body: more than an address holds.
        case topicsByBody
        case selfTest
    }

    /// A path that exists, and the methods it takes.
    struct Refusal: Error, Hashable {
        /// For `Allow`; empty where the path doesn't exist.
        var allowed: [String]
        var problem: Problem
    }

    /// The path of batches.
    static let batchPath = "/v1/batch"
    /// The path of streams of any topics.
    static let streamsPath = "/v1/events"

    /// - Parameter path: Percent-decoded.
    init(method: String, path: String) throws(Refusal) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.first == "v1" else {
            self = try Self.top(method: method, path: path)
            return
        }
        let rest = Array(parts.dropFirst())
        guard let collection = rest.first else { throw Self.missing }
        switch (collection, rest.count) {
        case ("tickers", 1...): self = try Self.tracks(.ticker, method, Array(rest.dropFirst()))
        case ("progress", 1...): self = try Self.tracks(.progress, method, Array(rest.dropFirst()))
        case ("schedules", 1...): self = try Self.schedules(method, Array(rest.dropFirst()))
        case ("events", 1):
            self = try Self.choose(method, ["GET": .stream(.topics), "POST": .stream(.topicsByBody)])
        case ("clients", 1): self = try Self.choose(method, ["GET": .look(.clients)])
        case ("limits", 1): self = try Self.choose(method, ["GET": .look(.limits)])
        case ("selftest", 1): self = try Self.choose(method, ["GET": .stream(.selfTest)])
        case ("webhooks", 2...):
            guard rest[1] == "failed" else { throw Self.missing }
            self = try Self.failedWebhooks(method, Array(rest.dropFirst(2)))
        case ("session", 1):
            self = try Self.choose(
                method, ["POST": .session(isBegun: true), "DELETE": .session(isBegun: false)])
        case ("tickets", 1): self = try Self.choose(method, ["POST": .ticket])
        case ("batch", 1): self = try Self.choose(method, ["POST": .batch])
        default: throw Self.missing
        }
    }

    private static let missing = Refusal(allowed: [], problem: .notFound)

    private static func top(method: String, path: String) throws(Refusal) -> Route {
        switch path {
        case "/healthz": try choose(method, ["GET": .health])
        case "/readyz": try choose(method, ["GET": .look(.readiness)])
        case "/metrics": try choose(method, ["GET": .look(.metrics)])
        default: try choose(method, ["GET": .file])
        }
    }

    private static func tracks(
        _ kind: ResourceKind, _ method: String, _ parts: [Substring]
    ) throws(Refusal) -> Route {
        if parts.isEmpty {
            return try choose(method, ["GET": .look(.list(kind)), "POST": .change(.make(kind))])
        }
        let name = try name(kind, parts[0])
        if parts.count == 1 {
            return try choose(
                method,
                [
                    "GET": .look(.resource(name)), "POST": .change(.update(name)), "PUT": .change(.define(name)),
                    "DELETE": .change(.remove(name)),
                ])
        }
        guard parts.count == 2 else { throw missing }
        if parts[1] == "events" { return try choose(method, ["GET": .stream(.resource(name))]) }
        guard let verb = PlaybackVerb(rawValue: String(parts[1])) else { throw missing }
        return try choose(method, ["POST": .change(.play(name, verb))])
    }

    private static func schedules(_ method: String, _ parts: [Substring]) throws(Refusal) -> Route {
        if parts.isEmpty {
            return try choose(
                method,
                [
                    "GET": .look(.list(.schedule)), "POST": .change(.make(.schedule)), "DELETE": .change(.removeAll),
                ])
        }
        let name = try name(.schedule, parts[0])
        if parts.count == 1 {
            var routes: [String: Route] = [
                "GET": .look(.resource(name)), "PUT": .change(.define(name)), "DELETE": .change(.remove(name)),
            ]
            // `pause` and `resume` of all share the place of an id; only POST means them.
            if parts[0] == "pause" { routes["POST"] = .change(.setAllPaused(true)) }
            if parts[0] == "resume" { routes["POST"] = .change(.setAllPaused(false)) }
            return try choose(method, routes)
        }
        guard parts.count == 2 else { throw missing }
        switch parts[1] {
        case "events": return try choose(method, ["GET": .stream(.resource(name))])
        case "pause": return try choose(method, ["POST": .change(.setPaused(name, true))])
        case "resume": return try choose(method, ["POST": .change(.setPaused(name, false))])
        default: throw missing
        }
    }

    private static func failedWebhooks(_ method: String, _ parts: [Substring]) throws(Refusal) -> Route {
        guard let id = parts.first.map(String.init) else {
            return try choose(method, ["GET": .look(.failedWebhooks)])
        }
        if parts.count == 1 { return try choose(method, ["DELETE": .deadLetter(id, .discard)]) }
        guard parts.count == 2, parts[1] == "retry" else { throw missing }
        return try choose(method, ["POST": .deadLetter(id, .retry)])
    }

    private static func name(_ kind: ResourceKind, _ text: Substring) throws(Refusal) -> ResourceName {
        let id = String(text)
        guard ResourceName.isValid(id: id) else {
            throw Refusal(
                allowed: [],
                problem: Problem(
                    422, "Unprocessable Content", "an id is 1 to 128 of A-Z a-z 0-9 . _ ~ : -, and neither . nor .."))
        }
        return ResourceName(kind, id)
    }

    private static func choose(_ method: String, _ routes: [String: Route]) throws(Refusal) -> Route {
        // HEAD is GET without a body; the transport leaves the body out.
        if let route = routes[method == "HEAD" ? "GET" : method] { return route }
        var allowed = routes.keys.sorted()
        if routes["GET"] != nil { allowed.append("HEAD") }
        allowed.append("OPTIONS")
        throw Refusal(
            allowed: allowed,
            problem: Problem(405, "Method Not Allowed", "this path takes \(allowed.joined(separator: ", "))"))
    }
}

extension Route.Change {
    /// The resource that a path names.
    var name: ResourceName? {
        switch self {
        case .update(let name), .define(let name), .remove(let name), .play(let name, _), .setPaused(let name, _): name
        case .make, .removeAll, .setAllPaused: nil
        }
    }
}

extension Route {
    /// Whether anybody may ask: whether the server is well, and files without anything of the board in them.
    var isOpen: Bool {
        switch self {
        case .health, .file, .look(.readiness): true
        case .look, .change, .stream, .batch, .deadLetter, .session, .ticket: false
        }
    }

    /// Whether it asks if the server is well, which may be asked however often.
    var isProbe: Bool { self == .health || self == .look(.readiness) }

    /// Whether a body is read.
    var takesBody: Bool {
        switch self {
        case .change(.make), .change(.update), .change(.define), .change(.play), .batch, .ticket,
            .stream(.topicsByBody):
            true
        case .change(.remove), .change(.removeAll), .change(.setPaused), .change(.setAllPaused), .health, .file, .look,
            .stream(.resource), .stream(.topics), .stream(.selfTest), .deadLetter, .session:
            false
        }
    }

    /// Whether it is a change of its own.
    var changesOne: Bool {
        if case .change = self { true } else { false }
    }
}
