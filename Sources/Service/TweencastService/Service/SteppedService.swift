// A service without threads and sockets. A simulation runs it step by step, at instants and with chances of its own.

package import Base
import Board
import EventStream
package import Gateway
package import HTTPTransport
package import Machine
import OperatingSystem
package import RecurrenceRules
import Replication

/// A service that runs when its caller says so, on the caller's thread.
package final class SteppedService {
    /// What threads and sockets are to a running server.
    package struct Surroundings {
        package var machine: MachineClock
        package var random: RandomSource
        /// Returns the text of a secret.
        package var secret: @Sendable (_ bytes: Int) -> String
        package var acceptor: any StreamAcceptor
        /// Calls a webhook. The outcome must be passed to `endCall`.
        package var call: @Sendable (_ id: String, _ url: String, _ body: [UInt8]) -> Void
        package var zones: ZoneCache

        package init(
            machine: MachineClock, random: RandomSource, secret: @escaping @Sendable (_ bytes: Int) -> String,
            acceptor: any StreamAcceptor,
            call: @escaping @Sendable (_ id: String, _ url: String, _ body: [UInt8]) -> Void, zones: ZoneCache
        ) {
            (self.machine, self.random, self.secret) = (machine, random, secret)
            (self.acceptor, self.call, self.zones) = (acceptor, call, zones)
        }
    }

    /// How far a replica has followed its log.
    package struct Progress: Hashable, Sendable {
        package var sequence: UInt64
        package var digest: UInt64?
    }

    /// What its streams are sent. Call it as a stream's loop does.
    package let feed: any StreamFeed
    private let assembly: Assembly
    private let node: any TickDriven
    private let persistence: RunningPersistence
    private var driver: TickDriver

    /// Loads the board.
    package init(
        _ configuration: ServiceConfiguration, store: PersistenceBackend, _ surroundings: Surroundings
    ) throws(ServiceError) {
        let clock = store.clock(tickRate: configuration.tickRate, machine: surroundings.machine)
        let inbox = Mailbox<Message>(capacity: Assembly.maximumWaiting)
        let assembly = Assembly(
            configuration, clock: clock, inbox: inbox, zones: surroundings.zones,
            files: try Service.files(configuration),
            observer: nil, chance: Assembly.Chance(random: surroundings.random, secret: surroundings.secret))
        let shardInbox = ShardInbox()
        let shard = Shard(
            index: 0, inbox: shardInbox, configuration: configuration.shard,
            closed: { assembly.post(.closed($0, $1)) }, wantsGreeting: { assembly.post(.wantsGreeting($0)) })
        feed = ShardFeed(shard) { assembly.post(.inspected($0, number: $1)) }
        let parts = ServiceCore.Parts(
            configuration: configuration, clock: clock, acceptor: surroundings.acceptor, post: assembly.post,
            counters: { TransportCounters() },
            ownerLimits: { [limits = assembly.guards.limits] in limits.settings },
            call: { [call = surroundings.call] in call($0.id, $0.url, $0.body) }, rules: surroundings.zones,
            readers: assembly.preparation, random: surroundings.random)
        (node, persistence) = try assembly.composition.node(store, parts, inboxes: [shardInbox])
        self.assembly = assembly
        driver = assembly.driver(of: node, measures: parts.measures)
        driver.begin()
    }

    package var application: Application { assembly.application }

    /// When `run` must be called, in monotonic nanoseconds; nil if only a message makes that necessary.
    package func nextWake() -> Int64? { assembly.inbox.count > 0 ? 0 : driver.sleep() }

    /// Whether `run` must be called now.
    package var isBusy: Bool { assembly.inbox.count > 0 || node.isBusy }

    /// Runs what is due and what was posted, as the tick thread does when it wakes.
    package func run() {
        var messages: [Message] = []
        if assembly.inbox.receive(into: &messages, until: 0) { driver.run(messages[...]) }
    }

    /// Whether something waits to be prepared for the tick thread.
    package var hasPreparations: Bool { assembly.preparation.hasWaiting }

    /// Prepares what waits, as the thread of that does.
    package func prepare() { assembly.preparation.runWaiting() }

    package func endCall(_ id: String, _ outcome: WebhookOutcome) { assembly.post(.webhookEnded(id, outcome)) }

    /// Ends all streams and reports the server as not ready, as a stop begins.
    package func drain() {
        application.retire()
        assembly.post(.drain)
    }

    /// Runs what waits, commits it and closes the store, or leaves the log.
    package func close() {
        application.close()
        assembly.preparation.stop()
        assembly.preparation.runWaiting()
        assembly.inbox.close()
        run()
        driver.finish()
        persistence.close()
    }

    /// How far it has followed the log; nil without one.
    package var progress: Progress? {
        (node as? ReplicaNode).map { Progress(sequence: $0.position.sequence, digest: $0.digest.value) }
    }
}
