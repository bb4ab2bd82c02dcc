// Which resource and operation a request names.

import Base
import Board
import EventStream
import Machine
import Wire

/// A request's aim.
enum Route: Hashable, Sendable {
    case health
    /// What runs here.
    case version
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
        /// Where a ticker or a progress went before.
        case history(ResourceName)
        /// When a schedule would fire that isn't made.
        case preview
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
        /// Something is told to those who listen to a notification.
        case notify(String)
    }

    /// What is listened to.
    enum StreamAim: Hashable, Sendable {
        case resource(ResourceName)
        case topics
        /// Topics by body: more than an address holds.
        case topicsByBody
        /// What an open stream hears is changed.
        case change(StreamName)
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
    /// The path of a stream that is open.
    static let openStream = "/v1/streams/{name}"

    /// Whether a path is that of streams of any topics, or of one that is open.
    static func isOfStream(_ path: String) -> Bool { path == streamsPath || path.hasPrefix("/v1/streams/") }

    /// - Parameter path: Percent-decoded.
    init(method: String, path: String) throws(Refusal) { self = try RouteMatch(method: method, path: path).route }
}

extension Route.Change {
    /// The resource that a path names.
    var name: ResourceName? {
        switch self {
        case .update(let name), .define(let name), .remove(let name), .play(let name, _), .setPaused(let name, _): name
        case .make, .removeAll, .setAllPaused, .notify: nil
        }
    }

    /// Whether it concerns no single resource, whose revision could be expected.
    var namesNoResource: Bool { isOfList || isNotification }

    /// Whether it concerns all that a list has.
    var isOfList: Bool {
        switch self {
        case .removeAll, .setAllPaused: true
        case .make, .update, .define, .remove, .play, .setPaused, .notify: false
        }
    }

    private var isNotification: Bool { if case .notify = self { true } else { false } }
}

extension Route.Look {
    /// Whether it is of a resource as it is now.
    var isOfResource: Bool { if case .resource = self { true } else { false } }
}
