// The thread that accepts connections and passes them to the workers. The library's own accept knows nothing of the number
// of connections per owner or of making room, and it would wake every worker for each client.

import Base
import CLinux
import CMicroHTTPD
import Glibc
import OperatingSystem
import Synchronization

/// A listening socket with its own thread. It stops accepting while the connection limit is reached.
final class Acceptor: @unchecked Sendable {
    // @unchecked because: only the owner's `start` and `stop` change `thread` and `listening`, in order, and not while the
    // thread runs.

    /// Connections that may wait in the kernel.
    private static let backlog: Int32 = 4_096
    /// Bytes of an answer that the kernel may buffer beyond what is in flight: two portions of a long body, so that the next
    /// is made while one is sent. By default the kernel would buffer megabytes for a client that reads nothing.
    private static let unsentLimit: Int32 = 32 * 1_024
    /// Milliseconds without accepting when there is no room or no descriptor.
    private static let exhaustedPause: Int32 = 20
    /// Milliseconds between two checks for late connections.
    private static let lateCheck: Int32 = 1_000
    /// The most late connections ended per check, and milliseconds until the next check while there are more. The library
    /// closes ended connections at once, which delays the requests of others.
    private static let lateAtOnce = 64
    private static let lateCheckSoon: Int32 = 20
    /// Nanoseconds that a connection may wait for a request before it must make room. Shorter when more clients wait than
    /// there are connections, so that a health probe behind them is answered within a second.
    private static let undisturbed: ClosedRange<Int64> = 20_000_000...300_000_000
    /// The most connections that make room at a time, and never more than there are waiting clients: others would end for
    /// nothing. Each takes a pass over the table, which is locked meanwhile.
    private static let displacedAtOnce = 16
    /// The most clients rejected per turn, so that a client that connects endlessly doesn't block the thread's other work.
    private static let refusedAtOnce = 256

    let port: UInt16
    /// Nil after it was closed.
    private var listening: Descriptor?
    private let wakeUp: Descriptor
    private let room: @Sendable () -> Int
    private let connections: Connections
    private let certificates: Certificates?
    private let headLimit: Int
    /// New connections per second of one owner; 0 for no limit.
    private let rate: Int
    /// The owner that a client's address counts for.
    private let owner: @Sendable (String) -> String?
    private let isStopping = Atomic(false)
    /// Another process passed the socket and still holds it.
    private let isGiven: Bool
    /// Other processes listen on the socket too, or will.
    private let isShared: Atomic<Bool>
    private let isHoldingBack = Atomic(false)
    private let held = Atomic<Int>(0)
    private var thread: OwnedThread?

    /// Opens the listening socket. Connections wait in the kernel until `start`.
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
        // Accepted sockets inherit both. A stream needs the second, and would set it itself otherwise.
        StreamSocket.set(listening.number, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.unsentLimit)
        StreamSocket.set(listening.number, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        port = tweencast_bound_port(listening.number)
        self.listening = consume listening
    }

    /// Returns the socket that was passed in, or opens a new one.
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

    /// Connections held by the library or on their way to it, without those lent to streams.
    var connectionCount: Int { held.load(ordering: .sequentiallyConsistent) - connections.lentCount }

    /// The current connection limit.
    var limit: Int { max(1, room()) }

    /// Starts to accept connections.
    /// - Parameter workers: The workers that get the clients.
    /// - Returns: false when no thread can be started.
    func start(_ workers: [Worker]) -> Bool {
        let started = OwnedThread(name: "accept") { [self] in run(workers) }
        guard started.start() else { return false }
        thread = started
        return true
    }

    /// Returns a duplicate of the listening socket for another process; nil if there is no descriptor left.
    func share() -> Descriptor? {
        guard let shared = listening?.duplicate() else { return nil }
        isShared.store(true, ordering: .releasing)
        return shared
    }

    /// Undoes `share`: no other process uses the socket.
    func keep() { isShared.store(isGiven, ordering: .releasing) }

