// Which of several nodes is asked: masters among replicas, what Sentinels say, and where it is looked again.

import ReplicationRedis
import TestSupport
import Testing

@Suite struct RedisLocatorTests {
    private func locator(_ servers: [RedisServer], login: String = "", database: Int = 0) throws -> RedisLocator {
        let hosts = servers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return RedisLocator(try RedisAddress("redis://\(login)\(hosts)/\(database)?name=board"))
    }

    private func replica(of master: RedisServer, _ settings: [String] = []) throws -> RedisServer {
        let replica = try RedisServer(["replicaof 127.0.0.1 \(master.port)"] + settings)
        try eventually("a replica") {
            try master.ask("INFO", "replication").contains("port=\(replica.port),state=online")
        }
        return replica
    }

    @Test func `a single server is located as the master, with its login and database`() throws {
        let server = try RedisServer(["requirepass pass"])
        let connection = try locator([server], login: ":pass@", database: 2).locate()
        #expect(connection.endpoint == server.endpoint)
        #expect(try connection.call("SET", "{board}:log", "1") == .status("OK"))
        #expect(try server.connect(password: "pass", database: 2).call("GET", "{board}:log").text == "1")
        let second = try locator([server], login: ":pass@", database: 2).connect(to: connection.endpoint)
        #expect(try second.call("GET", "{board}:log").text == "1")
        #expect(code { _ = try locator([server], login: ":wrong@").locate() } == .refused)
        #expect(code { _ = try locator([server]).locate() } == .refused)
    }

    @Test func `of several hosts the master is found, wherever it stands and whichever is down`() throws {
        let master = try RedisServer()
        let follower = try replica(of: master)
        let down = try RedisServer()
        down.kill()
        for hosts in [[master, follower], [follower, master], [down, follower, master], [down, master]] {
            #expect(try locator(hosts).locate().endpoint == master.endpoint)
        }
        #expect(code { _ = try locator([down]).locate() } == .unreachable)
        let error = #expect(throws: RedisError.self) { _ = try locator([follower, down]).locate() }
        #expect(error?.code == .readOnly)
        for server in [follower, down] { #expect(error?.cause.contains("\(server.endpoint)") == true) }
        // It looks anew each time.
        let hosts = try locator([master, follower])
        _ = try follower.ask("REPLICAOF", "NO", "ONE")
        master.kill()
        #expect(try hosts.locate().endpoint == follower.endpoint)
    }

    @Test func `a replica refuses writes, by themselves and in scripts`() throws {
        let master = try RedisServer()
        let follower = try replica(of: master)
        let connection = try follower.connect()
        let script = RedisScript(name: "set", source: "return redis.call('SET', KEYS[1], 'x')")
        #expect(code { _ = try connection.call("SET", "a", "1") } == .readOnly)
        #expect(code { _ = try script.evaluate(on: connection, keys: [bytes("a")]) } == .readOnly)
    }

    @Test func `a user who may not ask for roles finds the master as well`() throws {
        let settings = ["user tween on >pass ~{board}:* +@all -@admin -@dangerous"]
        let master = try RedisServer(settings)
        let follower = try replica(of: master, settings)
        #expect(try locator([follower, master], login: "tween:pass@").locate().endpoint == master.endpoint)
        #expect(code { _ = try locator([follower], login: "tween:pass@").locate() } == .readOnly)
    }

    @Test func `a master that refuses writes for now is found`() throws {
        let master = try RedisServer(["min-replicas-to-write 1"])
        #expect(try locator([master]).locate().endpoint == master.endpoint)
    }

    @Test func `a cancelled search stops before the next host`() throws {
        let down = try RedisServer()
        down.kill()
        var asked = 0
        let error = #expect(throws: RedisError.self) {
            _ = try locator([down, down, down]).locate {
                asked += 1
                return asked < 2
            }
        }
        #expect(asked == 2)
        #expect(error?.code == .unreachable)
    }
}
