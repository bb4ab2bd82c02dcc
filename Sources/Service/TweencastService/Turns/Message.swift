// The messages from other threads to the tick thread.

import Base
import EventStream
import Gateway
import Machine
import Persistence
import Publishing
import RecurrenceRules
import Replication

/// A message to the tick thread.
enum Message: Sendable {
    /// A request arrived.
    case asked(ServiceRequest)
    /// A stream's socket is open: subscribe it.
    case open(OpenedStream, StreamID)
    /// A stream has taken the part of its greeting that was sent so far.
    case wantsGreeting(StreamID)
    /// A stream has closed.
    case closed(StreamID, StreamEnd)
    /// A stream thread's part of an inspection of the clients.
    case inspected([ClientReport], number: UInt64)
    /// A list's client has taken the previous portion.
    case wantsPortion(RequestedChunk)
    /// A list that counts against a quota was sent, or its client left.
    case listEnded(of: String?)
    case store(StoreNotice)
    /// A notice from the shared log.
    case log(LogNotice)
    /// A webhook call has ended.
    case webhookEnded(String, WebhookOutcome)
    /// The machine's time zones were read again.
    case zones(any CalendarRules)
    /// The update rate has changed, also for actions.
    case updateRate(Int)
    /// Tokens were revoked, or their rights have changed.
    case reviewPermits
    /// The service drains: end the streams.
    case drain
}
