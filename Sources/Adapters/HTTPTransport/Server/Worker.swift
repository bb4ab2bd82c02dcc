// A thread that runs one of the library's daemons, and what others may ask of it. The library is called by this thread
// alone: what others have for it they post, and it takes all that was posted before each of its turns.
//
// A turn is a pass of the library over all that is ready. A request that waits for its answer stays ready (0.9.75: its
// handler returned and queued nothing, which connection.c calls "try again next time"), so that one turn answers all whose
// answers have come meanwhile: suspended, each would have cost two changes of the epoll set, a signal, and a walk over all
// others that are suspended. As long as one waits so, though, the library can't tell how long its thread may sleep.

import Base
import CLinux
import Glibc
import OperatingSystem
import Synchronization

/// A client on its way to a worker.
struct Arrival {
    let client: Client
    /// What its address counts as.
    let owner: String?
}

/// A thread of requests.
final class Worker: @unchecked Sendable {
    // @unchecked because: `thread` is touched by the owner's `start` and `join` alone, in order; what is marked below by the
    // worker's own thread alone.

    /// Nanoseconds after which a request that waits is suspended: a commit takes less.
    private static let patience: Int64 = 20_000_000
    /// Milliseconds until the next turn where the library wants one at once, and what is known to be ready came no further in
    /// the last one: requests that wait, lines of chunks for which there is no memory, and half a handshake, for the rest of
    /// which the library (0.9.75) asks without a pause. What it had besides, and nobody was told of, comes so much later: a head that its buffer doesn't hold at once.
    private static let lookAgain: Int32 = 1

    private enum Status: UInt8, AtomicRepresentable {
        case awake, asleep
        /// Something was posted since the worker last looked.
        case notified
    }

    private struct Mail {
        /// At most as many as there may be connections, as of the next.
        var arrivals: [Arrival] = []
        var resumptions: [Connection] = []
        var isStopping = false
    }

    let requests: RequestServer
    private let acceptor: Acceptor
    private let index: Int
    private let waitingLimit: Int
    /// Whether connections have TLS sessions.
    private let hasSessions: Bool
    private let traffic = SessionTraffic()
    private let wakeUp: Descriptor
    private let mailbox = Mutex(Mail())
    private let status = Atomic(Status.awake)
    private var thread: OwnedThread?

    // The worker's thread alone.
    /// What the last turn did calls for another one at once.
    private var isBusy = false
    private var now: Int64 = 0
    private var waiting = 0
    /// Requests that are not complete.
    private var incomplete: [PendingRequest] = []
    /// Those of them whose body comes in chunks.
    private var watched: [PendingRequest] = []
    /// One of them came further in this turn: there may be more of it to read.
    private var hasRead = false
    private var arriving: String?
    private var hasArrived = false

    init(
        _ index: Int, _ configuration: HTTPServerConfiguration, requests: RequestServer, acceptor: Acceptor
    ) throws(TransportError) {
        self.index = index
        waitingLimit = configuration.waitingLimit
        hasSessions = configuration.certificates != nil
        self.requests = requests
        self.acceptor = acceptor
        guard let wakeUp = Descriptor(owning: tweencast_eventfd()) else { throw .failed(code: errno) }
        self.wakeUp = wakeUp
    }

    // MARK: - Any thread

    /// Begins to serve.
    func start(_ configuration: HTTPServerConfiguration) throws(TransportError) {
        let daemon = try Daemon(configuration, worker: self)
        let thread = OwnedThread(name: "http-\(index)") { [self] in run(daemon) }
        guard thread.start() else {
            daemon.stop()
            throw .failed(code: EAGAIN)
        }
        self.thread = thread
    }

    /// Gives it a client.
    func add(_ arrival: Arrival) {
        mailbox.withLock { $0.arrivals.append(arrival) }
        wake()
    }

    /// Has it resume a connection that is suspended.
    func resume(_ connection: Connection) {
        mailbox.withLock { $0.resumptions.append(connection) }
        wake()
    }

    /// Has it take a turn: answers have come.
    func wake() {
        // One that is awake looks before it sleeps.
        if status.exchange(.notified, ordering: .acquiringAndReleasing) == .asleep { tweencast_signal(wakeUp.number) }
    }

    /// Has it close every connection and end. What is suspended must have been resumed, by `resume`, before.
    func stop() {
        mailbox.withLock { $0.isStopping = true }
        wake()
    }

