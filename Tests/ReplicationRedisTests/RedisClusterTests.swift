// A cluster of three: the board's node is found from any of them, and found again where its slot goes.

import ReplicationRedis
import TestSupport
import Testing

@Suite struct RedisClusterTests {
    private func address(_ nodes: [RedisServer], board: String, database: Int = 0) throws -> RedisAddress {
        let hosts = nodes.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return try RedisAddress("redis://\(hosts)/\(database)?name=\(board)")
    }

    @Test func `a board's cluster node is found from any node, after a slot moves and with nodes down`() throws {
        let cluster = try RedisCluster()
        var owners: Set<UInt16> = []
        for board in ["a", "b", "c", "d", "board-1", "board-2"] {
            let owner = try cluster.owner(of: "{\(board)}:log")
            owners.insert(owner.port)
            for node in cluster.nodes {
                let connection = try RedisLocator(address([node], board: board)).locate()
                #expect(connection.endpoint == owner.endpoint)
                #expect(try connection.call("SET", "{\(board)}:head", "1") == .status("OK"))
                #expect(try connection.call("MGET", "{\(board)}:head", "{\(board)}:log").elements?.count == 2)
            }
        }
        #expect(owners.count == 3)
        try follow(cluster)
        #expect(
            code { _ = try RedisLocator(address(cluster.nodes, board: "a", database: 1)).locate() } == .unsuitable)
        try lose(cluster)
    }

    /// A slot that moves to another node.
    private func follow(_ cluster: RedisCluster) throws {
        let key = "{moving}:log"
        let owner = try cluster.owner(of: key)
        let next = try #require(cluster.nodes.first { $0 !== owner })
        let locator = RedisLocator(try address(cluster.nodes, board: "moving"))
        let connection = try locator.locate()
        #expect(connection.endpoint == owner.endpoint)
        // On its way it is served by neither, as far as a client can tell that doesn't ask for the way itself.
        try cluster.beginMove(slotOf: key, to: next)
        #expect(code { _ = try connection.call("GET", key) } == .moved(to: next.endpoint))
        #expect(code { _ = try locator.locate() } == .loading)
        try cluster.move(slotOf: key, to: next)
        #expect(code { _ = try connection.call("GET", key) } == .moved(to: next.endpoint))
        #expect(try locator.locate().endpoint == next.endpoint)
    }

    /// A node that dies takes its slots with it, as nobody replicates it.
    private func lose(_ cluster: RedisCluster) throws {
        let owner = try cluster.owner(of: "{a}:log")
        let others = cluster.nodes.filter { $0 !== owner }
        let connection = try others[0].connect()
        owner.kill()
        let locator = RedisLocator(try address(cluster.nodes, board: "a"))
        #expect(code { _ = try locator.locate() } == .unreachable)
        try eventually("a cluster that knows") { code { _ = try connection.call("GET", "{a}:log") } == .loading }
        #expect(code { _ = try locator.locate() } == .loading)
    }
}
