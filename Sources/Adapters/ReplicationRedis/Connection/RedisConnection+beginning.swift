// Establishes a connection: the socket, the login, the database.

import CHiredis

extension RedisConnection {
    /// - Parameter timeout: Microseconds, for each address of a host.
    static func open(_ endpoint: RedisEndpoint, timeout: Int64) throws(RedisError) -> UnsafeMutablePointer<redisContext>
    {
        var reason: UnsafePointer<CChar>?
        let opened =
            switch endpoint {
            case .tcp(let host, let port):
                unsafe tweencast_redis_connect(host, "\(port)", Int32(port), timeout, &reason)
            case .unix(let path): unsafe tweencast_redis_connect_unix(path, timeout)
            }
        guard let context = unsafe opened else {
            throw RedisError(
                .unreachable, "\(endpoint): \(unsafe reason.map { unsafe String(cString: $0) } ?? "out of memory")")
        }
        guard unsafe context.pointee.err == 0 else {
            defer { unsafe redisFree(context) }
            throw RedisError(.unreachable, "\(endpoint): \(unsafe String(cString: tweencast_redis_reason(context)))")
        }
        return unsafe context
    }

    /// Logs in, with one round trip for all commands.
    func logIn(_ configuration: RedisConnectionConfiguration) throws(RedisError) {
        if let credentials = configuration.credentials {
            append((["AUTH"] + [credentials.user].compactMap { $0 } + [credentials.password]).map { Array($0.utf8) })
        }
        if configuration.database != 0 { append("SELECT", "\(configuration.database)") }
        append("CLIENT", "SETNAME", "tweencast")
        if let credentials = configuration.credentials { try checkLogin(receive(), credentials) }
        if configuration.database != 0 { try checkDatabase(receive()) }
        // The name only helps someone inspecting the server. A user without the right to set it may have all others.
        if case .error(let text) = try receive() {
            let error = RedisError(reply: text, from: endpoint)
            if error.code == .unreachable { throw error }
        }
    }

    private func checkLogin(_ reply: RedisReply, _ credentials: RedisCredentials) throws(RedisError) {
        guard case .error(let text) = reply else { return }
        // A server that doesn't know the command quotes its arguments.
        let hidden = credentials.password.isEmpty ? text : text.replacing(credentials.password, with: "***")
        let error = RedisError(reply: hidden, from: endpoint)
        // `ERR invalid password` and other messages of older versions.
        throw error.code == .failed ? RedisError(.refused, error.cause) : error
    }

    private func checkDatabase(_ reply: RedisReply) throws(RedisError) {
        guard case .error(let text) = reply else { return }
        let error = RedisError(reply: text, from: endpoint)
        guard error.code == .failed else { throw error }
        throw RedisError(
            .unsuitable, "\(error.cause); a cluster has database 0 alone, others as many as they are set to")
    }
}
