// The results of a turn, as values to publish, store, answer and call.

package import Base
package import Board
package import Tween
package import Wire

/// All results of a turn.
package struct Outcome: Sendable {
    package let instant: Instant
    /// The number of requests that were executed; the others belong to the next turn.
    package var taken = 0
    /// Events for subscribers, in order.
    package var events: [NumberedEvent] = []
    /// Merged completions that the next tick publishes, with their event numbers; nil if unchanged. A store keeps them until
    /// then; replicas have them in their log.
    package var merged: [NumberedEvent]?
    /// Changed resources, each once; the board has their new state.
    package var changed: [ResourceName] = []
    /// Tracks that passed milestones: they look the same, but the store must know what was published.
    package var passed: [ResourceName] = []
    /// Resources that were reset to their stored state.
    package var restored: [ResourceName] = []
    /// Answers that wait for the turn's commit.
    package var answers: [(waiter: WaiterID, answer: Answer)] = []
    package var batches: [BatchOutcome] = []
    /// Answers to keep for retries.
    package var retries: [StoredAnswer] = []
    /// Kept answers that expire before this, in Unix nanoseconds, may be deleted.
    package var horizon = Int64.min
    /// Webhooks whose state changed, with their new state; nil for one to delete.
    package var deliveries: [(id: String, delivery: Delivery?)] = []
    /// IDs of webhooks to call once they are stored.
    package var unstored: [String] = []
    package var notes: [Note] = []
    package var counts = Counts()
    /// Whether the turn executed a part of something long. The number of such turns in the store's queue is limited, since other
    /// clients' changes wait behind them.
    package var isPortion = false

    package init(at instant: Instant) { self.instant = instant }

    /// Counts of what the turn did.
    package struct Counts: Hashable, Sendable {
        /// Executed commands and batch lines.
        package var commands = 0
        /// Accepted commands that were requests of their own.
        package var accepted = 0
        /// The approximate bytes of its events.
        package var bytes = 0
        package var completions = 0
        package var firings = 0
        package var milestones = 0
        /// Actions that became late, since their owner is beyond the update rate.
        package var lateActions = 0
        package var delivered = 0
        /// Webhooks given up at once, because their host had no room.
        package var refusedDeliveries = 0
        /// Advances that left work for the next.
        package var cutShort = 0
    }

    /// What should be logged.
    package enum Note: Hashable, Sendable {
        case actionRefused(by: ResourceName, CommandError)
        case webhookGivenUp(Delivery)
        /// A request with a key was rejected, since there is no room to keep its answer; after these seconds there may be.
        case noRoomForRetry(client: String?, seconds: Int)
    }
}

/// A board event with its number in the event log.
package struct NumberedEvent: Sendable {
    package enum Content: Sendable {
        case one(BoardEvent)
        /// A track's motions that no frame showed, merged.
        case completions(ResourceName, CompletionGroup)
    }

    package var number: Int64
    package var content: Content
    /// The track as the event left it, if it is watched; later changes of the same turn are not included.
    @Boxed package var track: Track?

    package init(number: Int64, content: Content) {
        self.number = number
        self.content = content
        _track = Boxed()
    }
}

/// The result of a part of a batch.
package struct BatchOutcome: Sendable {
    package enum Result: Sendable {
        /// Nothing was executed; this answers the batch.
        case answered(Answer)
        /// Lines were executed.
        case worked(Work)
    }

    /// Executed lines.
    package struct Work: Sendable {
        /// The number of lines that an earlier attempt had answered, with their answers; only in the first part.
        package var kept: Int
        package var keptBody: [UInt8]
        /// The number of lines executed now, with their answers.
        package var count: Int
        package var body: [UInt8]
        /// The index of the next line.
        package var next: Int
    }

    package var waiter: WaiterID?
    package var result: Result
}
