// A server: started, asked for its port, quiesced, stopped.
//
// Stopping: the listening socket goes first; then every request that still waits is answered, since the library can't
// close a suspended connection; then answers get a moment to be written; then the workers end and are joined. Streams over
// TLS hold connections suspended: their sockets are shut, and their loops, which run or have let go of all of them, give the
// sessions back.

import Glibc
package import OperatingSystem
import Synchronization

/// An HTTP server on threads that run libmicrohttpd.
package final class HTTPServer: Sendable {
    /// Nanoseconds that answers on their way are waited for at a stop.
    private static let bye: Int64 = 1_000_000_000

    private let configuration: HTTPServerConfiguration
    private let connections: Connections
    private let requests: RequestServer
    private let running = Mutex<Running?>(nil)

    private struct Running {
        var workers: [Worker]
        var acceptor: Acceptor
    }

    package init(configuration: HTTPServerConfiguration, application: any HTTPApplication) {
        self.configuration = configuration
        connections = Connections(configuration.times, perOwner: configuration.connectionsPerOwner)
        requests = RequestServer(application, configuration, connections: connections)
    }

    /// Starts to listen. A server that runs is left as it is.
    /// - Returns: The port listened on.
    package func start() throws(TransportError) -> UInt16 {
        if let known = running.withLock({ $0 }) { return known.acceptor.port }
        requests.open()
        let address = try SocketAddress(host: configuration.host, port: configuration.port)
        let acceptor = try Acceptor(address, configuration, connections: connections)
        let workers = try startWorkers(acceptor)
        guard acceptor.start(workers) else {
            stop(workers)
            throw .failed(code: EAGAIN)
        }
        running.withLock { $0 = Running(workers: workers, acceptor: acceptor) }
        return acceptor.port
    }

    private func startWorkers(_ acceptor: Acceptor) throws(TransportError) -> [Worker] {
        var workers: [Worker] = []
        do throws(TransportError) {
            for index in 0..<max(1, configuration.workers) {
                let worker = try Worker(index, configuration, requests: requests, acceptor: acceptor)
                try worker.start(configuration)
                workers.append(worker)
            }
        } catch {
            stop(workers)
            throw error
        }
        return workers
    }

    private func stop(_ workers: [Worker]) {
        for worker in workers { worker.stop() }
        for worker in workers { worker.join() }
    }

    /// Connections that the library holds; streams are not among them.
    package var connectionCount: Int {
        running.withLock { $0?.acceptor.connectionCount ?? 0 }
    }

    /// What connections did so far.
    package var counters: ConnectionCounters {
        var counters = ConnectionCounters()
        counters.open = connectionCount
        counters.limit = running.withLock { $0?.acceptor.limit } ?? configuration.connectionLimit
        counters.late = connections.late.load(ordering: .relaxed)
        counters.displaced = connections.displaced.load(ordering: .relaxed)
        counters.hasty = connections.hasty.load(ordering: .relaxed)
        counters.bodyBytes = requests.budget.bytes
        return counters
    }

    /// Has each connection end after its next answer; new ones are taken as before.
    package func closeAfterAnswers() { requests.closeAfterAnswers() }

    /// A duplicate of the listening socket, for another process to take over: what waits in it when this server stops is left
    /// to that. Nil where there is none to be had.
    package func share() -> Descriptor? { running.withLock { $0?.acceptor.share() } }

    /// Nobody takes it over after all.
    package func keepSocket() { running.withLock { $0?.acceptor.keep() } }

    /// Closes the listening socket; what is connected goes on, and each connection ends after its next answer.
    package func quiesce() {
        requests.closeAfterAnswers()
        running.withLock { $0?.acceptor.stop() }
    }

    /// Answers every request that waits, stops, and joins the workers. Not from one of their threads.
    package func stop() {
        quiesce()
        let stopping = running.withLock { handle in
            defer { handle = nil }
            return handle
        }
        guard let stopping else { return }
        requests.answerAll()
        let deadline = monotonicNow() + Self.bye
        // For the loans without an end: stopped while a connection is suspended, the library would end the process.
        while requests.hasLoans || requests.hasRequests && monotonicNow() < deadline { usleep(500) }
        stop(stopping.workers)
    }
}

/// What connections did so far.
package struct ConnectionCounters: Hashable, Sendable {
    package var open = 0
    /// Most at once.
    package var limit = 0
    /// Cut off: a head or a body came too slowly, or an answer was taken too slowly.
    package var late: UInt64 = 0
    /// Cut off at the limit, while a request was awaited, to make room for others.
    package var displaced: UInt64 = 0
    /// Turned away: of their owner, too many had come within too short a time.
    package var hasty: UInt64 = 0
    /// Bytes of request bodies under way.
    package var bodyBytes = 0

    package init() {}
}
