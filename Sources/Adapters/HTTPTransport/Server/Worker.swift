// A thread that runs one of the library's daemons, and its mailbox. Only this thread calls the library: others post what
// they need, and the thread takes all posts before each of its turns.
//
// A turn is a pass of the library over all that is ready. A request that waits for its answer stays ready (0.9.75: its
// handler returned without queueing anything, which connection.c calls "try again next time"), so one turn sends all answers
// that have come meanwhile. Suspending each would cost two changes of the epoll set, a signal, and a walk over all other
// suspended ones. But while a request waits like this, the library can't tell how long its thread may sleep.

import Base
import CLinux
import Glibc
import OperatingSystem
import Synchronization

/// A client for a worker.
struct Arrival {
    let client: Client
    /// Its address without the port; empty if unknown.
    let address: String
    /// The owner that its address counts for.
    let owner: String?
}

/// A thread that serves requests.
final class Worker: @unchecked Sendable {
    // @unchecked because: only the owner's `start` and `join` touch `thread`, in order; only the worker's own thread touches
    // what is marked below.

    /// Nanoseconds after which a waiting request is suspended; a commit takes less.
    private static let suspensionDelay: Int64 = 20_000_000
    /// Milliseconds until the next turn if the library wants one at once although the last one didn't advance what is known
    /// to be ready: waiting requests, chunk lines that don't fit its memory, and partial handshakes, for whose rest the
    /// library (0.9.75) polls without a pause. Other ready work, such as a head larger than its buffer, is delayed by this
    /// much.
    private static let lookAgain: Int32 = 1

    private enum Status: UInt8, AtomicRepresentable {
        case awake, asleep
        /// Something was posted since the worker last checked.
        case notified
    }

    private struct Mail {
        /// Bounded by the number of connections, like `resumptions`.
        var arrivals: [Arrival] = []
        var resumptions: [Connection] = []
        var isStopping = false
    }

    let requests: RequestServer
    private let acceptor: Acceptor
    private let index: Int
    private let waitingLimit: Int
    /// Whether connections use TLS.
    private let hasSessions: Bool
    private let traffic = SessionTraffic()
    private let wakeUp: Descriptor
    private let mailbox = Mutex(Mail())
    private let status = Atomic(Status.awake)
    private var thread: OwnedThread?

    // Only for the worker's thread.
    /// The last turn's work calls for another one at once.
    private var isBusy = false
    private var now: Int64 = 0
    private var waiting = 0
    /// Incomplete requests.
    private var incomplete: [PendingRequest] = []
    /// Those of them with a chunked body.
    private var watched: [PendingRequest] = []
    /// One of them advanced in this turn, so there may be more to read.
    private var hasRead = false
    var streamHeads = StreamHeadWriter()
    private var arriving: Arrival?
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

    /// Starts to serve.
    func start(_ configuration: HTTPServerConfiguration) throws(TransportError) {
        let daemon = try Daemon(configuration, worker: self)
        let thread = OwnedThread(name: "http-\(index)") { [self] in run(daemon) }
        guard thread.start() else {
            daemon.stop()
            throw .failed(code: EAGAIN)
        }
        self.thread = thread
    }

    /// Posts a client.
    func add(_ arrival: Arrival) {
        mailbox.withLock { $0.arrivals.append(arrival) }
        wake()
    }

    /// Posts a suspended connection to resume.
    func resume(_ connection: Connection) {
        mailbox.withLock { $0.resumptions.append(connection) }
        wake()
    }

    /// Makes the worker take a turn, because answers have come.
    func wake() {
        // A worker that is awake checks before it sleeps.
        if status.exchange(.notified, ordering: .acquiringAndReleasing) == .asleep { tweencast_signal(wakeUp.number) }
    }

    /// Makes the worker close all connections and end. `resume` must have been called for everything suspended.
    func stop() {
        mailbox.withLock { $0.isStopping = true }
        wake()
    }

