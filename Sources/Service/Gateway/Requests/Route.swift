// The resource and operation that a request names.

import Base
import Board
import EventStream
import Machine
import Wire

/// The target of a request.
enum Route: Hashable, Sendable {
    case health
    /// The version of this server.
    case version
    /// The viewer's files, and the API contract.
    case file
    case look(Look)
    case change(Change)
    case stream(StreamAim)
    case batch
    case deadLetter(String, DeadLetterOperation)
    /// Sets or removes a page's cookie.
    case session(isBegun: Bool)
    /// Makes a one-time ticket.
    case ticket

    /// Something to read.
    enum Look: Hashable, Sendable {
        case readiness, metrics, limits
        case list(ResourceKind)
        case resource(ResourceName)
        /// The past values of a ticker or a progress.
        case history(ResourceName)
        /// What a ticker or a progress shows from one instant to another.
        case frames(ResourceName)
        /// A ticker or a progress as a picture.
        case picture(ResourceName, PictureForm)
        /// When a schedule would fire if it were made.
        case preview
        /// The connected streams.
        case clients
        /// Webhooks that were given up.
        case failedWebhooks
    }

    /// Something to change.
    enum Change: Hashable, Sendable {
        /// `POST` without an id.
        case make(ResourceKind)
        case update(ResourceName)
        case define(ResourceName)
        case remove(ResourceName)
        case removeAll
        case play(ResourceName, PlaybackVerb)
        /// Pauses or resumes one schedule.
        case setPaused(ResourceName, Bool)
        /// Pauses or resumes all schedules.
        case setAllPaused(Bool)
        /// Publishes a notification.
        case notify(String)
    }

    /// Something to subscribe to.
    enum StreamAim: Hashable, Sendable {
        case resource(ResourceName)
        case topics
        /// Topics in a body, for more than a URL can hold.
        case topicsByBody
        /// Changes what an open stream subscribes to.
        case change(StreamName)
        case selfTest
    }

    /// An unknown path, or one that doesn't allow the method.
    struct Refusal: Error, Hashable {
        /// Methods for `Allow`; empty for an unknown path.
        var allowed: [String]
        var problem: Problem
    }

    static let batchPath = "/v1/batch"
    /// The path of streams of any topics.
    static let streamsPath = "/v1/events"
    /// The path of an open stream.
    static let openStream = "/v1/streams/{name}"

    /// Returns whether a path is that of streams of any topics, or of an open stream.
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

    /// Whether it names no single resource, so that it can't have a condition on a revision.
    var namesNoResource: Bool { isOfList || isNotification }

    /// Whether it affects a whole list.
    var isOfList: Bool {
        switch self {
        case .removeAll, .setAllPaused: true
        case .make, .update, .define, .remove, .play, .setPaused, .notify: false
        }
    }

    private var isNotification: Bool { if case .notify = self { true } else { false } }
}

extension Route.Look {
    /// Whether it has a tag of its own: a resource's revision, or that of a picture.
    var hasOwnCondition: Bool {
        switch self {
        case .resource, .picture: true
        case .readiness, .metrics, .limits, .list, .history, .frames, .preview, .clients, .failedWebhooks: false
        }
    }
}
