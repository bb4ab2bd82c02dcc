// The daemon: started, asked for its port, quiesced, stopped.

import CMicroHTTPD
import Glibc
import Synchronization

/// An HTTP server on libmicrohttpd's own threads.
package final class HTTPServer: Sendable {
    private let configuration: HTTPServerConfiguration
    private let requests: RequestServer
    private let daemon = Mutex<Daemon?>(nil)

    package init(configuration: HTTPServerConfiguration, application: any HTTPApplication) {
        self.configuration = configuration
        requests = RequestServer(application)
    }

    /// Starts to listen.
    /// - Returns: The port listened on.
    package func start() throws(TransportError) -> UInt16 {
        let address = try SocketAddress(host: configuration.host, port: configuration.port)
        let owner = unsafe Unmanaged.passRetained(requests).toOpaque()
        errno = 0
        let started = unsafe address.withPointer { pointer in
            var settings = unsafe tweencast_daemon_settings(
                address: pointer, workers: UInt32(configuration.workers),
                connection_limit: UInt32(configuration.connectionLimit),
                connection_memory: configuration.connectionMemory,
                timeout_seconds: UInt32(configuration.timeoutSeconds), context: owner, completed: requestCompleted)
            return unsafe tweencast_start(&settings, handleAccess)
        }
        let code = errno
        guard let started = unsafe started else {
            unsafe Unmanaged<RequestServer>.fromOpaque(owner).release()
            throw code == EADDRINUSE ? .addressInUse : .failed(code: code)
        }
        let running = unsafe Daemon(started)
        daemon.withLock { $0 = running }
        return running.port
    }

    /// Connections that the library holds; streams are not among them.
    package var connectionCount: Int {
        daemon.withLock { $0?.connectionCount ?? 0 }
    }

    /// Stops and joins the workers. Every exchange must have been answered before: a suspended connection can't be
    /// closed.
    package func stop() {
        let stopping = daemon.withLock { handle in
            defer { handle = nil }
            return handle
        }
        guard let stopping else { return }
        stopping.stop()
        unsafe Unmanaged.passUnretained(requests).release()
    }

    /// Closes the listening socket; what is connected goes on.
    package func quiesce() {
        daemon.withLock { $0?.quiesce() }
    }
}

/// A running daemon.
@safe private struct Daemon: @unchecked Sendable {
    // @unchecked because: the library's daemon functions may be called from any thread; stop is called once.
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    var port: UInt16 { unsafe tweencast_port(pointer) }
    var connectionCount: Int { unsafe Int(tweencast_connections(pointer)) }
    func stop() { unsafe MHD_stop_daemon(pointer) }

    func quiesce() {
        let descriptor = unsafe MHD_quiesce_daemon(pointer)
        if descriptor >= 0 { close(descriptor) }
    }
}

/// An address to listen on.
struct SocketAddress {
    private var storage = sockaddr_storage()

    init(host: String, port: UInt16) throws(TransportError) {
        var four = in_addr()
        var six = in6_addr()
        let name = host == "localhost" ? "127.0.0.1" : host
        if unsafe inet_pton(AF_INET, name, &four) == 1 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = four
            unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
            }
        } else if unsafe inet_pton(AF_INET6, name, &six) == 1 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = six
            unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: bytes) }
            }
        } else {
            throw .badAddress(host)
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}
