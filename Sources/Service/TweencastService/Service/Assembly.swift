// The way of a request from the application to the node, without a thread or a socket.

import Base
import Gateway
import HTTPTransport
import OperatingSystem
import RecurrenceRules

/// The parts of a service between its transport and its store. `Service` runs them on threads, `SteppedService` on its caller's.
struct Assembly: Sendable {
    let inbox: Mailbox<Message>
    let zones: ZoneCache
    let preparation: PreparationQueue
    let guards: Application.Guards
    let boardUnavailability = BoardUnavailability()
    let tickQueue: TickQueue
    let application: Application
    let composition: Composition

    /// The most requests that may wait for the tick thread.
    static let maximumWaiting = 100_000

    /// Sources of chance, if they are not the system's.
    struct Chance {
        var random = RandomSource.system
        /// Returns text that nobody can guess; nil for the system's.
        var secret: (@Sendable (_ bytes: Int) -> String)?
    }

    init(
        _ configuration: ServiceConfiguration, clock: ServiceClock, inbox: Mailbox<Message>, zones: ZoneCache,
        files: StaticFiles, observer: (any RequestObserver)?, chance: Chance = Chance()
    ) {
        self.inbox = inbox
        self.zones = zones
        let planner = LocalePlanner()
        preparation = PreparationQueue(planner)
        guards = configuration.guards(clock)
        tickQueue = TickQueue(
            inbox: inbox, watch: TickWatch(limit: configuration.stuckAfter), clock: clock,
            boardUnavailability: boardUnavailability)
        var settings = configuration.application(zones)
        settings.random = chance.random
        if let secret = chance.secret { settings.secret = secret }
        application = Application(
            settings,
            Application.Parts(
                guards: guards, files: files, rules: zones, preparation: preparation, taker: tickQueue,
                observer: observer))
        composition = Composition(
            configuration: configuration, planner: planner, rules: zones, clock: clock, random: chance.random,
            post: { _ = inbox.post($0, urgent: true) })
    }

    /// Posts a message to the tick thread, even if its inbox is full.
    var post: @Sendable (Message) -> Void { composition.post }

    func driver(of node: any TickDriven, measures: Measures) -> TickDriver {
        TickDriver(node, clock: tickQueue.clock, watch: tickQueue.watch, measures: measures)
    }
}
