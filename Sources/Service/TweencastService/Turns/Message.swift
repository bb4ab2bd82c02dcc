// What other threads tell the tick thread.

import Base
import EventStream
import Gateway
import Persistence
import Publishing
import RecurrenceRules
import Replication

/// One message on its way to the tick thread.
enum Message: Sendable {
    /// A request.
    case asked(ServiceRequest)
    /// A stream's socket is ours: subscribe it.
    case open(OpenedStream, StreamID)
    /// A stream has taken what it was told of its topics' states so far.
    case wantsGreeting(StreamID)
    /// A stream has gone.
    case closed(StreamID, StreamEnd)
    /// A stream thread's part of a look at the clients.
    case inspected([ClientReport], ticket: UInt64)
    /// A list's client has taken what there was.
    case wantsPortion(RequestedChunk)
    /// A list that took room has been sent, or its client left.
    case listEnded(of: String?)
    case store(StoreNotice)
    /// What the log that replicas share has to tell.
    case log(LogNotice)
    /// How a webhook's call ended.
    case webhookEnded(String, WebhookOutcome)
    /// The machine's rules of the time zones were read again.
    case zones(any CalendarRules)
    /// Tokens were revoked, or allow something else.
    case reviewPermits
    /// The service stops taking requests and ends its streams.
    case drain
}
