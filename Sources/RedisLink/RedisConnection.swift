// hiredis, wrapped: a connection that waits for its answers. No pointer leaves this file, and every return code is looked
// at.

import CHiredis
import Conversions
import Glibc
import Synchronization

/// A connection. Used by one thread at a time, but for `interrupt`.
@safe package final class RedisConnection: @unchecked Sendable {
    // @unchecked because: one thread has it at a time, which is what hiredis asks; what others may call is behind a lock.
    /// Nil once it is of no use any more.
    private var context: UnsafeMutablePointer<redisContext>?
    /// The descriptor while it is open, for whoever interrupts.
    private let descriptor = Mutex<Int32?>(nil)
    package let endpoint: RedisEndpoint

    /// Bytes that the reader keeps for the next answer when it is done with one.
    private static let keptBuffer = 64 << 10

    /// Connects, says who asks, and chooses the database.
    /// - Parameter patience: Seconds that connecting, and each answer, may take.
    package init(
        _ endpoint: RedisEndpoint, as credentials: RedisCredentials?, database: Int = 0, patience: Double
    ) throws(RedisError) {
        self.endpoint = endpoint
        _ = Self.ignoresBrokenPipes
        let limit = Self.time(patience)
        let opened =
            switch endpoint {
            case .host(let host, let port): unsafe redisConnectWithTimeout(host, Int32(port), limit)
            case .path(let path): unsafe redisConnectUnixWithTimeout(path, limit)
            }
        guard let opened = unsafe opened else { throw RedisError(.unreachable, "no memory for a connection") }
        unsafe context = unsafe opened
        guard unsafe opened.pointee.err == 0 else { throw failure() }
        let socket = unsafe opened.pointee.fd
        descriptor.withLock { $0 = socket }
        unsafe opened.pointee.reader.pointee.maxbuf = Self.keptBuffer
        if case .host = endpoint {
            unsafe redisEnableKeepAlive(opened)
            var isOn: Int32 = 1
            unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
        try setPatience(patience)
        try introduce(credentials, database)
    }

    deinit { close() }

    /// hiredis writes in a way that ends a process whose peer has gone, unless that signal is ignored.
    private static let ignoresBrokenPipes: Bool = {
        _ = signal(SIGPIPE, SIG_IGN)
        return true
    }()

    private func introduce(_ credentials: RedisCredentials?, _ database: Int) throws(RedisError) {
        if let credentials {
            try call(["AUTH"] + (credentials.user.map { [$0] } ?? []) + [credentials.password])
        }
        if database != 0 { try call(["SELECT", String(database)]) }
        // Only a name in the server's list: one that may not be given is no reason to go without a connection.
        append(["CLIENT", "SETNAME", "tweencast"].map { Array($0.utf8) })
        _ = try receive()
    }

    /// Lets go of the socket.
    package func close() {
        // Nobody interrupts a descriptor that may be another's by then.
        descriptor.withLock { $0 = nil }
        guard let open = unsafe context else { return }
        unsafe context = nil
        unsafe redisFree(open)
    }

    /// Ends what waits for an answer, from any thread. The connection is of no use afterwards.
    package func interrupt() {
        descriptor.withLock { descriptor in
            if let descriptor { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// - Parameter seconds: How long each answer may take from now on.
    package func setPatience(_ seconds: Double) throws(RedisError) {
        guard let open = unsafe context, unsafe redisSetTimeout(open, Self.time(seconds)) == REDIS_OK else {
            throw failure()
        }
    }

    private static func time(_ seconds: Double) -> timeval {
        let microseconds = Int(saturating: seconds * 1e6)
        return timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    }

    // MARK: - Commands

    /// Puts a command behind those that wait to be sent.
    package func append(_ arguments: [[UInt8]]) {
        guard let open = unsafe context else { return }
        let lengths = arguments.map(\.count)
        // One block for all, so that each argument is copied once before the library does.
        let block: [UInt8] = Array(arguments.joined())
        let code = unsafe block.withUnsafeBytes { bytes in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var start = 0
            var places: [UnsafePointer<CChar>?] = unsafe []
            for length in lengths {
                unsafe places.append(base.map { unsafe $0 + start })
                start += length
            }
            return unsafe redisAppendCommandArgv(open, Int32(clamping: lengths.count), &places, lengths)
        }
        if code != REDIS_OK { close() }
    }

    /// Sends what waits, and waits for the next answer.
    /// - Returns: An error that the server answers is an answer, too.
    package func receive() throws(RedisError) -> RedisReply {
        guard let open = unsafe context else { throw RedisError(.unreachable, "the connection is closed") }
        var answer: UnsafeMutableRawPointer?
        guard unsafe redisGetReply(open, &answer) == REDIS_OK, let answer = unsafe answer else { throw failure() }
        defer { unsafe freeReplyObject(answer) }
        return unsafe Self.value(answer.assumingMemoryBound(to: redisReply.self))
    }

    /// Sends a command and waits for its answer.
    /// - Throws: Also an error that the server answers.
    @discardableResult
    package func call(_ arguments: [[UInt8]]) throws(RedisError) -> RedisReply {
        append(arguments)
        let reply = try receive()
        if case .error(let error) = reply { throw error }
        return reply
    }

    @discardableResult
    package func call(_ arguments: [String]) throws(RedisError) -> RedisReply {
        try call(arguments.map { Array($0.utf8) })
    }

    private static func value(_ reply: UnsafeMutablePointer<redisReply>) -> RedisReply {
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_INTEGER: return .integer(Int64(unsafe reply.pointee.integer))
        case REDIS_REPLY_NIL: return .null
        case REDIS_REPLY_STATUS: return .status(String(decoding: unsafe bytes(reply), as: UTF8.self))
        case REDIS_REPLY_STRING: return .bytes(unsafe bytes(reply))
        case REDIS_REPLY_ARRAY:
            let count = unsafe reply.pointee.elements
            return .array(
                (0..<count).map { index in
                    unsafe reply.pointee.element[index].map { unsafe value($0) } ?? .null
                })
        default: return .error(RedisError(reply: String(decoding: unsafe bytes(reply), as: UTF8.self)))
        }
    }

    private static func bytes(_ reply: UnsafeMutablePointer<redisReply>) -> [UInt8] {
        guard let start = unsafe reply.pointee.str else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: reply.pointee.len))
    }

    /// What went wrong last; the connection is of no use any more.
    private func failure() -> RedisError {
        guard let open = unsafe context else { return RedisError(.unreachable, "the connection is closed") }
        let text = unsafe withUnsafeBytes(of: open.pointee.errstr) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let isProtocol = unsafe open.pointee.err == REDIS_ERR_PROTOCOL
        close()
        let cause = text.isEmpty ? "\(endpoint) does not answer" : "\(endpoint): \(text)"
        return RedisError(isProtocol ? .confused : .unreachable, cause)
    }
}
