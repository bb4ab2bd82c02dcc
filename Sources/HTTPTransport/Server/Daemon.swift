// One of the library's daemons: started, given connections, run, stopped. The one place where its pointer is used.

import CMicroHTTPD
import Conversions
import Glibc

/// A daemon that its worker runs. It listens to nothing: connections are brought to it.
@safe struct Daemon: @unchecked Sendable {
    // @unchecked because: the worker's thread alone calls it, after whoever started both.
    /// Bytes of a connection's memory for the head of an answer.
    private static let answerMemory = 4 * 1_024

    private let pointer: OpaquePointer
    private let worker: Worker
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
        var settings = unsafe tweencast_daemon_settings(
            // The acceptor holds the limit, which is that of all workers together.
            connection_limit: UInt32(clamping: limit),
            // Beside the head: room to answer it, whatever its size.
            connection_memory: configuration.headLimit.addingSaturated(Self.answerMemory),
            timeout_seconds: UInt32(clamping: configuration.timeoutSeconds),
            context: Unmanaged.passUnretained(worker).toOpaque(), completed: requestCompleted,
            connection_changed: connectionChanged, request_line: requestLine,
            certificate: hasTLS ? retrieveCertificate : nil, ciphers: nil)
        let daemon = unsafe ciphers.withCString { text in
            // Read while it starts, and not kept.
            unsafe settings.ciphers = unsafe text
            return unsafe tweencast_start(&settings, handleAccess)
        }
        guard let started = unsafe daemon else { throw .failed(code: errno) }
        unsafe pointer = unsafe started
        descriptor = unsafe tweencast_wait_descriptor(started)
    }

    /// Takes a client; one that can't be had is closed.
    func add(_ client: Client) { unsafe client.give { unsafe tweencast_add(pointer, $0) } }

    /// Does what can be done without waiting.
    func takeTurn() { unsafe MHD_run(pointer) }

    /// Milliseconds after which the next turn is due though no socket is ready: 0 when something is ready already, -1 for
    /// never.
    var timeout: Int32 { unsafe tweencast_timeout(pointer) }

    /// Closes every connection. None may be suspended that was not resumed.
    func stop() { unsafe MHD_stop_daemon(pointer) }
}
