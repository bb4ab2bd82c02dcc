// What other threads tell the tick thread.

import Board
import Committing
import EventStream
import HTTPTransport
import Machine
import Primitives
import Wire

/// One message on its way to the tick thread.
enum Message: Sendable {
    /// A change of the board; the answer goes out after the commit that holds it.
    /// - Parameter stream: What was asked of the stream that is the answer.
    case command(CommandRequest, (any Exchange)?, stream: StreamRequest?)
    /// Many changes, worked off in parts.
    case batch(BatchRequest)
    /// A webhook that was given up is to be tried again, or forgotten.
    case deadLetter(id: String, DeadLetterOperation, any Exchange)
    /// A look at the board.
    case query(Query, any Exchange)
    /// A stream's socket is ours: subscribe it.
    case open(OpenedStream, StreamID)
    /// A stream has taken what it was told of its topics' states so far.
    case wantsGreeting(StreamID)
    /// A stream has gone.
    case closed(StreamID)
    /// A stream thread's part of a look at the clients.
    case inspected([ClientReport], ticket: UInt64)
    /// A list's client has taken what there was.
    case wantsPortion(WantedPortion)
    /// A list has been sent, or its client left.
    case listEnded
    case store(StoreNews)
    /// How a webhook's call ended.
    case webhookEnded(String, WebhookOutcome)
    /// The service stops taking requests and ends its streams.
    case drain
}

/// The lines of a batch, decoded; a line that could not be is its problem.
struct BatchRequest: Sendable {
    var lines: [Result<Command, Problem>]
    var retry: RetryKey?
    var exchange: any Exchange
    /// Room among the batches under way, let go with the batch.
    var ticket: BatchTicket?
}

/// What can be looked at.
enum Query: Sendable {
    /// - Parameter preview: How many of a schedule's next instants are told.
    case resource(ResourceName, preview: Int)
    /// - Parameter after: The id that the page begins behind.
    case tracks(ResourceKind, limit: Int, after: String?)
    case schedules(limit: Int, after: ScheduleMark?)
    case readiness
    case metrics
    case stream(StreamRequest)
    case clients(limit: Int)
    /// Webhooks that were given up.
    case failedWebhooks(limit: Int, after: String?)
}

/// What a page of schedules begins behind.
enum ScheduleMark: Sendable {
    /// Where the page before ended, whether or not that schedule is still there.
    case place(SchedulePlace)
    /// Where a schedule stands now.
    case schedule(ResourceName)
}
