// A Lua script that runs on the server, sent once and then called by its digest.

import Synchronization

/// A script; any number of connections use it, from any thread.
package final class RedisScript: Sendable {
    /// For logs.
    package let name: String
    private let source: [UInt8]
    /// The same on every server. Until one has told it, one that no server knows.
    private let digest = Mutex([UInt8](repeating: UInt8(ascii: "0"), count: 40))

    package init(name: String, source: String) {
        self.name = name
        self.source = Array(source.utf8)
    }

    /// Runs the script and waits for its answer. A server that doesn't know it is given it, and then the script itself to run:
    /// it may be forgotten again in between.
    package func evaluate(
        on connection: RedisConnection, keys: [[UInt8]], arguments: [[UInt8]] = [], _ patience: RedisTimeout = .usual
    ) throws(RedisError) -> RedisReply {
        do throws(RedisError) {
            return try connection.call(requestByDigest(keys, arguments), patience)
        } catch let error where error.code == .noScript {
            try load(on: connection)
            return try connection.call(Self.request("EVAL", source, keys, arguments), patience)
        }
    }

    /// Gives the script to a server. To be called between requests, not while answers are to come.
    package func load(on connection: RedisConnection) throws(RedisError) {
        let reply = try connection.call([Array("SCRIPT".utf8), Array("LOAD".utf8), source])
        guard case .bytes(let loaded) = reply, loaded.count == 40 else {
            throw RedisError(.protocolError, "\(connection.endpoint): no digest of the script \(name)")
        }
        digest.withLock { $0 = loaded }
    }

    /// Queues a run. It is answered by `noScript`, and not carried out, where the server doesn't have the script (it was never
    /// loaded, or lost by a restart, `SCRIPT FLUSH`, another node): whoever receives that goes on receiving what else is to
    /// come, loads the script, and queues again what was not carried out.
    package func append(to connection: RedisConnection, keys: [[UInt8]], arguments: [[UInt8]] = []) {
        connection.append(requestByDigest(keys, arguments))
    }

    private func requestByDigest(_ keys: [[UInt8]], _ arguments: [[UInt8]]) -> [[UInt8]] {
        Self.request("EVALSHA", digest.withLock { $0 }, keys, arguments)
    }

    private static func request(
        _ command: String, _ script: [UInt8], _ keys: [[UInt8]], _ arguments: [[UInt8]]
    ) -> [[UInt8]] {
        [Array(command.utf8), script, Array("\(keys.count)".utf8)] + keys + arguments
    }
}
