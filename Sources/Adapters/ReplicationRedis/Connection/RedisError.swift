// The one error of this target: what a caller does about it is the code, what a log says of it the cause.

/// Why a node doesn't do what was asked. The cause is for the log, never for a client.
package struct RedisError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// There is no connection, or it has ended: whether the last requests were carried out isn't known.
        case unreachable
        /// The login is wrong, or allows too little.
        case refused
        /// The server has no memory left for writes.
        case outOfMemory
        /// The node is a replica, or has become one.
        case readOnly
        /// The node, or its cluster, doesn't serve for a while.
        case loading
        /// The node doesn't know the script; nothing was carried out.
        case noScript
        /// Another node of the cluster has the key, or will have it soon; nil where it isn't said which.
        case moved(to: RedisEndpoint?)
        /// The master takes no writes as it has too few replicas.
        case noReplicas
        /// The server can't be used as it is set up, or isn't what the address says it is; waiting changes nothing.
        case unsuitable
        /// What answers is no Redis, or answers were asked for in the wrong order.
        case protocolError
        /// Any other error that the server answered.
        case failed
    }

    package let code: Code
    package let cause: String

    package init(_ code: Code, _ cause: String) {
        self.code = code
        self.cause = cause
    }

    package var description: String { "\(code): \(cause)" }
}

extension RedisError {
    /// What an error reply means, by its first word.
    /// - Parameters:
    ///   - text: Without the minus sign.
    ///   - endpoint: Who answered.
    init(reply text: String, from endpoint: RedisEndpoint) {
        let words = Self.decisive(text.split(separator: " "))
        self.init(Self.code(words, text, endpoint), "\(endpoint): \(text)")
    }

    private static func code(_ words: ArraySlice<Substring>, _ text: String, _ endpoint: RedisEndpoint) -> Code {
        switch words.first {
        case "OOM": .outOfMemory
        // UNBLOCKED: a wait ends as the master it was begun at becomes a replica.
        case "READONLY", "UNBLOCKED": .readOnly
        case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY": .loading
        case "NOSCRIPT": .noScript
        case "NOREPLICAS": .noReplicas
        case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED": .refused
        // `MOVED 3999 127.0.0.1:6381`. ASK is answered while a slot is on its way: it is found when it has arrived.
        case "MOVED", "ASK":
            .moved(to: words.dropFirst(2).first.flatMap { RedisEndpoint(redirection: $0, from: endpoint) })
        // It closes the connection behind this.
        case "ERR" where text.hasPrefix("ERR max number of clients"): .unreachable
        default: .failed
        }
    }

    /// The words from the one on that says what kind of error it is. Before Redis 7 an error within a script is told by
    /// `ERR Error running script (call to …): @user_script:1: -OOM command not allowed …`.
    private static func decisive(_ words: [Substring]) -> ArraySlice<Substring> {
        guard words.starts(with: ["ERR", "Error", "running", "script"]) else { return words[...] }
        let inner = words.drop { !$0.hasPrefix("-") }
        guard let first = inner.first else { return words[...] }
        return [first.dropFirst()] + inner.dropFirst()
    }
}
