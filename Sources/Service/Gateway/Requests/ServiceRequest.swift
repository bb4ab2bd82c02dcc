// Decoded requests that the gateway passes on, each with its responder.

package import Base
package import Board
package import EventStream
package import HTTPTransport
package import Machine
package import Wire

/// One request, decoded.
package enum ServiceRequest: Sendable {
    /// A request of the machine, still without its waiter. The response is sent after the commit that contains the change.
    /// Boxed, since a mailbox and a turn copy it with all that it refers to.
    /// - Parameter response: nil if nobody waits for the answer.
    indirect case change(Request, PendingResponse?)
    /// Many changes, applied in parts.
    case batch(BatchRequest)
    /// A read.
    case query(Query, any Responder)
}

/// The decoded lines of a batch; an invalid line is its error.
package struct BatchRequest: Sendable {
    package var lines: [Result<Command, Problem>]
    package var retry: RetryKey?
    package var responder: any Responder
    /// Room in the budget of batches, released with the batch.
    package var reservation: BatchReservation?

    package init(
        lines: [Result<Command, Problem>], retry: RetryKey? = nil, responder: any Responder,
        reservation: BatchReservation? = nil
    ) {
        self.lines = lines
        self.retry = retry
        self.responder = responder
        self.reservation = reservation
    }
}

/// What a request can read.
package enum Query: Sendable {
    /// - Parameters:
    ///   - preview: How many of a schedule's next instants to include.
    ///   - locale: The reader's; nil for the publisher's.
    ///   - condition: The state that the client expects; nil for any.
    ///   - rights: Which other resources that it names may be shown.
    ///   - time: When; nil for now, with everything that is known of the resource.
    case resource(
        ResourceName, preview: Int, locale: String?, meeting: Precondition? = nil, within: TopicSelection = .everything,
        at: MomentTime? = nil)
    /// - Parameter points: The maximum number, including the present one.
    case history(ResourceName, points: Int)
    case frames(ResourceName, FrameList.Selection, FrameList.Form, locale: String?, cost: AnswerCost)
    /// - Parameters:
    ///   - known: The tags of the pictures that the client has.
    ///   - isPrivate: Whether a right is needed to see it.
    case picture(
        ResourceName, PictureForm, PictureOptions, locale: String?, known: EntityTags?, isPrivate: Bool,
        cost: AnswerCost)
    /// - Parameter count: How many instants to include; 0 for the default.
    case preview(ScheduleDefinition, count: Int)
    /// - Parameters:
    ///   - after: The id after which the page begins.
    ///   - locale: The reader's; nil for the publisher's.
    ///   - rights: The resources that may be listed.
    ///   - owner: The owner whose share a long list uses; nil if only the total is limited.
    case tracks(
        ResourceKind, limit: Int, after: String?, locale: String?, within: TopicSelection, of: String?)
    /// - Parameters:
    ///   - locale: The reader's; nil for the publisher's.
    ///   - rights: The schedules that may be listed.
    ///   - owner: As for tracks.
    case schedules(limit: Int, after: ScheduleMark?, locale: String?, within: TopicSelection, of: String?)
    /// - Parameter withWarnings: Whether to include warnings for the operator.
    case readiness(withWarnings: Bool)
    case metrics(MetricsFormat)
    /// - Parameters:
    ///   - own: The caller's own use.
    ///   - owner: The owner of those limits; nil if the caller has none.
    ///   - seesUse: Whether to include the use of the whole server.
    case limits(own: [OwnerLimits.Use], of: String?, seesUse: Bool)
    case stream(StreamRequest)
    case changeStream(StreamChange)
    case clients(limit: Int, of: String?)
    /// Webhooks that were given up.
    case failedWebhooks(limit: Int, after: String?, of: String?)
}

/// Where a page of schedules begins.
package enum ScheduleMark: Sendable {
    /// After the place where the last page ended, even if that schedule no longer exists.
    case place(SchedulePlace)
    /// After the present place of a schedule.
    case schedule(ResourceName)
}

/// Runs requests on a thread of its own.
package protocol RequestQueue: Sendable {
    /// Accepts a request, to run it soon.
    /// - Returns: The error if it is rejected; nil if it was accepted.
    func submit(_ asked: ServiceRequest) -> Problem?
    /// For how many seconds the thread has been stuck; nil if it isn't.
    var secondsStuck: Double? { get }
    /// Why there is no board yet; nil if there is one.
    var absence: String? { get }
}
