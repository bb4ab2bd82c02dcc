// Finds the node that accepts a board's writes. Each search starts from the address again and caches nothing.

/// Finds the master, or the cluster's node, that has a board's keys.
package struct RedisLocator: Sendable {
    package let address: RedisAddress
    private let configuration: RedisConnectionConfiguration

    /// - Parameter configuration: Its credentials and database are replaced by the address'.
    package init(
        _ address: RedisAddress, _ configuration: RedisConnectionConfiguration = RedisConnectionConfiguration()
    ) {
        self.address = address
        self.configuration = configuration
    }

    /// Tries the address' hosts in order: a master and its replicas, nodes of a cluster, or Sentinels.
    /// - Parameter isWanted: Called before each host; false ends the search. A host that doesn't reply takes as long as the
    ///   configured timeouts.
    /// - Returns: A connection to a master, logged in. In a cluster, to the node with the board's keys.
    /// - Throws: The most serious error found, with the causes of all; `readOnly` if only replicas replied.
    package func locate(while isWanted: () -> Bool = { true }) throws(RedisError) -> RedisConnection {
        var search = Search()
        for endpoint in address.endpoints {
            guard isWanted() else { break }
            do throws(RedisError) {
                return try search.connect(try start(from: endpoint), with: self)
            } catch {
                search.errors.append(error)
            }
        }
        throw search.result
    }

    /// Opens another connection to a node that `locate` found, with the same login.
    package func connect(to endpoint: RedisEndpoint) throws(RedisError) -> RedisConnection {
        var configuration = configuration
        configuration.credentials = address.credentials
        configuration.database = address.database
        return try RedisConnection(to: endpoint, configuration)
    }

    /// Returns the master's address from the first Sentinel that replies, as `locate` uses it.
    /// - Parameter isWanted: Called before each Sentinel; false ends the search.
    /// - Returns: nil if none replies, or there are no Sentinels.
    package func namedMaster(while isWanted: () -> Bool = { true }) -> RedisEndpoint? {
        guard address.sentinel != nil else { return nil }
        for endpoint in address.endpoints {
            guard isWanted() else { break }
            if let master = try? start(from: endpoint) { return master }
        }
        return nil
    }

    private func start(from endpoint: RedisEndpoint) throws(RedisError) -> RedisEndpoint {
        guard let sentinel = address.sentinel else { return endpoint }
        var configuration = configuration
        configuration.credentials = sentinel.credentials
        configuration.database = 0
        return try RedisConnection(to: endpoint, configuration).master(sentinel.master)
    }
}

/// The state of one search.
private struct Search {
    var errors: [RedisError] = []
    /// Nodes that failed, since others may redirect to them again.
    private var failed: Set<RedisEndpoint> = []

    /// The most redirections to follow before the cluster counts as inconsistent.
    private static let longestWay = 5

    mutating func connect(_ start: RedisEndpoint, with locator: RedisLocator) throws(RedisError) -> RedisConnection {
        var endpoint = start
        for _ in 0...Self.longestWay {
            guard !failed.contains(endpoint) else {
                throw RedisError(.unreachable, "\(endpoint) was named once more")
            }
            do throws(RedisError) {
                let connection = try locator.connect(to: endpoint)
                try connection.checkTakesWrites(to: locator.address.key("log"))
                return connection
            } catch {
                guard case .moved(let next) = error.code else {
                    failed.insert(endpoint)
                    throw error
                }
                guard let next else { throw RedisError(.loading, "\(error.cause), which names no node") }
                endpoint = next
            }
        }
        throw RedisError(.loading, "\(start): the cluster's nodes name one another for the board's slot")
    }

    /// One error for the whole search.
    var result: RedisError {
        guard let gravest = errors.min(by: { Self.rank($0.code) < Self.rank($1.code) }) else {
            return RedisError(.unreachable, "the search was given up")
        }
        return RedisError(gravest.code, errors.map(\.cause).joined(separator: "; "))
    }

    /// Errors that an operator must fix come before temporary ones.
    private static func rank(_ code: RedisError.Code) -> Int {
        switch code {
        case .refused: 0
        case .unsuitable: 1
        case .protocolError: 2
        case .failed, .noScript, .absent: 3
        case .outOfMemory, .noReplicas: 4
        case .loading, .moved: 5
        case .readOnly: 6
        case .unreachable: 7
        }
    }
}
