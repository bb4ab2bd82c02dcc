// What the machine is given: requests as decoded values, all at one instant. What differs between processes (who is
// connected, the clock, chance) comes with it as a value or stays outside.

package import Base
package import Board
package import Tween
package import Wire

/// Requests at one instant.
package struct Turn: Sendable {
    package var instant: Instant
    /// The number of the tick that the instant lies in.
    package var tick: Int64
    /// Whether what fell due is carried out before the requests; not while nothing can be stored.
    package var advances = true
    /// Whether it is the tick itself: milestones are looked at, and what was merged since the last one is told.
    package var isTick = false
    /// Whether milestones are looked at with it; those that were crossed meanwhile are passed with the next that does.
    package var passesMilestones = true
    /// Taken in their order, until the turn's budget is used up.
    package var requests: [Request] = []
    /// Parts of what takes several turns; each has a budget of its own.
    package var portions: [Portion] = []

    package init(at instant: Instant, tick: Int64) {
        self.instant = instant
        self.tick = tick
    }
}

/// Who is to be answered: the machine hands it back with the answer and knows nothing else of it.
package typealias Ticket = Int

/// What somebody asks, or what has come of something outside.
package enum Request: Sendable {
    case command(CommandRequest)
    /// A batch's first part.
    case batch(BatchPart)
    case deadLetter(id: String, DeadLetterOperation, Ticket?)
    case voucherMade(Voucher, Ticket?)
    /// - Parameter key: The voucher's.
    case voucherSpent(key: String, Ticket?)
    /// How a webhook's call ended.
    /// - Parameter jitter: 0 ≤ … < 1, for the time until the next attempt.
    case webhookEnded(WebhookCall, WebhookOutcome, jitter: Double)
    /// Somebody listens to a track with a time to live on a replica, or nobody does any more.
    case heard(ResourceName, Bool, on: ReplicaName)
    /// A replica has gone, and all who listened there.
    case left(ReplicaName)
    /// For a while no replica could take anything: that nothing came then says nothing of who sends it.
    case outageEnded
}

/// What a process is called that takes the same turns as others.
package typealias ReplicaName = String

extension Request {
    /// Whose it is; nil for what nobody waits for here.
    package var ticket: Ticket? {
        get {
            switch self {
            case .command(let request): request.ticket
            case .batch(let part): part.ticket
            case .deadLetter(_, _, let ticket), .voucherMade(_, let ticket), .voucherSpent(_, let ticket): ticket
            case .webhookEnded, .heard, .left, .outageEnded: nil
            }
        }
        set {
            switch self {
            case .command(var request):
                request.ticket = newValue
                self = .command(request)
            case .batch(var part):
                part.ticket = newValue
                self = .batch(part)
            case .deadLetter(let id, let operation, _): self = .deadLetter(id: id, operation, newValue)
            case .voucherMade(let voucher, _): self = .voucherMade(voucher, newValue)
            case .voucherSpent(let key, _): self = .voucherSpent(key: key, newValue)
            case .webhookEnded, .heard, .left, .outageEnded: break
            }
        }
    }
}

/// One attempt to have a webhook taken.
package struct WebhookCall: Hashable, Sendable {
    package var id: String
    /// From 1; what is told of an attempt that is over already counts no more.
    package var attempt: Int

    package init(id: String, attempt: Int) {
        self.id = id
        self.attempt = attempt
    }
}

/// A part of what takes several turns.
package enum Portion: Sendable {
    /// A batch's next part.
    case batch(BatchPart)
    /// The next schedules of a change to all of them.
    case sweep
}

/// A change and how it is answered.
package struct CommandRequest: Sendable {
    /// The shape of the answer to an accepted command.
    package enum Form: Hashable, Sendable {
        /// The resource, with this status; `created` where the command made it.
        case resource(status: Int, created: Int)
        case noContent
        /// The list's head: `{"paused":…,"pending":…}`.
        case schedules
        /// The motion's own stream.
        case stream
    }

    package var command: Command
    /// What the answer shows.
    package var name: ResourceName?
    /// `If-Match` and `If-None-Match`.
    @Boxed package var precondition: Precondition?
    /// `Idempotency-Key`, with what tells this request from another under the same key.
    @Boxed package var retry: RetryKey?
    package var form: Form
    /// How many of a schedule's next instants the answer tells.
    package var preview = 0
    /// Nil for the service's own requests, and for those that are answered elsewhere.
    package var ticket: Ticket?

    package init(_ command: Command, showing name: ResourceName? = nil, as form: Form) {
        self.command = command
        self.name = name
        self.form = form
        _precondition = Boxed()
        _retry = Boxed()
    }
}

/// What makes a retry of a request recognisable.
package struct RetryKey: Hashable, Sendable {
    package var key: String
    /// A hash of method, path and body that is the same in every process.
    package var fingerprint: UInt64
    /// Who asks: the address that the answer's room is counted for.
    package var client: String

    package init(key: String, fingerprint: UInt64, client: String = "") {
        self.key = key
        self.fingerprint = fingerprint
        self.client = client
    }
}

/// A batch, from a line on.
package struct BatchPart: Sendable {
    /// Tells the batches under way apart; nil for one that is answered elsewhere.
    package var ticket: Ticket?
    /// The line that comes next, counted from 0.
    package var next: Int
    /// That line and those behind it, all or as many as are worked off at a time; one that could not be decoded is its
    /// problem.
    package var lines: ArraySlice<Result<Command, Problem>>
    /// How many lines the batch has in all.
    package var count: Int
    package var retry: RetryKey?

    package init(
        _ lines: ArraySlice<Result<Command, Problem>>, from next: Int, of count: Int, retry: RetryKey?, ticket: Ticket?
    ) {
        self.lines = lines
        self.next = next
        self.count = count
        self.retry = retry
        self.ticket = ticket
    }

    /// - Parameter lines: All of the batch's.
    package init(_ lines: [Result<Command, Problem>], from next: Int = 0, retry: RetryKey?, ticket: Ticket) {
        self.init(lines.dropFirst(next), from: next, of: lines.count, retry: retry, ticket: ticket)
    }

    /// The batch from a later line on.
    func dropping(to line: Int) -> BatchPart {
        BatchPart(lines.dropFirst(line - next), from: line, of: count, retry: retry, ticket: ticket)
    }
}

/// What somebody wants done with a webhook that was given up.
package enum DeadLetterOperation: Hashable, Sendable {
    case retry, discard
}
