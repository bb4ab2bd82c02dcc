// A server: a machine on which a process runs, dies, and is started again.

import Base
import HTTPTransport
import RecurrenceRules
import Storage
import Tween
import TweencastService
import Wire

/// Where a server's board is kept.
enum BoardPlace {
    case disk(SimulatedDisk)
    case log(SimulatedLog)
    case redis(SimulatedRedis)
}

/// One process's way to the log that it shares.
protocol LogAccess: AnyObject {
    /// Whether the log can be reached, and has been read up to its end.
    var follows: Bool { get }
    /// Whether it has met an entry that it can't read.
    var isStopped: Bool { get }
    /// Whether a thread of it waits for the log.
    var isInTurn: Bool { get }
    /// Lets something befall the process between two requests to its log.
    func strike(_ act: @escaping () -> Void)
    /// The log can't be reached for so long.
    func cutOff(for time: Int64)
    /// The process dies.
    func die()
}

/// A server with all its processes, one after the other.
final class SimulatedServer {
    let name: String
    let machine: SimulatedMachine
    private let world: World
    private let place: BoardPlace
    private let configuration: ServiceConfiguration
    private let zones: ZoneCache
    private let receiver: WebhookReceiver
    private let socketBytes: Int
    private(set) var process: ServerProcess?
    private var store: SimulatedStore?
    private var access: (any LogAccess)?
    /// The world's time of its first attempt to start since it was last up.
    private var firstAttempt: Int64?
    /// Nanoseconds for which a start looks for replicas that have a lost board, before it makes an empty one.
    private static let patience: Int64 = .milliseconds(2_500)
    /// Whether it ends in order, or is about to be started.
    private(set) var isBusy = false

    init(
        _ world: World, _ name: String, _ place: BoardPlace, _ configuration: ServiceConfiguration, zones: ZoneCache,
        receiver: WebhookReceiver, socketBytes: Int, drift: Int64
    ) {
        (self.world, self.name, self.place, self.configuration) = (world, name, place, configuration)
        (self.zones, self.receiver, self.socketBytes) = (zones, receiver, socketBytes)
        machine = SimulatedMachine(world, drift: drift)
    }

    /// Unix nanoseconds by the clock that decides when a token ends.
    var wall: Int64 {
        switch place {
        case .disk: machine.clock.wall()
        case .log(let log): log.server.now.nanoseconds
        case .redis(let redis): redis.wall
        }
    }
    var isUp: Bool { process?.isRunning ?? false }
    var disk: SimulatedDisk? { if case .disk(let disk) = place { disk } else { nil } }

    func start() {
        let process = ServerProcess(world, machine, socketBytes: socketBytes, callWebhook: receiver.call)
        do throws(ServiceError) {
            switch place {
            case .disk(let disk):
                let store = SimulatedStore(world, disk)
                store.completed = { [weak process] in process?.wake() }
                self.store = store
                try process.start(configuration, .own(store), zones: zones)
            case .log(let log):
                let opener = SimulatedLogOpener(log, machine) { [weak process] in process?.wake() }
                try process.start(configuration, .shared(opener), zones: zones)
                access = opener.access
            case .redis(let redis):
                let attempt = firstAttempt ?? world.now
                firstAttempt = attempt
                let mayMake = world.now == 0 || world.now - attempt >= Self.patience
                let opener = SimulatedRedisOpener(redis, machine, mayMake: mayMake) { [weak process] in process?.wake()
                }
                try process.start(configuration, .shared(opener), zones: zones)
                access = opener.access
            }
        } catch {
            guard case .log = error else { return wrong("\(name) can't start: \(error)") }
            world.history.write("not started", at: world.now) {
                $0.member("server", name)
                $0.member("why", "\(error)")
            }
            // As a server does that waits for its Redis.
            return world.after(.milliseconds(200)) { [self] in if !isUp { start() } }
        }
        firstAttempt = nil
        self.process = process
        world.history.write("started", at: world.now) { $0.member("server", name) }
    }

    func kill() {
        guard isUp else { return }
        world.history.write("killed", at: world.now) { $0.member("server", name) }
        store?.die()
        access?.die()
        process?.kill()
        isBusy = false
    }

    /// Kills it while it commits, or between two requests to its Redis, or after a second.
    func killInTurn(then act: @escaping () -> Void) {
        guard let struck = process else { return }
        var isOver = false
        let strike = { [self] in
            guard !isOver, process === struck else { return }
            isOver = true
            kill()
            act()
        }
        store?.strike = strike
        access?.strike(strike)
        world.after(.seconds(1), strike)
    }

    /// Ends in order, and starts again after so long.
    func restart(after pause: Int64) {
        guard isUp, !isBusy else { return }
        isBusy = true
        world.history.write("stops", at: world.now) { $0.member("server", name) }
        process?.stop(once: { [self] in !(access?.isInTurn ?? false) }) { [self] in
            access?.die()
            world.history.write("stopped", at: world.now) { $0.member("server", name) }
            world.after(pause) { [self] in
                isBusy = false
                if !isUp { start() }
            }
        }
    }

    /// Cuts it off from its log, for so long.
    func cutOff(for time: Int64) { access?.cutOff(for: time) }

    /// Whether it reaches its log, if it has one, and reads it.
    var follows: Bool { access?.follows ?? true }
    /// Whether its log has an entry that it can't read.
    var isStopped: Bool { access?.isStopped ?? false }

    /// Makes commits take so long.
    func setCommitDelay(_ delay: ClosedRange<Int64>) { store?.delay = delay }

    /// Handles a request that has arrived.
    func receive(
        _ request: ClientRequest, of client: Int, stream: StreamReceiver? = nil, reply: @escaping (Reply) -> Void
    ) {
        guard let process, process.isRunning else { return reply(.lost) }
        process.receive(request, of: client, reader: stream, reply: reply)
    }

    func wrong(_ what: String) { world.history.write("wrong", at: world.now) { $0.member("what", what) } }
}
