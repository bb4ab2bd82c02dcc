// The thread that takes connections in and gives them to the workers. The library could accept by itself, but knows nothing of
// whose connections are how many, and of who makes room; and each worker would be woken for each client.

import Base
import CLinux
import CMicroHTTPD
import Glibc
import OperatingSystem
import Synchronization

/// A listening socket with a thread of its own, which holds back while there are as many connections as may be.
final class Acceptor: @unchecked Sendable {
    // @unchecked because: `thread` and `listening` are changed by the owner's `start` and `stop` alone, in order, and not while
    // the thread runs.

    /// Connections that may wait in the kernel.
    private static let backlog: Int32 = 4_096
    /// Bytes of an answer that may wait in the kernel, beyond what is under way to the client: two portions of a long one,
    /// so that the next is made while one leaves. The kernel would take megabytes for a client that reads nothing.
    private static let unsentLimit: Int32 = 32 * 1_024
    /// Milliseconds without accepting when there is no room or no descriptor.
    private static let exhaustedPause: Int32 = 20
    /// Milliseconds between two looks at who is late.
    private static let lateCheck: Int32 = 1_000
    /// The most that are looked at then, and milliseconds until the next such look while there are more: the library
    /// closes what is ended at once, and others' requests wait for that.
    private static let lateAtOnce = 64
    private static let lateCheckSoon: Int32 = 20
    /// Nanoseconds that a connection may wait for a request before it has to make room for another; less where more wait than
    /// there are places: a probe that comes behind them is answered within a second.
    private static let undisturbed: ClosedRange<Int64> = 20_000_000...300_000_000
    /// The most connections that make room at a time, and no more than wait for it: one that went for nobody went in vain, and
    /// the table is held meanwhile, once through for each.
    private static let displacedAtOnce = 16
    /// The most clients that are turned away before others are looked at: one that comes without end holds nothing up.
    private static let refusedAtOnce = 256

    let port: UInt16
    /// Nil once it is closed.
    private var listening: Descriptor?
    private let wakeUp: Descriptor
    private let room: @Sendable () -> Int
    private let connections: Connections
    private let certificates: Certificates?
    private let headLimit: Int
    /// New connections a second of one owner; 0 for no limit.
    private let rate: Int
    /// What a client's address counts as.
    private let owner: @Sendable (String) -> String?
    private let isStopping = Atomic(false)
    /// Somebody handed the socket over, and has it as well.
    private let isGiven: Bool
    /// Others listen on the socket as well, or will.
    private let isShared: Atomic<Bool>
    private let isHoldingBack = Atomic(false)
    private let held = Atomic<Int>(0)
    private var thread: OwnedThread?

    /// Listens; connections wait in the kernel until `start`.
    init(
        _ address: SocketAddress, _ configuration: HTTPServerConfiguration, connections: Connections
    ) throws(TransportError) {
        owner = configuration.owner
        rate = configuration.connectionRate
        room = configuration.connectionRoom ?? { [limit = configuration.connectionLimit] in limit }
        certificates = configuration.certificates
        headLimit = configuration.headLimit
        self.connections = connections
        isGiven = configuration.listener != nil
        isShared = Atomic(isGiven)
        guard let wakeUp = Descriptor(owning: tweencast_eventfd()) else { throw .failed(code: errno) }
        self.wakeUp = wakeUp
        let listening = try Self.listening(on: address, configuration)
        // What is accepted inherits it.
        var unsentLimit = Self.unsentLimit
        unsafe setsockopt(
            listening.number, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsentLimit,
            socklen_t(MemoryLayout<Int32>.size))
        port = tweencast_bound_port(listening.number)
        self.listening = consume listening
    }

    /// The socket that was handed over, or one of its own.
    private static func listening(
        on address: SocketAddress, _ configuration: HTTPServerConfiguration
    ) throws(TransportError) -> Descriptor {
        if let box = configuration.listener {
            guard let given = box.take() else { throw .failed(code: EBADF) }
            let code = tweencast_adopt_listener(given.number, backlog)
            guard code >= 0 else { throw .failed(code: -code) }
            return given
        }
        let opened = unsafe address.withPointer {
            unsafe tweencast_listen($0, address.takesBothFamilies ? 1 : 0, backlog)
        }
        guard let listening = Descriptor(owning: opened) else {
            switch -opened {
            case EADDRINUSE: throw .addressInUse
            case EADDRNOTAVAIL: throw .badAddress(configuration.host)
            default: throw .failed(code: -opened)
            }
        }
        return listening
    }

    /// Connections that the library holds, those on their way to it included; those lent to streams are none.
    var connectionCount: Int { held.load(ordering: .sequentiallyConsistent) - connections.lentCount }

    /// The most connections for now.
    var limit: Int { max(1, room()) }

    /// Begins to accept.
    /// - Returns: false when no thread can be started.
    /// - Parameter workers: Those that get the clients.
    func start(_ workers: [Worker]) -> Bool {
        let started = OwnedThread(name: "accept") { [self] in run(workers) }
        guard started.start() else { return false }
        thread = started
        return true
    }

    /// A duplicate of the listening socket, for another process; nil where there is none to be had.
    func share() -> Descriptor? {
        guard let shared = listening?.duplicate() else { return nil }
        isShared.store(true, ordering: .releasing)
        return shared
    }

