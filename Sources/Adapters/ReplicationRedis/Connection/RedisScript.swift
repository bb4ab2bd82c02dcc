// A Lua script that runs on the server. It is sent once and then called by its digest.

import Synchronization

/// A script, usable with any number of connections and from any thread.
package final class RedisScript: Sendable {
    /// For logs.
    package let name: String
    private let source: [UInt8]
    /// The same on every server. Until a server has returned it, a digest that no server knows.
    private let digest = Mutex([UInt8](repeating: UInt8(ascii: "0"), count: 40))

    package init(name: String, source: String) {
        self.name = name
        self.source = Array(source.utf8)
    }

    /// Runs the script and waits for its reply. If the server doesn't know the script, loads it and then sends the source to
    /// run, since the server may forget it again in between.
    package func evaluate(
        on connection: any RedisLink, keys: [[UInt8]], arguments: [[UInt8]] = [], _ timeout: RedisTimeout = .usual
    ) throws(RedisError) -> RedisReply {
        do throws(RedisError) {
            return try connection.call(requestByDigest(keys, arguments), timeout)
        } catch let error where error.code == .noScript {
            try load(on: connection)
            return try connection.call(Self.request("EVAL", source, keys, arguments), timeout)
        }
    }

    /// Loads the script into a server. Only while no replies are outstanding.
    package func load(on connection: any RedisLink) throws(RedisError) {
        let reply = try connection.call([Array("SCRIPT".utf8), Array("LOAD".utf8), source])
        guard case .bytes(let loaded) = reply, loaded.count == 40 else {
            throw RedisError(.protocolError, "\(connection.endpoint): no digest of the script \(name)")
        }
        digest.withLock { $0 = loaded }
    }

    /// Queues a run. If the server doesn't have the script (never loaded, or lost by a restart, `SCRIPT FLUSH` or on another
    /// node), the reply is `noScript` and nothing is carried out. The caller then receives the other replies, loads the
    /// script, and queues again what was not carried out.
    package func append(to connection: any RedisLink, keys: [[UInt8]], arguments: [[UInt8]] = []) {
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
