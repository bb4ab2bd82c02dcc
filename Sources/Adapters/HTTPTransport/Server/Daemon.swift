// One of the library's daemons: starts, gets connections, runs, stops. Its pointer is only used here.

import Base
import CMicroHTTPD
import Glibc

/// A daemon that its worker runs. It doesn't listen; the worker adds connections.
@safe struct Daemon: @unchecked Sendable {
    // @unchecked because: only the worker's thread calls it, once both have started.
    /// Bytes of a connection's memory reserved for the head of an answer.
    private static let answerMemory = 4 * 1_024
    /// The least memory of a connection. It is also the most that the library (0.9.75) gets from `malloc()`: for more it asks
    /// the kernel, for each connection, which doubles the time of a connection's beginning and end.
    private static let leastMemory = 32 * 1_024

    private let pointer: OpaquePointer
    private let worker: Worker
    /// Receives the library's log.
    private let listener: UnsafeMutablePointer<tweencast_log_listener>
    /// The descriptor to wait on.
    let descriptor: Int32

    /// - Parameter worker: Gets all callbacks; retained until `stop`.
    init(_ configuration: HTTPServerConfiguration, worker: Worker) throws(TransportError) {
        self.worker = worker
        let hasTLS = configuration.certificates != nil
        // Over TLS, streams are connections of the library too.
        let limit = max(1, configuration.connectionLimit).addingSaturated(hasTLS ? configuration.streamLimit : 0)
        let ciphers = hasTLS ? Certificates.ciphers : ""
        errno = 0
        let context = unsafe Unmanaged.passUnretained(worker).toOpaque()
        let listener = UnsafeMutablePointer<tweencast_log_listener>.allocate(capacity: 1)
        unsafe listener.initialize(to: unsafe tweencast_log_listener(refuses: libraryRefuses, context: context))
        var settings = unsafe tweencast_daemon_settings(
            // The acceptor enforces the limit, which applies to all workers together.
            connection_limit: UInt32(clamping: limit),
            connection_memory: Self.memory(configuration),
            timeout_seconds: UInt32(clamping: configuration.timeoutSeconds),
            context: context, completed: requestCompleted,
            connection_changed: connectionChanged, request_line: requestLine, listener: listener,
            certificate: hasTLS ? retrieveCertificate : nil, ciphers: nil)
        let daemon = unsafe ciphers.withCString { text in
            // Only read during the start.
            unsafe settings.ciphers = unsafe text
            return unsafe tweencast_start(&settings, handleAccess)
        }
        guard let started = unsafe daemon else {
            let code = errno
            unsafe listener.deallocate()
            throw .failed(code: code)
        }
        unsafe pointer = unsafe started
        unsafe self.listener = unsafe listener
        descriptor = unsafe tweencast_wait_descriptor(started)
    }

    /// Returns the bytes of a connection's memory: for the longest head, the most headers, and the head of an answer.
    static func memory(_ configuration: HTTPServerConfiguration) -> Int {
        let records = configuration.headerLimit.multipliedSaturated(by: TWEENCAST_HEADER_RECORD)
        return max(leastMemory, configuration.headLimit.addingSaturated(records).addingSaturated(answerMemory))
    }

    /// Adds a client; closes it on failure.
    func add(_ client: Client) { unsafe client.give { unsafe tweencast_add(pointer, $0) } }

    /// Does all work that needs no waiting.
    func runOnce() { unsafe MHD_run(pointer) }

    /// Milliseconds until the next turn is due without a ready socket: 0 when something is ready already, -1 for never.
    var timeout: Int32 { unsafe tweencast_timeout(pointer) }

    /// Closes all connections. Every suspended one must have been resumed before.
    func stop() {
        unsafe MHD_stop_daemon(pointer)
        unsafe listener.deallocate()
    }
}
