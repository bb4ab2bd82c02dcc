// The library's daemon: started, given connections, stopped. The one place where its pointer is used.

import CMicroHTTPD
import Conversions
import Glibc

/// A running daemon. It listens to nothing: an acceptor brings it its connections.
@safe struct Daemon: @unchecked Sendable {
    // @unchecked because: the library's daemon functions may be called from any thread; stop is called once.
    /// Bytes of a connection's memory for the head of an answer.
    private static let answerMemory = 4 * 1_024

    private let pointer: OpaquePointer
    private let requests: RequestServer
    private let acceptor: Acceptor

    /// Starts the workers; they serve `requests`. It and the acceptor are kept until `stop`.
    init(
        _ configuration: HTTPServerConfiguration, requests: RequestServer, acceptor: Acceptor
    ) throws(TransportError) {
        self.requests = requests
        self.acceptor = acceptor
        let workers = max(1, configuration.workers)
        let hasTLS = configuration.certificates != nil
        // Over TLS streams are connections as well.
        let limit = max(1, configuration.connectionLimit).addingSaturated(hasTLS ? configuration.streamLimit : 0)
        let ciphers = hasTLS ? Certificates.ciphers : ""
        errno = 0
        var settings = unsafe tweencast_daemon_settings(
            workers: UInt32(clamping: workers),
            // The acceptor holds the limit; the library divides its own among the workers, which are never filled evenly.
            connection_limit: UInt32(clamping: limit.multipliedSaturated(by: workers)),
            // Beside the head: room to answer it, whatever its size.
            connection_memory: configuration.headLimit.addingSaturated(Self.answerMemory),
            timeout_seconds: UInt32(clamping: configuration.timeoutSeconds),
            context: Unmanaged.passUnretained(requests).toOpaque(), completed: requestCompleted,
            connection_context: Unmanaged.passUnretained(acceptor).toOpaque(), connection_changed: connectionChanged,
            request_line: requestLine, certificate: hasTLS ? retrieveCertificate : nil, ciphers: nil)
        let daemon = unsafe ciphers.withCString { text in
            // Read while it starts, and not kept.
            unsafe settings.ciphers = unsafe text
            return unsafe tweencast_start(&settings, handleAccess)
        }
        guard let started = unsafe daemon else { throw .failed(code: errno) }
        unsafe pointer = unsafe started
    }

    /// Gives a client to a worker.
    /// - Returns: false when it can't be had; it is closed.
    func add(_ client: Client) -> Bool { unsafe client.withPointer { unsafe tweencast_add(pointer, $0) } != 0 }

    /// Closes every connection and joins the workers. No connection may be suspended, and none may be added any more.
    func stop() { unsafe MHD_stop_daemon(pointer) }
}
