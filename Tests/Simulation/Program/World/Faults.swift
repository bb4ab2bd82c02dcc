// What befalls a world, drawn by weights that each seed has for itself.

import Base
import Storage

/// Lets faults happen until it is ended.
final class Faults {
    private enum Kind: CaseIterable {
        case kill, restart, handOver, fullDisk, slowDisk, clockStep, cut, vanishing, stall, failingReceiver
        case suffixLoss, restored, unreadable
        case failover, emptied, lostPart, damage, fullMemory, loading, unconfirmed, redisClock

        func isOf(_ log: SimulatedLog?, _ redis: SimulatedRedis?) -> Bool {
            switch self {
            case .kill, .restart, .handOver, .vanishing, .stall, .failingReceiver: true
            case .fullDisk, .slowDisk, .clockStep: log == nil && redis == nil
            case .cut, .emptied: log != nil || redis != nil
            case .suffixLoss, .restored, .unreadable: log != nil
            case .failover, .lostPart, .damage, .fullMemory, .loading, .unconfirmed, .redisClock: redis != nil
            }
        }

        /// Whether a client hears of it at most, so that it may happen while something is being mended.
        var isHarmless: Bool {
            switch self {
            case .vanishing, .stall, .failingReceiver: true
            default: false
            }
        }

        /// Whether running replicas that have the whole board must mend it: who meets two such faults at once loses changes.
        var needsAll: Bool { self == .emptied || self == .lostPart || self == .damage }
    }

    /// Nanoseconds by which a clock is set: a virtual machine that slept, a clock without a battery, one that went wrong.
    private static let steps: [Int64] = [3_600, -3_600, 86_400, -60, 7, 0].map { .seconds($0) }
    /// Those of a Redis' clock: forward by less than events are kept, which are older if no replica runs that knows better.
    private static let redisSteps: [Int64] = [60, -3_600, -60, 7].map { .seconds($0) }

    private let world: World
    private let servers: [SimulatedServer]
    private let log: SimulatedLog?
    private let redis: SimulatedRedis?
    private let readers: [StreamReader]
    private let receiver: WebhookReceiver
    private let frames: FrameBook
    private let inspection: Inspection
    private let weights: [(kind: Kind, weight: Double)]
    /// The longest time between two faults.
    private let pause: Int64
    private var isEnding = false
    /// Nothing else befalls the servers until then, while something is being mended.
    private var calmUntil: Int64 = 0
    /// When something befell them last.
    private var lastOther: Int64 = 0
    /// Nanoseconds after which a fault is over, and within which a lost board is written back.
    private static let calm: Int64 = .milliseconds(1_500)
    private static let mending: Int64 = .seconds(8)

    init(
        _ world: World, servers: [SimulatedServer], log: SimulatedLog?, redis: SimulatedRedis?, readers: [StreamReader],
        receiver: WebhookReceiver, frames: FrameBook, inspection: Inspection
    ) {
        (self.frames, self.inspection) = (frames, inspection)
        (self.world, self.servers, self.log, self.redis) = (world, servers, log, redis)
        (self.readers, self.receiver) = (readers, receiver)
        weights = Kind.allCases.filter { $0.isOf(log, redis) }.map { ($0, world.pick([0, 0, 1, 1, 3])) }
        pause = world.pick([.milliseconds(300), .seconds(2), .seconds(6)])
    }

    func begin() { world.after(world.nanoseconds(0...pause)) { [self] in happen() } }

    /// Ends all faults: servers that are down start.
    func end() {
        isEnding = true
        receiver.failureRate = 0
        redis?.calm()
        mendEntry()
        log?.calm()
        for server in servers {
            server.disk?.failure = nil
            server.setCommitDelay(.microseconds(50)...(.milliseconds(4)))
            if !server.isUp { server.start() }
        }
    }

    private func happen() {
        guard !isEnding else { return }
        let total = weights.reduce(0) { $0 + $1.weight }
        if total > 0 {
            var rest = world.chance.fraction() * total
            let kind = weights.first { _, weight in
                rest -= weight
                return rest < 0
            }
            if let kind = kind?.kind, mayHappen(kind) { happen(kind) }
        }
        world.after(world.nanoseconds(0...pause)) { [self] in happen() }
    }

