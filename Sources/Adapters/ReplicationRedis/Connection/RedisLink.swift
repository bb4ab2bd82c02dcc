// What the log needs of a connection, so that a simulation can stand in its place.

/// A way to one node, used by one thread at a time. After a failure it stays unusable; its owner asks for a new one.
package protocol RedisLink: AnyObject, Sendable {
    var endpoint: RedisEndpoint { get }
    /// Why it is unusable; nil while it works.
    var failure: RedisError? { get }

    /// Queues a request; `receive` sends it.
    /// - Parameter arguments: The command's name and its arguments; at least one element.
    func append(_ arguments: [[UInt8]])

    /// Sends the queued requests and waits for the next reply. Replies come in the order of the requests.
    /// - Returns: The reply, which may be an error.
    /// - Throws: `unreachable` and `protocolError`, after which it is unusable.
    func receive(_ timeout: RedisTimeout) throws(RedisError) -> RedisReply

    /// Sends a single request and waits for its reply.
    /// - Throws: What `receive` throws; an error reply as a `RedisError`.
    func call(_ arguments: [[UInt8]], _ timeout: RedisTimeout) throws(RedisError) -> RedisReply

    /// Ends the current or next `receive` of another thread. Any thread may call this.
    func interrupt(because reason: String)

    /// Only for the thread that uses it.
    func close()
}

extension RedisLink {
    package func receive() throws(RedisError) -> RedisReply { try receive(.usual) }

    package func call(_ arguments: [[UInt8]]) throws(RedisError) -> RedisReply { try call(arguments, .usual) }

    /// Sends a single request given as texts.
    package func call(_ arguments: String...) throws(RedisError) -> RedisReply {
        try call(arguments.map { Array($0.utf8) })
    }

    /// Queues a request given as texts.
    package func append(_ arguments: String...) { append(arguments.map { Array($0.utf8) }) }

    package func interrupt() { interrupt(because: "interrupted") }

    /// Returns a reply unless it is an error.
    /// - Throws: The meaning of an error reply.
    package func value(of reply: RedisReply) throws(RedisError) -> RedisReply {
        if case .error(let text) = reply { throw RedisError(reply: text, from: endpoint) }
        return reply
    }
}

/// Where the keys of a board are: a server, a master that Sentinels name, a node of a cluster.
package protocol BoardServer: Sendable {
    var address: RedisAddress { get }

    /// Returns a new connection to the node that accepts the board's writes.
    func connect() throws(RedisError) -> any RedisLink

    /// Returns the master's address, if somebody other than the nodes themselves names it.
    /// - Parameter isWanted: Called before each request; false ends the search.
    func namedMaster(while isWanted: () -> Bool) -> RedisEndpoint?
}

extension RedisLocator: BoardServer {
    package func connect() throws(RedisError) -> any RedisLink { try locate() }
}
