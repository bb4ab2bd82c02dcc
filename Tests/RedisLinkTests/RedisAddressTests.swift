// What an operator writes for a store, read.

import Testing

@testable import RedisLink

@Suite struct RedisAddressTests {
    @Test(
        arguments: [
            ("redis://localhost?name=b", [.host("localhost", port: 6_379)], 0),
            ("redis://10.0.0.1:7000/3?name=b", [.host("10.0.0.1", port: 7_000)], 3),
            ("valkey://[::1]:7000?name=b", [.host("::1", port: 7_000)], 0),
            ("redis://[fe80::1]?name=b", [.host("fe80::1", port: 6_379)], 0),
            (
                "redis://a,b:7000,c?name=b",
                [.host("a", port: 6_379), .host("b", port: 7_000), .host("c", port: 6_379)], 0
            ),
            ("unix:///run/redis.sock?name=b&db=2", [.path("/run/redis.sock")], 2),
            ("redis+unix:///s?name=b", [.path("/s")], 0),
            ("redis://s1,s2?sentinel=mymaster&name=b", [.host("s1", port: 26_379), .host("s2", port: 26_379)], 0),
        ] as [(String, [RedisEndpoint], Int)])
    func `an address names servers and a database`(text: String, endpoints: [RedisEndpoint], database: Int) throws {
        let address = try RedisAddress(text)
        #expect(address.endpoints == endpoints && address.database == database && address.board == "b")
    }

    @Test(arguments: [
        ("redis://:secret@h?name=b", nil, "secret"), ("redis://app:s%40c%3Aret%25@h?name=b", "app", "s@c:ret%"),
        ("unix://app:x@/s?name=b", "app", "x"), ("redis://app:a:b@h?name=b", "app", "a:b"),
    ])
    func `an address names who asks, and doesn't show the password`(text: String, user: String?, password: String)
        throws
    {
        let address = try RedisAddress(text)
        #expect(address.credentials == RedisCredentials(user: user, password: password))
        #expect(!"\(address)".contains(password))
    }

    @Test(arguments: [
        ("redis:localhost", "redis://"), ("http://h?name=b", "redis://"), ("redis://h", "name=BOARD"),
        ("redis://h?name=", "1 to 64"), ("redis://h?name={b}", "1 to 64"), ("redis://h?name=b&x=1", "?x"),
        ("redis://?name=b", "host"), ("redis://h:0?name=b", "port"), ("redis://h:70000?name=b", "port"),
        ("redis://h/x?name=b", "database"), ("redis://a@b@h?name=b", "%40"), ("redis://user@h?name=b", "user:password"),
        ("rediss://h?name=b", "stunnel"), ("valkeys://h?name=b", "stunnel"), ("unix://s?name=b", "path"),
        ("unix:///s?name=b&sentinel=m", "Sentinels"), ("redis://h,?name=b", "host"), ("redis://:%zz@h?name=b", "user"),
    ])
    func `what is no address is refused by its part`(text: String, word: String) {
        do throws(RedisAddress.Refusal) {
            _ = try RedisAddress(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.reason.contains(word), "\(error.reason)")
        }
    }

    @Test(
        arguments: [
            ("NOAUTH Authentication required.", .refused), ("WRONGPASS invalid username-password pair", .refused),
            ("NOPERM this user has no permissions", .refused), ("ERR invalid password", .refused),
            ("OOM command not allowed when used memory > 'maxmemory'.", .outOfMemory),
            ("READONLY You can't write against a read only replica.", .readOnly),
            ("LOADING Redis is loading", .loading),
            ("MASTERDOWN Link with MASTER is down", .loading), ("CLUSTERDOWN The cluster is down", .loading),
            ("NOSCRIPT No matching script.", .noScript), ("NOREPLICAS Not enough good replicas", .noReplicas),
            ("MOVED 866 127.0.0.1:7002", .moved(.host("127.0.0.1", port: 7_002))),
            ("MOVED 866 ::1:7002", .moved(.host("::1", port: 7_002))), ("MOVED", .failed),
            ("ERR unknown command", .failed),
            ("", .failed),
        ] as [(String, RedisError.Code)])
    func `what a server answers is known by its first word`(text: String, code: RedisError.Code) {
        #expect(RedisError(reply: text).code == code)
    }

    @Test func `all keys of a board have its tag`() throws {
        let address = try RedisAddress("redis://h?name=shop.1")
        #expect(address.key("log") == Array("{shop.1}:log".utf8))
    }
}
