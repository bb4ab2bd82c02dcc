// From an address to the node that takes the board's writes. ServiceRequest again after a failure, it looks anew: nothing of what
// was found before is kept.

/// Finds the master, or the node of a cluster, that has a board's keys.
package struct RedisLocator: Sendable {
    package let address: RedisAddress
    private let configuration: RedisConnectionConfiguration

    /// - Parameter configuration: Its credentials and database are the address'.
    package init(
        _ address: RedisAddress, _ configuration: RedisConnectionConfiguration = RedisConnectionConfiguration()
    ) {
        self.address = address
        self.configuration = configuration
    }

    /// Tries the address' hosts in their order: nodes of which one is the master, nodes of a cluster, or Sentinels.
    /// - Parameter isWanted: ServiceRequest before each host; false gives the search up. A host that doesn't answer takes as long as
    ///   the configuration's timeouts.
    /// - Returns: A connection to a master, logged in. In a cluster it is the one that has the board's keys.
    /// - Throws: The gravest of what was met, with the causes of all; `readOnly` where only replicas answered.
    package func locate(while isWanted: () -> Bool = { true }) throws(RedisError) -> RedisConnection {
        var search = Search()
        for endpoint in address.endpoints {
            guard isWanted() else { break }
            do throws(RedisError) {
                return try search.follow(try start(from: endpoint), with: self)
            } catch {
                search.errors.append(error)
            }
        }
        throw search.result
    }

    /// One more connection to a node that `locate` found, logged in as that is.
    package func connect(to endpoint: RedisEndpoint) throws(RedisError) -> RedisConnection {
        var configuration = configuration
        configuration.credentials = address.credentials
        configuration.database = address.database
        return try RedisConnection(to: endpoint, configuration)
    }

    /// The master that Sentinels name: what the first that answers says, as `locate` takes it.
    /// - Parameter isWanted: ServiceRequest before each Sentinel; false gives the search up.
    /// - Returns: nil where none answers, and where there are none.
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

/// What was met on the way.
private struct Search {
    var errors: [RedisError] = []
    /// Nodes that failed, which others may name again.
    private var failed: Set<RedisEndpoint> = []

    /// Redirections that are followed before the cluster is taken not to know itself.
    private static let longestWay = 5

    mutating func follow(_ start: RedisEndpoint, with locator: RedisLocator) throws(RedisError) -> RedisConnection {
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

    /// One error for all.
    var result: RedisError {
        guard let gravest = errors.min(by: { Self.rank($0.code) < Self.rank($1.code) }) else {
            return RedisError(.unreachable, "the search was given up")
        }
        return RedisError(gravest.code, errors.map(\.cause).joined(separator: "; "))
    }

    /// What an operator has to mend comes before what may pass.
    private static func rank(_ code: RedisError.Code) -> Int {
        switch code {
        case .refused: 0
        case .unsuitable: 1
        case .protocolError: 2
        case .failed, .noScript: 3
        case .outOfMemory, .noReplicas: 4
        case .loading, .moved: 5
        case .readOnly: 6
        case .unreachable: 7
        }
    }
}
