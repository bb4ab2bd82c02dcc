// What befalls a world, drawn by weights that each seed has for itself.

import Base
import Storage

/// Lets faults happen until it is ended.
final class Faults {
    private enum Kind: CaseIterable {
        case kill, restart, handOver, fullDisk, slowDisk, clockStep, cut, suffixLoss, vanishing, stall, failingReceiver

        func isOf(replicas: Bool) -> Bool {
            switch self {
            case .kill, .restart, .handOver, .vanishing, .stall, .failingReceiver: true
            case .fullDisk, .slowDisk, .clockStep: !replicas
            case .cut, .suffixLoss: replicas
            }
        }
    }

    /// Nanoseconds by which a clock is set: a virtual machine that slept, a clock without a battery, one that went wrong.
    private static let steps: [Int64] = [3_600, -3_600, 86_400, -60, 7, 0].map { .seconds($0) }

    private let world: World
    private let servers: [SimulatedServer]
    private let log: SimulatedLog?
    private let readers: [StreamReader]
    private let receiver: WebhookReceiver
    private let frames: FrameBook
    private let weights: [(kind: Kind, weight: Double)]
    /// The longest time between two faults.
    private let pause: Int64
    private var isEnding = false

    init(
        _ world: World, servers: [SimulatedServer], log: SimulatedLog?, readers: [StreamReader],
        receiver: WebhookReceiver, frames: FrameBook
    ) {
        self.frames = frames
        (self.world, self.servers, self.log) = (world, servers, log)
        (self.readers, self.receiver) = (readers, receiver)
        weights = Kind.allCases.filter { $0.isOf(replicas: log != nil) }.map { ($0, world.pick([0, 0, 1, 1, 3])) }
        pause = world.pick([.milliseconds(300), .seconds(2), .seconds(6)])
    }

    func begin() { world.after(world.nanoseconds(0...pause)) { [self] in happen() } }

    /// Ends all faults: servers that are down start.
    func end() {
        isEnding = true
        receiver.failureRate = 0
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
            if let kind { happen(kind.kind) }
        }
        world.after(world.nanoseconds(0...pause)) { [self] in happen() }
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
        case .suffixLoss: log?.lose(1 + world.index(below: 4))
        case .vanishing: pickReader()?.vanish()
        case .stall: pickReader()?.stall(for: world.nanoseconds(.milliseconds(50)...(.seconds(5))))
        case .failingReceiver:
            receiver.failureRate = 0.6
            later(within: .seconds(5)) { [receiver] in receiver.failureRate = 0 }
        }
    }

    private func pickReader() -> StreamReader? { readers.isEmpty ? nil : world.pick(readers) }

    private func kill(_ server: SimulatedServer) {
        if server.disk != nil, world.happens(0.5) { return server.killInCommit { [self] in startLater(server) } }
        server.kill()
        startLater(server)
    }

    private func startLater(_ server: SimulatedServer) {
        later(within: .seconds(2)) { [self] in
            if !server.isUp, !isEnding { server.start() }
        }
    }

    private func later(within time: Int64, _ act: @escaping () -> Void) {
        world.after(world.nanoseconds(0...time), act)
    }
}