    /// Accepts the waiting clients, unless other processes share the socket, then closes it. No connection reaches a worker
    /// afterwards.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        tweencast_signal(wakeUp.number)
        thread?.join()
        thread = nil
        listening = nil
    }

    /// Records a connection that the library has taken. Runs on its worker.
    /// - Parameters:
    ///   - arrival: What it was before; nil if unknown.
    ///   - traffic: Receives the progress of its TLS session.
    func began(_ connection: Connection, as arrival: Arrival?, _ traffic: SessionTraffic) -> ConnectionRecord {
        let descriptor = connection.descriptor
        let intake = connection.session.map { session in
            let intake = TLSIntake(descriptor, headLimit: headLimit, traffic)
            session.read(from: intake)
            return intake
        }
        return ConnectionRecord(
            place: connections.insert(descriptor, of: arrival?.owner), address: arrival?.address ?? "",
            certificates: certificates, intake: intake)
    }

    /// Records that the library is about to close a connection's descriptor. Any thread may call this.
    func released(_ connection: ConnectionRecord) {
        connections.remove(connection.place)
        lost()
    }

    /// Records that a worker no longer has a client. Any thread may call this.
    func lost() {
        held.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if isHoldingBack.load(ordering: .sequentiallyConsistent) { tweencast_signal(wakeUp.number) }
    }

    private func run(_ workers: [Worker]) {
        var rates = RateTable(rate: rate)
        var nextLateCheck = monotonicNow()
        var lateWait = Self.lateCheck
        var peak = ConnectionPeak()
        while !isStopping.load(ordering: .acquiring) {
            let isFull = holdsBack()
            // Without connections, and memory of theirs, only a new one or the stop wakes this thread.
            let isIdle = held.load(ordering: .relaxed) == 0 && !peak.isHigh
            let isWaitedFor = wait(takesClients: true, milliseconds: isIdle ? -1 : lateWait)
            // There may be room by now: lending a connection to a stream wakes no thread.
            if isWaitedFor, isFull && connectionCount >= limit || !acceptWaiting(workers, &rates) { makeRoom() }
            peak.rise(to: held.load(ordering: .relaxed))
            if monotonicNow() >= nextLateCheck {
                lateWait = connections.endLate(Self.lateAtOnce) ? Self.lateCheckSoon : Self.lateCheck
                nextLateCheck = monotonicNow() + Int64(lateWait) * 1_000_000
                if peak.hasPassed(at: held.load(ordering: .relaxed)) { tweencast_return_memory() }
            }
        }
        if !isShared.load(ordering: .acquiring) { _ = acceptWaiting(workers, &rates) }
    }

    /// Makes room for waiting clients.
    private func makeRoom() {
        let waiting = max(1, Int(tweencast_waiting_clients(listening?.number ?? -1)))
        let age = Self.undisturbed.upperBound.multipliedSaturated(by: Int64(connectionCount)) / Int64(waiting)
        connections.endOldest(
            min(waiting, Self.displacedAtOnce),
            age: min(max(age, Self.undisturbed.lowerBound), Self.undisturbed.upperBound))
        // Wait for a released connection, which wakes this thread, or for another connection to become old enough.
        _ = wait(takesClients: false, milliseconds: Self.exhaustedPause)
    }

    /// Returns whether the connection limit is reached. If so, `released` wakes this thread.
    private func holdsBack() -> Bool {
        isHoldingBack.store(true, ordering: .sequentiallyConsistent)
        if connectionCount >= limit { return true }
        isHoldingBack.store(false, ordering: .relaxed)
        return false
    }

    /// - Returns: false when the process or the system lacks a descriptor or memory.
    private func acceptWaiting(_ workers: [Worker], _ rates: inout RateTable) -> Bool {
        var refused = 0
        while connectionCount < limit, refused < Self.refusedAtOnce {
            let client: Client
            do throws(TransportError) {
                client = try Client(from: listening?.number ?? -1)
            } catch {
                // Other errors concern one client, which left before it was accepted.
                if error == .failed(code: EAGAIN) { return true }
                if Self.exhaustion.contains(error) { return false }
                continue
            }
            let address = client.address
            let owner = owner(address)
            if mayConnect(owner, &rates) {
                held.wrappingAdd(1, ordering: .sequentiallyConsistent)
                workers[client.number % workers.count].add(Arrival(client: client, address: address, owner: owner))
            } else {
                // Before the library sees it: a TLS handshake costs more than any request on the connection.
                connections.hasty.wrappingAdd(1, ordering: .relaxed)
                refused += 1
            }
        }
        return true
    }

    /// Errors of `accept` when resources run out, or without a socket.
    private static let exhaustion = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EINVAL, EBADF].map(TransportError.failed)

    private func mayConnect(_ owner: String?, _ rates: inout RateTable) -> Bool {
        guard rate > 0, let owner else { return true }
        return rates.consume(1, of: owner, at: monotonicNow()) == nil
    }

    /// - Returns: Whether a client waits to be accepted.
    private func wait(takesClients: Bool, milliseconds: Int32) -> Bool {
        var waits = [pollfd(fd: wakeUp.number, events: Int16(POLLIN), revents: 0)]
        if takesClients { waits.append(pollfd(fd: listening?.number ?? -1, events: Int16(POLLIN), revents: 0)) }
        guard unsafe poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return false }
        if waits[0].revents != 0 { tweencast_clear(wakeUp.number) }
        return waits.dropFirst().contains { $0.revents != 0 }
    }
}
