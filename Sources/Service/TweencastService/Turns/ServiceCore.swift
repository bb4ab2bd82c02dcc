// What a node works with, whatever keeps the changes: the machine, those who watch and those who are answered. Owned by
// the tick thread.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Publishing
import RecurrenceRules
import Tween
import Wire

/// What keeps changes, as an operator sees it.
protocol PersistenceStatus: AnyObject {
    /// Why the server isn't ready because of it; nil while all is well.
    var unreadiness: String? { get }
    /// What an operator should change, in words.
    var warnings: [String] { get }
    /// What changes are kept in, in a word.
    var storeName: String { get }
    func addMetrics(to page: inout MetricsPage)
    /// Adds what the system must be asked for; on whatever thread writes the page.
    func addFiles() -> @Sendable (inout MetricsPage) -> Void
    /// How much waits there.
    var queues: PersistenceQueues { get }
    /// Appends what it knows of those who keep them together, beside the list of clients.
    func append(to json: inout JSONWriter)
}

/// The rooms around a machine.
final class ServiceCore {
    /// What it works with.
    struct Parts {
        var configuration: ServiceConfiguration
        var clock: ServiceClock
        var acceptor: any StreamAcceptor
        var post: @Sendable (Message) -> Void
        var counters: @Sendable () -> TransportCounters
        /// What is counted beside the tick thread's own counters.
        var measures = Measures()
        /// Adds to a page what is neither the tick thread's nor among the measures; on whatever thread writes it.
        var gather: @Sendable (inout MetricsPage) -> Void = { _ in }
        /// How much waits in the queues that other threads share with the tick thread.
        var queues: @Sendable () -> SharedQueues = { SharedQueues() }
        /// Whether another process serves the same address, and may have answered changes.
        var sharesAddress: @Sendable () -> Bool = { false }
        /// What one token or address may have.
        var ownerLimits: @Sendable () -> OwnerLimitSettings = { OwnerLimitSettings() }
        /// How often limits of one token or address were met.
        var refusals: @Sendable () -> [OwnerLimits.Name: UInt64] = { [:] }
        /// Calls a webhook; how that ended comes back as a message.
        var call: @Sendable (Delivery) -> Void
        /// The rules of the time zones that are at hand.
        var rules: any CalendarRules = NoCalendarRules()
        /// Compiles formats in the locales of readers.
        var readers: any ReaderPlanner
    }

    let parts: Parts
    let keeper: any PersistenceStatus
    var machine: Machine
    let publisher: Publisher
    let lists: ListPager
    let answers: PendingResponses
    var batches = BatchQueue()
    var calls = CallQueue()
    var inspections = ClientInspections()
    var statistics = Statistics()

    init(_ parts: Parts, machine: Machine, publisher: Publisher, keeper: any PersistenceStatus) {
        self.parts = parts
        self.machine = machine
        self.publisher = publisher
        self.keeper = keeper
        lists = ListPager(post: parts.post)
        answers = PendingResponses(AnswerSender(acceptor: parts.acceptor, post: parts.post))
    }

    /// Looks at the machine where it lies. Read as a property it is copied for whoever is asked, with a count at each of the
    /// thirty things that it refers to.
    func look<Answer>(_ ask: (inout Machine) -> Answer) -> Answer { ask(&machine) }

    // MARK: - Streams

    /// A stream's socket is ours.
    func open(_ opening: OpenedStream, _ key: StreamID, at now: Instant) {
        publisher.open(opening, key, of: &machine, at: now)
        recordGreeting(of: opening.request)
    }

    /// A stream has taken what it was told of its topics' states so far.
    func greet(_ key: StreamID, at now: Instant) { publisher.greet(key, of: &machine, at: now) }

    func close(_ key: StreamID, _ end: StreamEnd, at now: Instant) {
        if let stream = publisher.close(key, of: &machine, at: now) { Log.write(stream, end, at: uptime) }
    }

    /// Nanoseconds of the monotonic clock.
    private var uptime: Int64 { parts.clock.monotonic() }

    /// A stream's greeting is with its thread.
    func recordGreeting(of request: StreamRequest) {
        guard request.arrived != 0 else { return }
        parts.measures.greeting.observe(nanoseconds: uptime - request.arrived)
    }

    // MARK: - Turns

    /// Tells those who watch, and those who asked, what came of a turn.
    func tell(_ outcome: Outcome) {
        publisher.publish(outcome, of: &machine)
        record(outcome)
    }

    /// Counts what came of a turn, and takes its answers.
    func record(_ outcome: Outcome) {
        statistics.count(outcome)
        for case .one(.fired(_, let due, _)) in outcome.events.lazy.map(\.content) {
            parts.measures.firingLateness.observe(
                nanoseconds: outcome.instant.nanoseconds.subtractingSaturated(due.nanoseconds))
        }
        Log.write(outcome.notes)
        for given in outcome.answers { answers.add(given, at: outcome.instant) }
    }

    /// What is done with every turn beside the machine's part.
    func attendToFrames(at now: Instant) {
        lists.makePortions({ page(of: $0) }) { appendItem(of: $0, $1, at: now, to: &$2) }
        look { publisher.continueFrames(of: $0, at: now) }
    }

    /// A frame of everything that moved and is watched, and one flush of it all.
    func tick(_ number: Int64, isLate: Bool, at now: Instant, _ advance: () -> Void) {
        statistics.ticks += 1
        if isLate { statistics.lateTicks += 1 }
        advance()
        publisher.tick(number, of: &machine, at: now)
    }

    // MARK: - Webhooks

    /// Calls what is due.
    func callWebhooks(at now: Instant) {
        for delivery in look({ calls.takeDue(at: now, from: $0.outbox) { uptime } }) {
            statistics.webhookCalls += 1
            parts.call(delivery)
        }
    }

    /// How a call ended, for the machine; nil where nobody waits for that any more.
    func endCall(_ id: String, _ outcome: WebhookOutcome) -> Request? {
        if let nanoseconds = calls.end(id, monotonic: uptime) {
            parts.measures.webhookCalls.observe(CallOutcome(outcome), nanoseconds: nanoseconds)
        }
        guard let delivery = machine.outbox.delivery(id) else { return nil }
        let call = WebhookCall(id: id, attempt: delivery.attempts + 1)
        return .webhookEnded(call, outcome, jitter: .random(in: 0..<1))
    }
}

extension CallOutcome {
    init(_ outcome: WebhookOutcome) {
        switch outcome {
        case .answered(let status, _): self = (200..<300).contains(status) ? .delivered : .refused
        case .failed: self = .failed
        case .forbidden: self = .forbidden
        }
    }
}
