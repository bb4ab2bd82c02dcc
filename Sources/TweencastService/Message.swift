// What other threads ask of the tick thread.

import Board
import EventStream
import HTTPTransport
import Primitives
import Storage
import Webhooks
import Wire

/// One request on its way to the tick thread.
enum Message: Sendable {
    /// A change of the board; the answer goes out after the commit that holds it.
    case command(CommandRequest)
    /// Many changes with one commit.
    case batch(BatchRequest)
    /// A look at the board.
    case query(Query, any Exchange)
    /// A stream's socket is ours: subscribe it.
    case open(StreamOpening, StreamID)
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
    /// The store could not take changes: everything is refused until it can.
    case storeFailed(StoreError)
    /// What is kept of what could not be stored.
    case storeRecovered(Result<StoreRecovery, StoreError>)
    /// The store has answered a portion of a batch or of what concerns all schedules.
    case portionStored
    /// The store takes changes again; so often it had refused before.
    case storeWorks(afterFailures: Int)
    /// The store has these webhooks: they may be called.
    case webhooksStored([String])
    /// How a webhook's call ended.
    case webhookEnded(String, WebhookOutcome)
    case deadLetter(DeadLetterRequest)
    /// The service stops taking requests and ends its streams.
    case drain
}

/// A change and how it is answered.
struct CommandRequest: Sendable {
    /// The shape of the answer to an accepted command.
    enum Answer: Sendable {
        /// The resource, with this status; `created` where the command made it.
        case resource(status: Int, created: Int)
        case noContent
        /// The list's head: `{"paused":…,"pending":…}`.
        case schedules
        /// The motion's own stream.
        case stream(StreamRequest)
    }

    var command: Command
    /// What the answer shows.
    var name: ResourceName?
    /// `If-Match`.
    var expected: UInt64?
    /// `Idempotency-Key`, with what tells this request from another under the same key.
    var retry: RetryKey?
    var answer: Answer
    /// How many of a schedule's next instants the answer tells.
    var preview = 0
    /// Nil for the service's own requests.
    var exchange: (any Exchange)?
}

/// What makes a retry of a request recognisable.
struct RetryKey: Hashable, Sendable {
    var key: String
    /// A hash of method, path and body that is the same in every process.
    var fingerprint: UInt64
    /// Who asks: the address that the answer's room is counted for.
    var client = ""
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

/// What a client asked of a stream.
struct StreamRequest: Sendable {
    var selection: TopicSelection
    var variant: Variant
    var framesPerSecond: Double?
    var endsAfterCompletion = false
    /// The stream is that of one resource and ends with it.
    var endsWithTopic = false
    var lastEventID: String?
    /// It is sent the self-test's pattern in place of topics.
    var isSelfTest = false
}

/// A stream ready to be subscribed.
struct StreamOpening: Sendable {
    var request: StreamRequest
    /// Named events after this one are replayed: what happened between the command and its stream.
    var after: EventID?
    /// Bytes that go out right after the greeting.
    var prelude: [UInt8] = []
    /// What the prelude shows, escaped for JSON: a state that shows the same is not told again.
    var preludeText: [UInt8] = []
}
