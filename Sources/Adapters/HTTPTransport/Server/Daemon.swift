// One of the library's daemons: started, given connections, run, stopped. The one place where its pointer is used.

import Base
import CMicroHTTPD
import Glibc

/// A daemon that its worker runs. It listens to nothing: connections are brought to it.
@safe struct Daemon: @unchecked Sendable {
    // @unchecked because: the worker's thread alone calls it, after whoever started both.
    /// Bytes of a connection's memory for the head of an answer.
    private static let answerMemory = 4 * 1_024
    /// Bytes beyond which the library (0.9.75) takes a connection's memory from the kernel, and so finds zeros there.
    private static let leastMemory = 36 * 1_024

    private let pointer: OpaquePointer
    private let worker: Worker
    /// What hears the library's log.
    private let listener: UnsafeMutablePointer<tweencast_log_listener>
    /// What to wait on.
    let descriptor: Int32

    /// - Parameter worker: Told of all that happens; kept until `stop`.
    init(_ configuration: HTTPServerConfiguration, worker: Worker) throws(TransportError) {
        self.worker = worker
        let hasTLS = configuration.certificates != nil
        // Over TLS streams are connections as well.
        let limit = max(1, configuration.connectionLimit).addingSaturated(hasTLS ? configuration.streamLimit : 0)
        let ciphers = hasTLS ? Certificates.ciphers : ""
        errno = 0
        let context = unsafe Unmanaged.passUnretained(worker).toOpaque()
        let listener = UnsafeMutablePointer<tweencast_log_listener>.allocate(capacity: 1)
        unsafe listener.initialize(to: unsafe tweencast_log_listener(refuses: libraryRefuses, context: context))
        var settings = unsafe tweencast_daemon_settings(
            // The acceptor holds the limit, which is that of all workers together.
            connection_limit: UInt32(clamping: limit),
            connection_memory: max(Self.leastMemory, Self.memory(configuration)),
            timeout_seconds: UInt32(clamping: configuration.timeoutSeconds),
            context: context, completed: requestCompleted,
            connection_changed: connectionChanged, request_line: requestLine, listener: listener,
            certificate: hasTLS ? retrieveCertificate : nil, ciphers: nil)
        let daemon = unsafe ciphers.withCString { text in
            // Read while it starts, and not kept.
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

    /// Bytes of a connection's memory: for the longest head, the most headers, and beside them the head of an answer.
    private static func memory(_ configuration: HTTPServerConfiguration) -> Int {
        let records = configuration.headerLimit.multipliedSaturated(by: TWEENCAST_HEADER_RECORD)
        return configuration.headLimit.addingSaturated(records).addingSaturated(answerMemory)
    }

    /// Takes a client; one that can't be had is closed.
    func add(_ client: Client) { unsafe client.give { unsafe tweencast_add(pointer, $0) } }

    /// Does what can be done without waiting.
    func takeTurn() { unsafe MHD_run(pointer) }

    /// Milliseconds after which the next turn is due though no socket is ready: 0 when something is ready already, -1 for
    /// never.
    var timeout: Int32 { unsafe tweencast_timeout(pointer) }

    /// Closes every connection. None may be suspended that was not resumed.
    func stop() {
        unsafe MHD_stop_daemon(pointer)
        unsafe listener.deallocate()
    }
}
