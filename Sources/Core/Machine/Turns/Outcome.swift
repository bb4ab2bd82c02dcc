// What follows from a turn, as values: whoever publishes, stores, answers and calls does so by them.

package import Board
package import Tween
package import Wire

/// Everything that a turn brought about.
package struct Outcome: Sendable {
    package let instant: Instant
    /// How many of the turn's requests were taken; the others are the next turn's.
    package var taken = 0
    /// What is told to those who listen, in order.
    package var events: [NumberedEvent] = []
    /// Resources that changed, each once; what became of them is on the board.
    package var changed: [ResourceName] = []
    /// Tracks that passed milestones: no more is to be shown of them, but the store has to know what was told.
    package var passed: [ResourceName] = []
    /// Resources that were set back to what the store has of them.
    package var restored: [ResourceName] = []
    /// What waits for the turn's commit.
    package var answers: [GivenAnswer] = []
    package var batches: [BatchOutcome] = []
    /// Answers to be kept for retries.
    package var retries: [RetryRecord] = []
    /// Webhooks whose state changed, as they are now; nil for one that is to be kept no more.
    package var deliveries: [(id: String, delivery: Delivery?)] = []
    /// Webhooks among them that may be called once they are stored.
    package var unstored: [String] = []
    package var notes: [Note] = []
    package var counts = Counts()
    /// The changes are a portion of something larger: what others change waits behind it in the store.
    package var isPortion = false

    package init(at instant: Instant) { self.instant = instant }

    /// What was done.
    package struct Counts: Hashable, Sendable {
        /// Commands and lines of batches that were taken.
        package var commands = 0
        /// Commands of requests of their own that were accepted.
        package var accepted = 0
        /// About how many bytes it takes to tell what happened.
        package var bytes = 0
        package var completions = 0
        package var firings = 0
        package var milestones = 0
        package var delivered = 0
        /// Advances that left something due for the next.
        package var cutShort = 0
    }

    /// What the log should tell.
    package enum Note: Hashable, Sendable {
        case actionRefused(by: ResourceName, CommandError)
        case webhookGivenUp(Delivery)
    }
}

/// What happened on the board, with its place in the log of events.
package struct NumberedEvent: Sendable {
    package enum Content: Sendable {
        case one(BoardEvent)
        /// Motions of a track that no frame showed, told together.
        case crowd(ResourceName, CompletionGroup)
    }

    package var number: Int64
    package var content: Content
    /// The track as the event left it, where somebody watches it: a later change of the same turn is not its own.
    @Boxed package var track: Track?

    package init(number: Int64, content: Content) {
        self.number = number
        self.content = content
        _track = Boxed()
    }
}

/// An answer and whose it is.
package struct GivenAnswer: Sendable {
    package var ticket: Ticket
    package var answer: Answer
}

/// What became of a part of a batch.
package struct BatchOutcome: Sendable {
    package enum Result: Sendable {
        /// Nothing was done: it is answered at once.
        case answered(Answer)
        /// Lines were worked off.
        case worked(Work)
    }

    /// The lines that were worked off.
    package struct Work: Sendable {
        /// How many lines an earlier attempt had answered already, and with what; at the beginning alone.
        package var kept: Int
        package var keptBody: [UInt8]
        /// How many were worked off now, and their answers.
        package var count: Int
        package var body: [UInt8]
        /// The line that comes next.
        package var next: Int
    }

    package var ticket: Ticket?
    package var result: Result
}

/// An answer for a retry, or the answers to a part of a batch, as it is kept.
package struct RetryRecord: Hashable, Sendable {
    package var key: String
    package var fingerprint: UInt64
    package var status: Int
    package var head: String
    package var body: [UInt8]
    /// Unix nanoseconds after which it may go.
    package var expires: Int64
    /// Those that expire before this may go now.
    package var horizon: Int64

    package init(
        key: String, fingerprint: UInt64, status: Int, head: String, body: [UInt8], expires: Int64,
        horizon: Int64 = .min
    ) {
        self.key = key
        self.fingerprint = fingerprint
        self.status = status
        self.head = head
        self.body = body
        self.expires = expires
        self.horizon = horizon
    }
}
