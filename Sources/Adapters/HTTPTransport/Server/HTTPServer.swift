// An HTTP server that starts, reports its port, quiesces and stops.
//
// Order of a stop: the listening socket closes; every waiting request is answered, since the library can't close a suspended
// connection; answers get a moment to be sent; then the workers end and are joined. A stream over TLS keeps its connection
// suspended until its loop returns the session: the stream loops must still run, or have been stopped before.

import Glibc
package import OperatingSystem
import Synchronization

/// An HTTP server on threads that run libmicrohttpd.
package final class HTTPServer: Sendable {
    /// Nanoseconds that a stop waits for answers that are being sent.
    private static let answerGrace: Int64 = 1_000_000_000

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

    /// Starts to listen. Does nothing if the server runs already.
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

    /// Connections held by the library, without streams.
    package var connectionCount: Int {
        running.withLock { $0?.acceptor.connectionCount ?? 0 }
    }

    /// Answers that are being sent.
    package var answersUnderWay: Int { connections.sendingCount }

    /// The current counters of connections.
    package var counters: ConnectionCounters {
        var counters = ConnectionCounters()
        counters.open = connectionCount
        counters.limit = running.withLock { $0?.acceptor.limit } ?? configuration.connectionLimit
        counters.late = connections.late.load(ordering: .relaxed)
        counters.displaced = connections.displaced.load(ordering: .relaxed)
        counters.hasty = connections.hasty.load(ordering: .relaxed)
        counters.bodyBytes = requests.budget.bytes
        counters.unreadBytes = requests.unread.bytes
        return counters
    }

    /// Makes each connection end after its next answer. New connections are still accepted.
    package func closeAfterAnswers() { requests.closeAfterAnswers() }

    /// Returns a duplicate of the listening socket for a successor process, which gets the connections that
    /// then still wait to be accepted. Nil if there is no descriptor left.
    package func share() -> Descriptor? { running.withLock { $0?.acceptor.share() } }

    /// Undoes `share`: no process takes the socket over.
    package func keepSocket() { running.withLock { $0?.acceptor.keep() } }

    /// Accepts the clients that wait, unless another process has the socket, and closes it. Each open connection ends after its
    /// next answer. Blocks until the accept thread has ended.
    package func quiesce() {
        requests.closeAfterAnswers()
        running.withLock { $0?.acceptor.stop() }
    }

    /// Answers all waiting requests, stops, and joins the workers. Don't call it on one of their threads. Waits without a limit
    /// for TLS sessions that stream loops hold: stop the streams first.
    package func stop() {
        quiesce()
        let stopping = running.withLock { handle in
            defer { handle = nil }
            return handle
        }
        guard let stopping else { return }
        requests.answerAll()
        let deadline = monotonicNow() + Self.answerGrace
        // Wait for loans without a limit: stopping the library while a connection is suspended would abort the process.
        while requests.hasLoans || requests.hasRequests && monotonicNow() < deadline { usleep(500) }
        stop(stopping.workers)
    }
}

/// Counters of connections.
package struct ConnectionCounters: Hashable, Sendable {
    package var open = 0
    /// The current connection limit.
    package var limit = 0
    /// Ended because a head or a body arrived too slowly, or an answer was read too slowly.
    package var late: UInt64 = 0
    /// Ended at the limit to make room, while waiting for a request.
    package var displaced: UInt64 = 0
    /// Rejected because their owner connected too often.
    package var hasty: UInt64 = 0
    /// Bytes of arriving request bodies.
    package var bodyBytes = 0
    /// Bytes of answers that wait to be read.
    package var unreadBytes = 0

    package init() {}
}