    private func mayHappen(_ kind: Kind) -> Bool {
        if kind.isHarmless { return true }
        guard world.now >= calmUntil else { return false }
        if !kind.needsAll {
            lastOther = world.now
            return true
        }
        let isCalm = world.now - lastOther > Self.calm && !(log?.isDamaged ?? false)
        guard isCalm, servers.allSatisfy({ $0.isUp && !$0.isBusy && $0.follows }) else { return false }
        calmUntil = world.now + Self.mending
        return true
    }

    private func happen(_ kind: Kind) {
        let server = world.pick(servers)
        switch kind {
        case .kill: kill(server)
        case .restart: server.restart(after: world.nanoseconds(0...(.seconds(1))))
        case .handOver: server.restart(after: 0)
        case .fullDisk:
            world.history.write("disk full", at: world.now) { _ in }
            server.disk?.failure = StoreError(.full, "no room")
            later(within: .seconds(3)) { server.disk?.failure = nil }
        case .slowDisk:
            server.setCommitDelay(.milliseconds(20)...(.milliseconds(700)))
            later(within: .seconds(3)) { server.setCommitDelay(.microseconds(50)...(.milliseconds(4))) }
        case .clockStep:
            server.machine.set(to: world.pick(Self.steps))
            world.history.mark("clock set")
            frames.isOfEqualServers = false
        case .cut: server.cutOff(for: world.nanoseconds(.milliseconds(100)...(.seconds(4))))
        case .suffixLoss, .restored, .unreadable: befallLog(kind)
        case .emptied:
            redis?.empty()
            log?.lose()
        case .failover, .lostPart, .damage, .fullMemory, .loading, .unconfirmed, .redisClock: befallRedis(kind)
        case .vanishing: pickReader()?.vanish()
        case .stall: pickReader()?.stall(for: world.nanoseconds(.milliseconds(50)...(.seconds(5))))
        case .failingReceiver:
            receiver.failureRate = 0.6
            later(within: .seconds(5)) { [receiver] in receiver.failureRate = 0 }
        }
    }

    private func befallLog(_ kind: Kind) {
        switch kind {
        case .suffixLoss:
            log?.failOver(lacking: 1 + world.index(below: 4))
            // Until then a replica may work with the old server.
            lastOther = world.now + .seconds(1)
        case .restored:
            let time = world.nanoseconds(.milliseconds(100)...(.seconds(3)))
            log?.restore(lacking: world.pick([0, 1, 30, 1_000]), after: time)
            lastOther = world.now + time
        default: log?.damageNext(for: world.nanoseconds(.milliseconds(100)...(.seconds(3)))) { [self] in mendEntry() }
        }
    }

    private func befallRedis(_ kind: Kind) {
        switch kind {
        case .failover: strikeRedis { $0.failOver() }
        case .lostPart: redis?.lose()
        case .damage: redis?.damage(for: world.nanoseconds(.milliseconds(100)...(.seconds(3))))
        case .fullMemory: redis?.fill(for: world.nanoseconds(.milliseconds(100)...(.seconds(3))))
        case .loading:
            let time = world.nanoseconds(.milliseconds(50)...(.seconds(3)))
            strikeRedis { $0.load(for: time) }
        case .unconfirmed: redis?.confirmTooLittle(for: world.nanoseconds(.milliseconds(100)...(.seconds(3))))
        default: redis?.setClock(by: world.pick(Self.redisSteps))
        }
    }

    /// Lets something befall the Redis, now or within a second.
    private func strikeRedis(_ act: @escaping (SimulatedRedis) -> Void) {
        lastOther = world.now + .seconds(1)
        redis?.strikeSoon { [redis] in redis.map(act) }
    }

    /// What an operator does once an entry can be read again: restarts the replicas that stopped there.
    private func mendEntry() {
        let stopped = servers.filter { $0.isUp && !$0.isBusy && $0.isStopped }
        for server in stopped { inspection.lookAtStopped(server) }
        log?.repair()
        lastOther = world.now
        world.after(.milliseconds(100)) { [world] in
            for server in stopped { server.restart(after: world.nanoseconds(0...(.milliseconds(500)))) }
        }
    }

    private func pickReader() -> StreamReader? { readers.isEmpty ? nil : world.pick(readers) }

    private func kill(_ server: SimulatedServer) {
        if log == nil, world.happens(0.5) { return server.killInTurn { [self] in startLater(server) } }
        server.kill()
        startLater(server)
    }

    private func startLater(_ server: SimulatedServer) {
        later(within: .seconds(2)) {
            if !server.isUp { server.start() }
        }
    }

    private func later(within time: Int64, _ act: @escaping () -> Void) {
        world.after(world.nanoseconds(0...time), act)
    }
}
