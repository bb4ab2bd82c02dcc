// What the gateway hands on: requests as decoded values, each with the right to answer it.

package import Base
package import Board
package import EventStream
import HTTPTransport
package import Machine
package import Wire

/// One request, decoded.
package enum ServiceRequest: Sendable {
    /// A change of the board; the answer goes out after the commit that holds it.
    /// Boxed: a mailbox and a turn have it copied, with all that it refers to.
    /// - Parameter stream: What is asked of the stream that is the answer; nil where it is none.
    indirect case command(CommandRequest, (any Responder)?, stream: StreamRequest?)
    /// Many changes, worked off in parts.
    case batch(BatchRequest)
    /// A webhook that was given up is to be tried again, or forgotten.
    case deadLetter(id: String, DeadLetterOperation, any Responder)
    /// A one-time ticket is made.
    case makeVoucher(Voucher, any Responder)
    /// A one-time ticket is spent.
    /// - Parameter key: The voucher's.
    case spendVoucher(_ key: String, any Responder, then: Spending)
    /// A look at what there is.
    case query(Query, any Responder)
}

/// Goes on with a request when its voucher is spent: with what that was good for, or nil where there was none. On the tick
/// thread.
package typealias Spending = @Sendable ([UInt8]?) -> Void

/// The lines of a batch, decoded; a line that could not be is its problem.
package struct BatchRequest: Sendable {
    package var lines: [Result<Command, Problem>]
    package var retry: RetryKey?
    package var responder: any Responder
    /// Room among the batches under way, let go with the batch.
    package var ticket: BatchTicket?

    package init(
        lines: [Result<Command, Problem>], retry: RetryKey? = nil, responder: any Responder, ticket: BatchTicket? = nil
    ) {
        self.lines = lines
        self.retry = retry
        self.responder = responder
        self.ticket = ticket
    }
}

/// What can be looked at.
package enum Query: Sendable {
    /// - Parameters:
    ///   - preview: How many of a schedule's next instants are told.
    ///   - locale: That of who looks; nil: as it was posted.
    ///   - condition: What its sender expects of it; nil expects nothing.
    ///   - rights: What may be read, of what else it names.
    case resource(
        ResourceName, preview: Int, locale: String?, meeting: Precondition? = nil, within: TopicSelection = .everything)
    /// - Parameter points: The most that are told, the present one included.
    case history(ResourceName, points: Int)
    /// - Parameter count: How many of the instants are told at which it would fire; 0: as many as people look at.
    case preview(ScheduleDefinition, count: Int)
    /// - Parameters:
    ///   - after: The id that the page begins behind.
    ///   - locale: That of who looks; nil: as they were posted.
    ///   - rights: What may be listed.
    ///   - owner: Whose room a long list takes; nil for one that is bounded by the total alone.
    case tracks(
        ResourceKind, limit: Int, after: String?, locale: String?, within: TopicSelection, of: String?)
    /// - Parameters:
    ///   - locale: That of who looks; nil: as they were posted.
    ///   - rights: What may be listed.
    ///   - owner: As of tracks.
    case schedules(limit: Int, after: ScheduleMark?, locale: String?, within: TopicSelection, of: String?)
    /// - Parameter withWarnings: Whether it tells what an operator should see to.
    case readiness(withWarnings: Bool)
    case metrics(MetricsFormat)
    /// - Parameters:
    ///   - own: Those of whoever asks.
    ///   - seesUse: Whether the use of the server's may be told.
    case limits(own: [OwnerLimits.Use], seesUse: Bool)
    case stream(StreamRequest)
    case changeStream(StreamChange)
    case clients(limit: Int, of: String?)
    /// Webhooks that were given up.
    case failedWebhooks(limit: Int, after: String?, of: String?)
}

/// What a page of schedules begins behind.
package enum ScheduleMark: Sendable {
    /// Where the page before ended, whether or not that schedule is still there.
    case place(SchedulePlace)
    /// Where a schedule stands now.
    case schedule(ResourceName)
}

/// Whoever carries requests out, on a thread of its own.
package protocol RequestQueue: Sendable {
    /// Takes a request, to be carried out soon.
    /// - Returns: Why it can't be; nil when it was taken.
    func take(_ asked: ServiceRequest) -> Problem?
    /// For how many seconds the thread has been stuck; nil while it is well.
    var secondsStuck: Double? { get }
    /// Why there is no board yet; nil once there is.
    var absence: String? { get }
}
