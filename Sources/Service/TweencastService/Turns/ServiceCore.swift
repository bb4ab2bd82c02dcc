// The parts of a node that don't depend on the persistence: the machine, the publisher, and the pending responses. Owned by
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

/// The persistence, as an operator sees it.
protocol PersistenceStatus: AnyObject {
    /// Why it makes the server not ready; nil if all is well.
    var unreadiness: String? { get }
    /// Warnings that ask the operator for a change.
    var warnings: [String] { get }
    /// The store's kind, in one word.
    var storeName: String { get }
    func addMetrics(to page: inout MetricsPage)
    /// Returns a function that adds metrics which need system calls. It runs on the thread that writes the page.
    func addFiles() -> @Sendable (inout MetricsPage) -> Void
    /// The lengths of its queues.
    var queues: PersistenceQueues { get }
    /// Appends what it knows of the replicas to the list of clients.
    func append(to json: inout JSONWriter)
}

/// The machine and the parts around it.
final class ServiceCore {
    /// What the core depends on.
    struct Parts {
        var configuration: ServiceConfiguration
        var clock: ServiceClock
        var acceptor: any StreamAcceptor
        var post: @Sendable (Message) -> Void
        var counters: @Sendable () -> TransportCounters
        /// Measurements outside the tick thread's own counters.
        var measures = Measures()
        /// Adds the metrics of neither the tick thread nor `measures`; runs on the thread that writes the page.
        var gather: @Sendable (inout MetricsPage) -> Void = { _ in }
        /// Returns the lengths of the queues that other threads share with the tick thread.
        var queues: @Sendable () -> SharedQueues = { SharedQueues() }
        /// Whether another process serves the same address and may have confirmed changes.
        var sharesAddress: @Sendable () -> Bool = { false }
        /// Returns the limits of one token or address.
        var ownerLimits: @Sendable () -> OwnerLimitSettings = { OwnerLimitSettings() }
        /// Returns how often limits of one token or address were exceeded.
        var refusals: @Sendable () -> [OwnerLimits.Name: UInt64] = { [:] }
        /// Calls a webhook; the outcome comes back as a message.
        var call: @Sendable (Delivery) -> Void
        /// The available time zone rules.
        var rules: any CalendarRules = NoCalendarRules()
        /// Compiles formats in clients' locales.
        var readers: any ReaderPlanner
        var random = RandomSource.system
    }

    let parts: Parts
    let persistence: any PersistenceStatus
    var machine: Machine
    let publisher: Publisher
    let lists: ListPager
    let answers: PendingResponses
    var batches = BatchQueue()
    var calls = CallQueue()
    var pictures = SharedPictures()
    var inspections = ClientInspections()
    var statistics = Statistics()

    init(_ parts: Parts, machine: Machine, publisher: Publisher, persistence: any PersistenceStatus) {
        self.parts = parts
        self.machine = machine
        self.publisher = publisher
        self.persistence = persistence
        lists = ListPager(post: parts.post)
        answers = PendingResponses(acceptor: parts.acceptor, post: parts.post)
    }

    /// Gives access to the machine in place, to read it or to execute a request. Reading it as a property copies it, and
    /// retains each object that it references.
    func withMachine<Answer>(_ ask: (inout Machine) -> Answer) -> Answer { ask(&machine) }

    // MARK: - Streams

    /// Subscribes a stream whose socket has opened.
    func open(_ opening: OpenedStream, _ key: StreamID, at now: Instant) {
        publisher.open(opening, key, of: &machine, at: now)
        recordGreeting(of: opening.request)
    }

    /// Continues the greeting of a stream that has taken the part sent so far.
    func greet(_ key: StreamID, at now: Instant) { publisher.greet(key, of: &machine, at: now) }

    /// Ends all streams, in a random order.
    func drain(at now: Instant) {
        var random = parts.random
        publisher.drain({ $0.shuffled(using: &random) }, at: now)
    }

    func close(_ key: StreamID, _ end: StreamEnd, at now: Instant) {
        if let stream = publisher.close(key, of: &machine, at: now) { Log.write(stream, end, at: uptime) }
    }

    /// Nanoseconds of the monotonic clock.
    private var uptime: Int64 { parts.clock.monotonic() }

    /// Measures the time until a stream's greeting was with the stream thread.
    func recordGreeting(of request: StreamRequest) {
        guard request.arrived != 0 else { return }
        parts.measures.greeting.observe(nanoseconds: uptime - request.arrived)
    }

    // MARK: - Turns

    /// Publishes a turn's outcome and queues its answers.
    func publish(_ outcome: Outcome) {
        publisher.publish(outcome, of: &machine)
        record(outcome)
    }

    /// Counts a turn's outcome and queues its answers.
    func record(_ outcome: Outcome) {
        statistics.count(outcome)
        for case .one(.fired(_, let due, _)) in outcome.events.lazy.map(\.content) {
            parts.measures.firingLateness.observe(
                nanoseconds: outcome.instant.nanoseconds.subtractingSaturated(due.nanoseconds))
        }
        Log.write(outcome.notes)
        for (waiter, answer) in outcome.answers { answers.add(answer, for: waiter) }
    }

    /// Continues lists and frames, in every turn.
    func continueLists(at now: Instant) {
        lists.makePortions({ page(of: $0) }) { appendItem(of: $0, $1, at: now, to: &$2) }
        withMachine { publisher.continueFrames(of: $0, at: now) }
    }

    /// Runs a tick: makes a frame of every moving track that has subscribers, and flushes once.
    func tick(_ number: Int64, isLate: Bool, at now: Instant, _ advance: () -> Void) {
        statistics.ticks += 1
        if isLate { statistics.lateTicks += 1 }
        advance()
        publisher.tick(number, isLate: isLate, of: &machine, at: now)
    }

    // MARK: - Webhooks

    /// Calls the webhooks that are due.
    func callWebhooks(at now: Instant) {
        for delivery in withMachine({ calls.dequeueDue(at: now, from: $0.outbox) { uptime } }) {
            statistics.webhookCalls += 1
            parts.call(delivery)
        }
    }

    /// Ends a call and returns the request that records its outcome; nil if the webhook no longer exists.
    func endCall(_ id: String, _ outcome: WebhookOutcome) -> Request? {
        if let nanoseconds = calls.end(id, monotonic: uptime) {
            parts.measures.webhookCalls.observe(CallOutcome(outcome), nanoseconds: nanoseconds)
        }
        guard let delivery = machine.outbox.delivery(id) else { return nil }
        return .webhookEnded(id: id, attempt: delivery.attempts + 1, outcome, jitter: parts.random.fraction())
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
