// The address of a board on Redis, as an operator writes it.

/// A board's address: `redis://user:password@host:6379/0?name=BOARD`, several hosts, Sentinels, or a socket.
package struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// Sentinels, and the master they monitor.
    package struct Sentinel: Hashable, Sendable {
        /// The master's name in the Sentinels.
        package let master: String
        /// The login for the Sentinels themselves.
        package let credentials: RedisCredentials?
    }

    /// 1 to 64 letters, digits, `.`, `_` and `-`.
    package let board: String
    /// Nodes or Sentinels, at least one; they are tried in this order.
    package let endpoints: [RedisEndpoint]
    package let database: Int
    /// The login for the nodes.
    package let credentials: RedisCredentials?
    /// Nil if the endpoints are nodes.
    package let sentinel: Sentinel?

    init(
        board: String, endpoints: [RedisEndpoint], database: Int, credentials: RedisCredentials?, sentinel: Sentinel?
    ) {
        self.board = board
        self.endpoints = endpoints
        self.database = database
        self.credentials = credentials
        self.sentinel = sentinel
    }

    /// Returns the full name of one of the board's keys. All of them are in one slot of a cluster.
    package func key(_ name: String) -> String { "{\(board)}:\(name)" }

    /// The address without passwords.
    package var description: String {
        let login = credentials.map { "\(($0.user ?? "").percentEncoded):***@" } ?? ""
        if case .unix(let path) = endpoints.first {
            return "unix://\(login)\(path.percentEncoded)?db=\(database)&name=\(board)"
        }
        let hosts = endpoints.map(\.description).joined(separator: ",")
        let watched = sentinel.map { "&sentinel=\($0.master)" } ?? ""
        return "redis://\(login)\(hosts)/\(database)?name=\(board)\(watched)"
    }
}

/// Why a text is not an address, and what to write instead. It quotes no part of the text, which may contain a password.
package struct RedisAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Part: Hashable, Sendable {
        case scheme, encryption, characters, credentials, host, port, path, database, name, sentinel, parameter
    }

    package let part: Part
    package let text: String

    init(_ part: Part, _ text: String) {
        self.part = part
        self.text = text
    }

    package var description: String { text }
}