    /// Waits until it has ended.
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
            if status.exchange(.awake, ordering: .acquiringAndReleasing) == .notified, !receiveMail(for: daemon) {
                break
            }
            now = monotonicNow()
            daemon.runOnce()
            if traffic.hasMoved() || hasRead && !incomplete.isEmpty { isBusy = true }
        }
        daemon.stop()
    }

    /// Waits for sockets, for a wake-up, or for the library's next deadline.
    private func sleep(_ daemon: Daemon) {
        let (isAsleep, _) = status.compareExchange(
            expected: .awake, desired: .asleep, ordering: .acquiringAndReleasing)
        guard isAsleep else { return }
        let timeout = daemon.timeout
        // If the library wants no sleep without anything to do, its memory may be full with a chunk line.
        if timeout == 0 { for pending in watched { requests.endIfStuck(pending) } }
        let isKnown = timeout == 0 && (waiting > 0 || hasSessions || !watched.isEmpty)
        let isWoken = tweencast_await(daemon.descriptor, wakeUp.number, isKnown ? Self.lookAgain : timeout)
        if isWoken != 0 { tweencast_clear(wakeUp.number) }
    }

    /// - Returns: false when the worker must end.
    private func receiveMail(for daemon: Daemon) -> Bool {
        let mail = mailbox.withLock { mailbox in
            defer {
                mailbox.arrivals = []
                mailbox.resumptions = []
            }
            return mailbox
        }
        for arrival in mail.arrivals {
            arriving = arrival
            hasArrived = false
            daemon.add(arrival.client)
            // For a connection that has started, `released` reports its end.
            if !hasArrived { acceptor.lost() }
        }
        arriving = nil
        for connection in mail.resumptions { connection.resume() }
        return !mail.isStopping
    }

    // MARK: - The library's callbacks, on the worker's thread

    /// Records progress of an answer, which the library sends in its next turn.
    func recordAnswer() { isBusy = true }

    /// Records that a request has begun to arrive.
    func beginRequest(_ pending: PendingRequest) {
        unsafe pending.intake.index = incomplete.count
        incomplete.append(pending)
        hasRead = true
    }

    /// Records that a part of a request has arrived.
    func recordArrival() { hasRead = true }

    /// Records that a request has a chunked body.
    func watch(_ pending: PendingRequest) {
        unsafe pending.intake.watchedIndex = watched.count
        watched.append(pending)
    }

    /// Records that a request is complete, or never will be.
    func endRequest(_ pending: PendingRequest) {
        // The last element fills the gap.
        if let last = incomplete.popLast(), last !== pending {
            let index = unsafe pending.intake.index
            incomplete[index] = last
            unsafe last.intake.index = index
        }
        guard let index = unsafe pending.intake.watchedIndex, let last = watched.popLast(), last !== pending else {
            return
        }
        watched[index] = last
        unsafe last.intake.watchedIndex = index
    }

    /// Handles a request that the library is about to reject itself. The library doesn't say which: it is the only one with
    /// a complete head that was not passed on.
    func refuseHead() {
        guard let refused = incomplete.first(where: { unsafe !$0.intake.hasBegun && $0.connection.headSize > 0 }) else {
            return
        }
        requests.refuseHead(of: refused)
    }

    /// Records a connection that the library has taken.
    func began(_ connection: Connection) -> ConnectionRecord {
        hasArrived = true
        return acceptor.began(connection, as: arriving, traffic)
    }

    /// Records that the library is about to close a connection's descriptor.
    func released(_ record: ConnectionRecord) { acceptor.released(record) }

    /// Returns whether a request without an answer may wait without being suspended.
    /// - Parameter since: The start of its wait; nil before.
    func lets(_ since: Int64?) -> Bool {
        since.map { now - $0 < Self.suspensionDelay } ?? (waiting < waitingLimit)
    }

    /// Begins a request's wait.
    /// - Returns: Its start.
    func beginWait() -> Int64 {
        waiting += 1
        return now
    }

    /// Ends a request's wait.
    func endWait() { waiting -= 1 }
}
