// The only error of this target. The code decides what a caller does; the cause is logged.

/// Why a node didn't carry out a request. The cause is for the log, never for a client.
package struct RedisError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// There is no connection, or it has ended. It is unknown whether the last requests were carried out.
        case unreachable
        /// The login is wrong, or lacks permissions.
        case refused
        /// The server has no memory left for writes.
        case outOfMemory
        /// The node is a replica, or has become one.
        case readOnly
        /// The node or its cluster is temporarily unavailable.
        case loading
        /// The node doesn't know the script; nothing was carried out.
        case noScript
        /// Another node of the cluster has the key, or will soon have it; nil if unknown.
        case moved(to: RedisEndpoint?)
        /// The master rejects writes because it has too few replicas.
        case noReplicas
        /// The server's settings don't suit, or it isn't what the address says. Waiting changes nothing.
        case unsuitable
        /// The peer doesn't speak the protocol, or replies were requested in the wrong order.
        case protocolError
        /// The server has lost the board, which running replicas have.
        case absent
        /// Any other error reply.
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
    /// Interprets an error reply by its first word.
    /// - Parameters:
    ///   - text: Without the minus sign.
    ///   - endpoint: The node that sent it.
    init(reply text: String, from endpoint: RedisEndpoint) {
        let words = Self.decisive(text.split(separator: " "))
        self.init(Self.code(words, text, endpoint), "\(endpoint): \(text)")
    }

    private static func code(_ words: ArraySlice<Substring>, _ text: String, _ endpoint: RedisEndpoint) -> Code {
        switch words.first {
        case "OOM": .outOfMemory
        // UNBLOCKED: a blocking command ends because its master became a replica.
        case "READONLY", "UNBLOCKED": .readOnly
        case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY": .loading
        case "NOSCRIPT": .noScript
        case "NOREPLICAS": .noReplicas
        case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED": .refused
        // `MOVED 3999 127.0.0.1:6381`. ASK is sent while a slot migrates; the new node is found afterwards.
        case "MOVED", "ASK":
            .moved(to: words.dropFirst(2).first.flatMap { RedisEndpoint(redirection: $0, from: endpoint) })
        // The server closes the connection after this.
        case "ERR" where text.hasPrefix("ERR max number of clients"): .unreachable
        default: .failed
        }
    }

    /// Returns the words from the error's kind on. Before Redis 7, an error inside a script reads `ERR Error running script
    /// (call to …): @user_script:1: -OOM command not allowed …`.
    private static func decisive(_ words: [Substring]) -> ArraySlice<Substring> {
        guard words.starts(with: ["ERR", "Error", "running", "script"]) else { return words[...] }
        let inner = words.drop { !$0.hasPrefix("-") }
        guard let first = inner.first else { return words[...] }
        return [first.dropFirst()] + inner.dropFirst()
    }
}
