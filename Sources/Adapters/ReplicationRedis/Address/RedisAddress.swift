// Where a board is kept, as an operator writes it.

/// A board's place: `redis://user:password@host:6379/0?name=BOARD`, several hosts, Sentinels, or a socket.
package struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// Sentinels, and what they watch.
    package struct Sentinel: Hashable, Sendable {
        /// The name under which they watch the master.
        package let master: String
        /// With which the Sentinels themselves are asked.
        package let credentials: RedisCredentials?
    }

    /// 1 to 64 letters, digits, `.`, `_` and `-`.
    package let board: String
    /// Nodes, or the Sentinels; at least one, to be tried in this order.
    package let endpoints: [RedisEndpoint]
    package let database: Int
    /// For the nodes.
    package let credentials: RedisCredentials?
    /// Nil where the endpoints are nodes.
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

    /// The name of a key of the board. All of them lie in one slot of a cluster.
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

/// Why a text is no address: what is to be written instead. No part of the text is quoted, as any may be of a password.
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
