// The inputs of the machine: decoded requests, all at one instant. Whatever differs between processes (connections, the
// clock, randomness) is a value in a request or stays outside.

package import Board
package import Tween
package import Wire

/// Requests at one instant.
package struct Turn: Sendable {
    package var instant: Instant
    /// The number of the tick that contains the instant.
    package var tick: Int64
    /// Whether due work is executed before the requests; false while nothing can be stored.
    package var advances = true
    /// Whether this is the tick itself: milestones are checked, and merged events are published.
    package var isTick = false
    /// Whether this tick checks milestones; those crossed in between are passed at the next one that does.
    package var passesMilestones = true
    /// Executed in order until the turn's budget is used up.
    package var requests: [Request] = []
    /// Parts of work that takes several turns; each has a budget of its own.
    package var portions: [WorkSlice] = []

    package init(at instant: Instant, tick: Int64) {
        self.instant = instant
        self.tick = tick
    }
}

/// Identifies who is answered; opaque to the machine, which returns it with the answer.
package typealias WaiterID = Int

/// A client's request, or the result of something outside.
package enum Request: Sendable {
    case command(CommandRequest)
    /// A batch's first part.
    case batch(BatchPart)
    case deadLetter(id: String, DeadLetterOperation, WaiterID?)
    case ticketMade(Ticket, WaiterID?)
    /// - Parameter key: The ticket's key.
    case ticketSpent(key: String, WaiterID?)
    /// The end of a webhook call.
    /// - Parameters:
    ///   - attempt: Counted from 1; results of earlier attempts are ignored.
    ///   - jitter: 0 ≤ … < 1, for the delay of the next attempt.
    case webhookEnded(id: String, attempt: Int, WebhookOutcome, jitter: Double)
    /// Whether a replica has subscribers to a track with a time to live.
    case heard(ResourceName, Bool, on: ReplicaName)
    /// A replica has left, with all its subscribers.
    case left(ReplicaName)
    /// No replica could accept requests for a while, so missing updates say nothing about their senders.
    case outageEnded
}

/// The name of a process that executes the same turns as others.
package typealias ReplicaName = String

extension Request {
    /// The waiter; nil if no client of this process waits.
    package var waiter: WaiterID? {
        get {
            switch self {
            case .command(let request): request.waiter
            case .batch(let part): part.waiter
            case .deadLetter(_, _, let waiter), .ticketMade(_, let waiter), .ticketSpent(_, let waiter): waiter
            case .webhookEnded, .heard, .left, .outageEnded: nil
            }
        }
        set {
            switch self {
            case .command(var request):
                request.waiter = newValue
                self = .command(request)
            case .batch(var part):
                part.waiter = newValue
                self = .batch(part)
            case .deadLetter(let id, let operation, _): self = .deadLetter(id: id, operation, newValue)
            case .ticketMade(let ticket, _): self = .ticketMade(ticket, newValue)
            case .ticketSpent(let key, _): self = .ticketSpent(key: key, newValue)
            case .webhookEnded, .heard, .left, .outageEnded: break
            }
        }
    }
}

/// A part of work that takes several turns.
package enum WorkSlice: Sendable {
    /// A batch's next part.
    case batch(BatchPart)
    /// The next schedules of a change to all schedules.
    case sweep
}

/// A command and the form of its answer.
package struct CommandRequest: Sendable {
    /// The form of the answer to an accepted command.
    package enum Form: Hashable, Sendable {
        /// The resource, with this status, or with `created` if the command created it.
        case resource(status: Int, created: Int)
        case noContent
        /// The list's head: `{"paused":…,"pending":…}`.
        case schedules
        /// The stream of what the command has started.
        case stream
    }

    package var command: Command
    /// The resource that the answer shows.
    package var name: ResourceName?
    /// `If-Match` and `If-None-Match`.
    @Boxed package var precondition: Precondition?
    /// `Idempotency-Key`, with a fingerprint that detects other requests with the same key.
    @Boxed package var retry: RetryKey?
    package var form: Form
    /// The number of a schedule's next instants in the answer.
    package var preview = 0
    /// nil for the service's own requests, and for those that another process answers.
    package var waiter: WaiterID?

    package init(_ command: Command, showing name: ResourceName? = nil, as form: Form) {
        self.command = command
        self.name = name
        self.form = form
        _precondition = Boxed()
        _retry = Boxed()
    }
}

/// Identifies retries of a request.
package struct RetryKey: Hashable, Sendable {
    package var key: String
    /// A hash of method, path and body that is the same in every process.
    package var fingerprint: UInt64
    /// The owner whose share the answer uses: an account or an address.
    package var client: String

    package init(key: String, fingerprint: UInt64, client: String = "") {
        self.key = key
        self.fingerprint = fingerprint
        self.client = client
    }
}

/// A batch from some line on.
package struct BatchPart: Sendable {
    /// Identifies the batch; nil if another process answers it.
    package var waiter: WaiterID?
    /// The index of the next line, counted from 0.
    package var next: Int
    /// That line and later ones: all of them, or one part. A line that could not be decoded is its problem.
    package var lines: ArraySlice<Result<Command, Problem>>
    /// The total number of lines in the batch.
    package var count: Int
    package var retry: RetryKey?

    package init(
        _ lines: ArraySlice<Result<Command, Problem>>, from next: Int, of count: Int, retry: RetryKey?,
        waiter: WaiterID?
    ) {
        self.lines = lines
        self.next = next
        self.count = count
        self.retry = retry
        self.waiter = waiter
    }

    /// - Parameter lines: All lines of the batch.
    package init(_ lines: [Result<Command, Problem>], from next: Int = 0, retry: RetryKey?, waiter: WaiterID) {
        self.init(lines.dropFirst(next), from: next, of: lines.count, retry: retry, waiter: waiter)
    }

    /// Returns the batch from a later line on.
    func dropping(to line: Int) -> BatchPart {
        BatchPart(lines.dropFirst(line - next), from: line, of: count, retry: retry, waiter: waiter)
    }
}

/// An operation on a webhook that was given up.
package enum DeadLetterOperation: Hashable, Sendable {
    case retry, discard
}