    /// Waits for its end.
    func join() {
        thread?.join()
        thread = nil
    }

    // MARK: - The worker's thread

    private func run(_ daemon: Daemon) {
        while true {
            if !isBusy { sleep(daemon) }
            isBusy = false
            hasRead = false
            if status.exchange(.awake, ordering: .acquiringAndReleasing) == .notified, !takeMail(for: daemon) { break }
            now = monotonicNow()
            daemon.takeTurn()
            if traffic.hasMoved() || hasRead && !incomplete.isEmpty { isBusy = true }
        }
        daemon.stop()
    }

    /// Waits for sockets, for whoever wakes it, or until the library has to look at a deadline.
    private func sleep(_ daemon: Daemon) {
        let (isAsleep, _) = status.compareExchange(
            expected: .awake, desired: .asleep, ordering: .acquiringAndReleasing)
        guard isAsleep else { return }
        let timeout = daemon.timeout
        // It wants no sleep where it has nothing to wait for: its memory for a line may be full.
        if timeout == 0 { for pending in watched { requests.endIfStuck(pending) } }
        let isKnown = timeout == 0 && (waiting > 0 || hasSessions || !watched.isEmpty)
        let isWoken = tweencast_await(daemon.descriptor, wakeUp.number, isKnown ? Self.lookAgain : timeout)
        if isWoken != 0 { tweencast_clear(wakeUp.number) }
    }

    /// - Returns: false when the end has come.
    private func takeMail(for daemon: Daemon) -> Bool {
        let mail = mailbox.withLock { mailbox in
            defer {
                mailbox.arrivals = []
                mailbox.resumptions = []
            }
            return mailbox
        }
        for arrival in mail.arrivals {
            arriving = arrival.owner
            hasArrived = false
            daemon.add(arrival.client)
            // One that did begin is told of when it is let go.
            if !hasArrived { acceptor.lost() }
        }
        for connection in mail.resumptions { connection.resume() }
        return !mail.isStopping
    }

    // MARK: - The library's callbacks, on the worker's thread

    /// An answer came further, which the library sends with its next turn.
    func recordAnswer() { isBusy = true }

    /// A request has begun to arrive.
    func beginRequest(_ pending: PendingRequest) {
        unsafe pending.intake.place = incomplete.count
        incomplete.append(pending)
        hasRead = true
    }

    /// Something of a request has arrived.
    func recordArrival() { hasRead = true }

    /// A request's body comes in chunks.
    func watch(_ pending: PendingRequest) {
        unsafe pending.intake.watchedPlace = watched.count
        watched.append(pending)
    }

    /// A request is complete, or won't ever be.
    func endRequest(_ pending: PendingRequest) {
        // The last of a list takes the place of the one that leaves it.
        if let last = incomplete.popLast(), last !== pending {
            let place = unsafe pending.intake.place
            incomplete[place] = last
            unsafe last.intake.place = place
        }
        guard let place = unsafe pending.intake.watchedPlace, let last = watched.popLast(), last !== pending else {
            return
        }
        watched[place] = last
        unsafe last.intake.watchedPlace = place
    }

    /// The library is about to answer a request by itself. It doesn't say which one; it is told here where the head is
    /// complete and was not shown, which is so of none but that.
    func refuseHead() {
        guard let refused = incomplete.first(where: { unsafe !$0.intake.hasBegun && $0.connection.headSize > 0 }) else {
            return
        }
        requests.refuseHead(of: refused)
    }

    /// The library has a connection.
    func began(_ connection: Connection) -> ConnectionRecord {
        hasArrived = true
        return acceptor.began(connection, of: arriving, traffic)
    }

    /// The library lets a connection go and is about to close its descriptor.
    func released(_ record: ConnectionRecord) { acceptor.released(record) }

    /// A request has no answer yet.
    /// - Parameter since: When it began to wait; nil before.
    /// - Returns: Whether it may go on waiting, or begin to, without being suspended.
    func lets(_ since: Int64?) -> Bool {
        since.map { now - $0 < Self.patience } ?? (waiting < waitingLimit)
    }

    /// A request begins to wait.
    /// - Returns: When.
    func beginWait() -> Int64 {
        waiting += 1
        return now
    }

    /// A request waits no more.
    func endWait() { waiting -= 1 }
}
