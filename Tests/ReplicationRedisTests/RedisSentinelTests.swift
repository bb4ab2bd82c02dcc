// Sentinels, and what they make of a master that dies.

import ReplicationRedis
import TestSupport
import Testing

@Suite struct RedisSentinelTests {
    private func sentinel(of master: RedisServer, _ settings: [String] = []) throws -> RedisServer {
        try RedisServer(
            [
                "sentinel monitor main 127.0.0.1 \(master.port) 1", "sentinel down-after-milliseconds main 500",
                "sentinel failover-timeout main 5000",
            ] + settings, isSentinel: true)
    }

    private func locator(_ sentinels: [RedisServer], master: String = "main") throws -> RedisLocator {
        let hosts = sentinels.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return RedisLocator(try RedisAddress("redis://\(hosts)?name=board&sentinel=\(master)"))
    }

    @Test func `Sentinels name the master, and after its death the promoted replica`() throws {
        let master = try RedisServer()
        let replica = try RedisServer(["replicaof 127.0.0.1 \(master.port)"])
        try eventually("a replica") { try master.ask("INFO", "replication").contains("state=online") }
        let down = try RedisServer()
        down.kill()
        let watcher = try sentinel(of: master)
        let hosts = try locator([down, watcher])
        let connection = try hosts.locate()
        #expect(connection.endpoint == master.endpoint)
        #expect(try connection.call("SET", "{board}:log", "1") == .status("OK"))
        #expect(try connection.call("WAIT", "1", "0") == .integer(1))
        try eventually("a Sentinel that knows the replica") {
            try watcher.ask("SENTINEL", "replicas", "main").contains("\(replica.port)")
        }
        master.kill()
        #expect(code { _ = try connection.call("PING") } == .unreachable)
        var found: RedisConnection?
        try eventually("a failover") {
            found = try? hosts.locate()
            return found != nil
        }
        #expect(found?.endpoint == replica.endpoint)
        #expect(try found?.call("GET", "{board}:log").text == "1")
    }

    @Test func `a failover that is asked for is followed`() throws {
        let master = try RedisServer()
        let replica = try RedisServer(["replicaof 127.0.0.1 \(master.port)"])
        try eventually("a replica") { try master.ask("INFO", "replication").contains("state=online") }
        let watcher = try sentinel(of: master)
        let hosts = try locator([watcher])
        try eventually("a failover that begins") { try watcher.ask("SENTINEL", "FAILOVER", "main") == "OK" }
        try eventually("the new master") { (try? hosts.locate())?.endpoint == replica.endpoint }
    }

    @Test func `Sentinels and nodes have logins of their own`() throws {
        let master = try RedisServer(["requirepass node"])
        let watcher = try sentinel(of: master, ["sentinel auth-pass main node", "requirepass watch"])
        let place = "127.0.0.1:\(watcher.port)?name=board&sentinel=main"
        let right = RedisLocator(try RedisAddress("redis://:node@\(place)&sentinel-password=watch"))
        #expect(try right.locate().endpoint == master.endpoint)
        for wrong in [
            "redis://:node@\(place)", "redis://:node@\(place)&sentinel-password=node",
            "redis://:watch@\(place)&sentinel-password=watch", "redis://\(place)&sentinel-password=watch",
        ] {
            #expect(code { _ = try RedisLocator(RedisAddress(wrong)).locate() } == .refused)
        }
    }

    @Test func `a Sentinel taken for a server, or a server for a Sentinel, is reported as unsuitable`() throws {
        let master = try RedisServer()
        let watcher = try sentinel(of: master)
        #expect(code { _ = try locator([watcher], master: "other").locate() } == .unsuitable)
        #expect(code { _ = try locator([master]).locate() } == .unsuitable)
        let plain = RedisLocator(try RedisAddress("redis://127.0.0.1:\(watcher.port)?name=board"))
        let error = #expect(throws: RedisError.self) { _ = try plain.locate() }
        #expect(error?.code == .unsuitable)
        #expect(error?.cause.contains("sentinel=MASTER") == true)
    }
}
