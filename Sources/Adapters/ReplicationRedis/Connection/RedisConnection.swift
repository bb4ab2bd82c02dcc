// A connection to one node. hiredis 0.14 connects and reads. Requests are written here, because the library uses write(2),
// whose SIGPIPE would end the process, and copies each request twice.

import CHiredis
import Glibc
import Synchronization

/// A connection, used by one thread at a time. After a failure it stays unusable; its owner makes a new one.
@safe package final class RedisConnection: RedisLink, @unchecked Sendable {
    // @unchecked because: one thread uses it at a time. Only `interrupt` may be called from another thread, and touches only
    // what the mutex guards.
    package let endpoint: RedisEndpoint
    /// Why it is unusable; nil while it works.
    package private(set) var failure: RedisError?
    /// Nil after closing.
    private var context: UnsafeMutablePointer<redisContext>?
    private let socket: Mutex<Socket>
    private let usualTimeout: Duration
    /// Microseconds, as currently set on the socket.
    private var currentTimeout: Int64 = -1
    /// Requests that have not been sent.
    private var output: [UInt8] = []
    /// The number of replies still to come.
    private var expected = 0

    private struct Socket {
        /// Nil after closing, since its number may then belong to another file.
        var descriptor: Int32?
        /// The reason of an interruption, if there was one.
        var interruption: String?
    }

    /// Bytes of buffers kept for reuse.
    private static let keptBytes = 1 << 20

    /// Connects and logs in. The look-up of a host's name may take as long as the system's resolver allows.
    package init(
        to endpoint: RedisEndpoint, _ configuration: RedisConnectionConfiguration = RedisConnectionConfiguration()
    ) throws(RedisError) {
        self.endpoint = endpoint
        usualTimeout = configuration.answerTimeout
        let context = unsafe try Self.open(endpoint, timeout: configuration.connectTimeout.timeout)
        unsafe self.context = unsafe context
        let descriptor = unsafe context.pointee.fd
        socket = Mutex(Socket(descriptor: descriptor))
        // Child processes would keep it open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe tweencast_redis_keep(context, Self.keptBytes)
        if case .tcp = endpoint, unsafe redisEnableKeepAlive(context) != REDIS_OK {
            throw RedisError(.unreachable, "\(endpoint): the socket takes no keep-alive")
        }
        try logIn(configuration)
    }

    deinit { close() }

    /// Ends the current or next `receive` of another thread. Any thread may call this.
    package func interrupt(because reason: String) {
        socket.withLock { socket in
            if socket.interruption == nil { socket.interruption = reason }
            if let descriptor = socket.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the socket. Only for the thread that uses the connection.
    package func close() {
        guard let context = unsafe context else { return }
        if failure == nil { failure = RedisError(.unreachable, "\(endpoint): the connection was closed") }
        unsafe self.context = nil
        output = []
        socket.withLock { socket in
            socket.descriptor = nil
            unsafe redisFree(context)
        }
    }

    /// Queues a request; `receive` sends it. The server buffers the replies to all queued requests until they are received.
    /// - Parameter arguments: The command's name and its arguments; at least one element.
    package func append(_ arguments: [[UInt8]]) {
        guard failure == nil, !arguments.isEmpty else { return }
        expected += 1
        output.append(contentsOf: "*\(arguments.count)\r\n".utf8)
        for argument in arguments {
            output.append(contentsOf: "$\(argument.count)\r\n".utf8)
            output.append(contentsOf: argument)
            output.append(contentsOf: "\r\n".utf8)
        }
    }

    /// Sends the queued requests and waits for the next reply. Replies come in the order of the requests.
    /// - Returns: The reply, which may be an error.
    /// - Throws: `unreachable` and `protocolError`, after which the connection is unusable; `protocolError` also when no
    ///   reply is outstanding.
    package func receive(_ timeout: RedisTimeout) throws(RedisError) -> RedisReply {
        guard expected > 0 || failure != nil else {
            throw RedisError(.protocolError, "\(endpoint): there is no request to be answered")
        }
        let context = unsafe try living()
        try setTimeout(timeout)
        try send()
        var answer: UnsafeMutablePointer<redisReply>?
        var number: Int32 = 0
        let code = unsafe tweencast_redis_receive(context, &answer, &number)
        guard code == REDIS_OK, let answer = unsafe answer else {
            throw die(unsafe context.pointee.err == REDIS_ERR_PROTOCOL ? .protocolError : .unreachable, number)
        }
        defer { unsafe freeReplyObject(answer) }
        expected -= 1
        return unsafe RedisReply(copying: answer)
    }

    /// Sends a single request and waits for its reply.
    /// - Throws: What `receive` throws; an error reply as a `RedisError`.
    package func call(_ arguments: [[UInt8]], _ timeout: RedisTimeout) throws(RedisError) -> RedisReply {
        guard expected == 0 || failure != nil else {
            throw RedisError(.protocolError, "\(endpoint): answers to queued requests are still to come")
        }
        append(arguments)
        return try value(of: receive(timeout))
    }

    // MARK: - Sending and waiting

    private func living() throws(RedisError) -> UnsafeMutablePointer<redisContext> {
        guard failure == nil, let context = unsafe context else {
            throw failure ?? RedisError(.unreachable, "\(endpoint): the connection was closed")
        }
        return unsafe context
    }

    private func send() throws(RedisError) {
        guard !output.isEmpty else { return }
        let descriptor = unsafe try living().pointee.fd
        var sent = 0
        while sent < output.count {
            let (count, number) = unsafe output.withUnsafeBytes { bytes in
                let rest = unsafe bytes.baseAddress.map { unsafe $0 + sent }
                let count = unsafe Glibc.send(descriptor, rest, bytes.count - sent, Int32(MSG_NOSIGNAL))
                return (count, errno)
            }
            if count > 0 {
                sent += count
            } else if number != EINTR {
                throw die(.unreachable, number)
            }
        }
        output.removeAll(keepingCapacity: output.capacity <= Self.keptBytes)
    }

    private func setTimeout(_ timeout: RedisTimeout) throws(RedisError) {
        let timeout: Int64 =
            switch timeout {
            case .usual: usualTimeout.timeout
            case .atMost(let duration): duration.timeout
            case .endless: 0
            }
        guard timeout != currentTimeout else { return }
        guard unsafe tweencast_redis_set_timeout(try living(), timeout) == REDIS_OK else {
            throw die(.unreachable, errno)
        }
        currentTimeout = timeout
    }

    /// - Parameter number: The errno if a system call failed.
    private func die(_ code: RedisError.Code, _ number: Int32) -> RedisError {
        let reason: String
        if let interruption = socket.withLock({ $0.interruption }) {
            reason = interruption
        } else if number == EAGAIN {
            reason = "no answer within \(Double(currentTimeout) / 1e6) s"
        } else if let context = unsafe context, unsafe context.pointee.err != 0 {
            reason = unsafe String(cString: tweencast_redis_reason(context))
        } else {
            reason = unsafe String(cString: strerror(number))
        }
        let error = RedisError(code, "\(endpoint): \(reason)")
        failure = error
        close()
        return error
    }
}
