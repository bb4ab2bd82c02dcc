// From an address to the node that takes writes of the board's keys: behind Sentinels, in a cluster, or one of several
// servers. It is looked for anew whenever a connection is wanted: it may have moved.

import Conversions

/// Finds the node to talk to.
package struct RedisLocator: Sendable {
    package let address: RedisAddress
    /// Seconds that connecting, and each answer, may take.
    private let patience: Double

    /// The most nodes that one is sent on to.
    private static let maximumHops = 4

    package init(_ address: RedisAddress, patience: Double) {
        self.address = address
        self.patience = patience
    }

    /// - Throws: What was wrong with the last one that was tried.
    package func connect() throws(RedisError) -> RedisConnection {
        var last = RedisError(.unreachable, "no server is named")
        for endpoint in address.endpoints {
            do throws(RedisError) {
                if let sentinel = address.sentinel {
                    return try primary(try master(sentinel, by: endpoint))
                }
                return try primary(endpoint)
            } catch {
                // What one server says of a password or a right, the next says too; but it may have another role.
                last = error
            }
        }
        throw last
    }

    /// What a Sentinel takes for the server that is written to.
    private func master(_ name: String, by endpoint: RedisEndpoint) throws(RedisError) -> RedisEndpoint {
        let connection = try RedisConnection(endpoint, as: nil, patience: patience)
        defer { connection.close() }
        let reply = try connection.call(["SENTINEL", "get-master-addr-by-name", name])
        let words = (reply.elements ?? []).compactMap(\.text)
        guard words.count == 2, let port = UInt16(words[1]) else {
            throw RedisError(.unreachable, "the Sentinel \(endpoint) knows no server \(name)")
        }
        return .host(words[0], port: port)
    }

    /// A connection to a server that is written to, and has the board's keys.
    private func primary(_ first: RedisEndpoint) throws(RedisError) -> RedisConnection {
        var endpoint = first
        for _ in 0..<Self.maximumHops {
            let connection = try RedisConnection(
                endpoint, as: address.credentials, database: address.database, patience: patience)
            do throws(RedisError) {
                try check(connection)
                return connection
            } catch {
                connection.close()
                guard case .moved(let other) = error.code else { throw error }
                endpoint = other
            }
        }
        throw RedisError(.loading, "the nodes of the cluster send on to one another")
    }

    /// - Throws: `readOnly` of a replica, `moved` of a node of a cluster that has other keys.
    private func check(_ connection: RedisConnection) throws(RedisError) {
        // Any command on a key of the board's tells whether its slot lies here.
        try connection.call([Array("EXISTS".utf8), address.key("head")])
        let role = try connection.call(["ROLE"])
        guard role.elements?.first?.text == "master" else {
            throw RedisError(.readOnly, "\(connection.endpoint) is a replica, and takes no writes")
        }
    }
}

/// What a server says of itself that matters for what it keeps.
package struct RedisCheck: Hashable, Sendable {
    package var version = ""
    /// What an operator should change, in words.
    package var warnings: [String] = []

    /// - Throws: A server that is too old; whatever a connection throws.
    package init(_ connection: RedisConnection) throws(RedisError) {
        let info = try Self.fields(connection.call(["INFO"]))
        version = info["redis_version"] ?? "unknown"
        if let major = version.split(separator: ".").first.flatMap({ Int($0) }), major < 5 {
            throw RedisError(.failed, "this server is of version \(version); streams came with 5.0")
        }
        if info["aof_enabled"] == "0" {
            warnings.append("the store keeps nothing over a restart: set appendonly yes")
        } else if let sync = Self.setting("appendfsync", connection), sync != "always" {
            warnings.append(
                "appendfsync is \(sync): what was acknowledged last may be lost with the machine; always keeps it")
        }
        if let policy = info["maxmemory_policy"], policy != "noeviction" {
            warnings.append("the store may throw the board away when memory is short: set maxmemory-policy noeviction")
        }
    }

    /// A line each of `name:value`.
    private static func fields(_ reply: RedisReply) -> [String: String] {
        var fields: [String: String] = [:]
        for line in (reply.text ?? "").split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        return fields
    }

    /// Nil where it may not be asked for.
    private static func setting(_ name: String, _ connection: RedisConnection) -> String? {
        try? connection.call(["CONFIG", "GET", name]).pairs.first?.value.text
    }
}