    /// Nobody else has it after all.
    func keep() { isShared.store(isGiven, ordering: .releasing) }

    /// Takes in what already waits, but for what others take in, then closes the listening socket. No connection reaches a
    /// worker afterwards.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        tweencast_signal(wakeUp.number)
        thread?.join()
        thread = nil
        listening = nil
    }

    /// The library has a connection. On a worker.
    /// - Parameters:
    ///   - owner: Whose it is; nil where that isn't counted.
    ///   - traffic: Told when its session comes further.
    func began(_ connection: Connection, of owner: String?, _ traffic: SessionTraffic) -> ConnectionRecord {
        let descriptor = connection.descriptor
        let intake = connection.session.map { session in
            let intake = TLSIntake(descriptor, headLimit: headLimit, traffic)
            session.read(from: intake)
            return intake
        }
        return ConnectionRecord(
            place: connections.insert(descriptor, of: owner), certificates: certificates, intake: intake)
    }

    /// The library lets a connection go and is about to close its descriptor. On any thread.
    func released(_ connection: ConnectionRecord) {
        connections.remove(connection.place)
        lost()
    }

    /// A worker has a client no more. On any thread.
    func lost() {
        held.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if isHoldingBack.load(ordering: .sequentiallyConsistent) { tweencast_signal(wakeUp.number) }
    }

    private func run(_ workers: [Worker]) {
        var rates = RateTable(rate: rate)
        var nextLateCheck = monotonicNow()
        var lateWait = Self.lateCheck
        while !isStopping.load(ordering: .acquiring) {
            let isFull = holdsBack()
            // While there is no connection, only a new one or the end wakes this thread.
            let isIdle = held.load(ordering: .relaxed) == 0
            let isWaitedFor = wait(takesClients: true, milliseconds: isIdle ? -1 : lateWait)
            // What was full may have room by now: a connection that is lent to a stream wakes nobody.
            if isWaitedFor, isFull && connectionCount >= limit || !acceptWaiting(workers, &rates) { makeRoom() }
            if monotonicNow() >= nextLateCheck {
                lateWait = connections.endLate(Self.lateAtOnce) ? Self.lateCheckSoon : Self.lateCheck
                nextLateCheck = monotonicNow() + Int64(lateWait) * 1_000_000
            }
        }
        if !isShared.load(ordering: .acquiring) { _ = acceptWaiting(workers, &rates) }
    }

    /// Somebody waits to be taken in and can't be.
    private func makeRoom() {
        let waiting = max(1, Int(tweencast_waiting_clients(listening?.number ?? -1)))
        let age = Self.undisturbed.upperBound.multipliedSaturated(by: Int64(connectionCount)) / Int64(waiting)
        connections.endOldest(
            min(waiting, Self.displacedAtOnce),
            age: min(max(age, Self.undisturbed.lowerBound), Self.undisturbed.upperBound))
        // Until one is let go, which wakes this thread, or until somebody has waited long enough.
        _ = wait(takesClients: false, milliseconds: Self.exhaustedPause)
    }

    /// Whether there are as many connections as may be; from then on `released` wakes this thread.
    private func holdsBack() -> Bool {
        isHoldingBack.store(true, ordering: .sequentiallyConsistent)
        if connectionCount >= limit { return true }
        isHoldingBack.store(false, ordering: .relaxed)
        return false
    }

    /// - Returns: false when the process or the system has no descriptor or memory to give.
    private func acceptWaiting(_ workers: [Worker], _ rates: inout RateTable) -> Bool {
        var refused = 0
        while connectionCount < limit, refused < Self.refusedAtOnce {
            let client: Client
            do throws(TransportError) {
                client = try Client(from: listening?.number ?? -1)
            } catch {
                // Any other error is that of one client, which went before it was taken.
                if error == .failed(code: EAGAIN) { return true }
                if Self.exhaustion.contains(error) { return false }
                continue
            }
            let owner = owner(client.address)
            if mayConnect(owner, &rates) {
                held.wrappingAdd(1, ordering: .sequentiallyConsistent)
                workers[client.number % workers.count].add(Arrival(client: client, owner: owner))
            } else {
                // Before the library makes anything of it: a handshake costs more than all that a connection may ask for.
                connections.hasty.wrappingAdd(1, ordering: .relaxed)
                refused += 1
            }
        }
        return true
    }

    /// What accepting fails by when the process or the system has nothing to give, or there is no socket.
    private static let exhaustion = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EINVAL, EBADF].map(TransportError.failed)

    private func mayConnect(_ owner: String?, _ rates: inout RateTable) -> Bool {
        guard rate > 0, let owner else { return true }
        return rates.take(1, of: owner, at: monotonicNow()) == nil
    }

    /// - Returns: Whether a client waits to be taken in.
    private func wait(takesClients: Bool, milliseconds: Int32) -> Bool {
        var waits = [pollfd(fd: wakeUp.number, events: Int16(POLLIN), revents: 0)]
        if takesClients { waits.append(pollfd(fd: listening?.number ?? -1, events: Int16(POLLIN), revents: 0)) }
        guard unsafe poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return false }
        if waits[0].revents != 0 { tweencast_clear(wakeUp.number) }
        return waits.dropFirst().contains { $0.revents != 0 }
    }
}
