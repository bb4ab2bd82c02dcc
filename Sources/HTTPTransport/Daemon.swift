// The library's daemon: started, asked, quiesced, stopped. The one place where its pointer is used.

import CMicroHTTPD
import Glibc

/// A running daemon.
@safe struct Daemon: @unchecked Sendable {
    // @unchecked because: the library's daemon functions may be called from any thread; stop is called once.
    private let pointer: OpaquePointer
    private let requests: RequestServer

    /// Starts the workers; they serve `requests`, which is kept until `stop`.
    init(_ configuration: HTTPServerConfiguration, requests: RequestServer) throws(TransportError) {
        let address = try SocketAddress(host: configuration.host, port: configuration.port)
        self.requests = requests
        errno = 0
        let started = unsafe address.withPointer { socketAddress in
            var settings = unsafe tweencast_daemon_settings(
                address: socketAddress, family: address.family.rawValue,
                workers: UInt32(clamping: max(1, configuration.workers)),
                connection_limit: UInt32(clamping: configuration.connectionLimit),
                connection_memory: configuration.connectionMemory,
                timeout_seconds: UInt32(clamping: configuration.timeoutSeconds),
                context: Unmanaged.passUnretained(requests).toOpaque(),
                completed: requestCompleted, unescape: decodeEscapes)
            return unsafe tweencast_start(&settings, handleAccess)
        }
        guard let started = unsafe started else {
            let code = errno
            throw code == EADDRINUSE ? .addressInUse : .failed(code: code)
        }
        unsafe pointer = unsafe started
    }

    var port: UInt16 { unsafe tweencast_port(pointer) }

    var connectionCount: Int { unsafe Int(tweencast_connections(pointer)) }

    /// Stops listening; what is connected goes on. Once only: the library gives its descriptor out again and again.
    /// - Returns: The listening socket, which `stop` closes; the workers may still look at it until then.
    func quiesce() -> Int32? {
        let descriptor = unsafe MHD_quiesce_daemon(pointer)
        guard descriptor >= 0 else { return nil }
        // Not closed yet, but no client waits in its queue any longer.
        shutdown(descriptor, Int32(SHUT_RDWR))
        return descriptor
    }

    /// Closes every connection and joins the workers. No connection may be suspended.
    /// - Parameter descriptor: What `quiesce` returned.
    func stop(closing descriptor: Int32?) {
        unsafe MHD_stop_daemon(pointer)
        if let descriptor { close(descriptor) }
    }
}
