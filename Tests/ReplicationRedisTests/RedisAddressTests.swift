// What an operator may write after --store, and what is answered to the rest.

import Testing

@testable import ReplicationRedis

@Suite struct RedisAddressTests {
    struct Good: Sendable, CustomTestStringConvertible {
        let text: String
        let endpoints: [RedisEndpoint]
        var database = 0
        var credentials: RedisCredentials?
        var sentinel: RedisAddress.Sentinel?
        var board = "b"

        var testDescription: String { text }
    }

    static let good: [Good] = [
        Good(text: "redis://localhost?name=b", endpoints: [.tcp(host: "localhost", port: 6379)]),
        Good(text: "valkey://localhost/?name=b", endpoints: [.tcp(host: "localhost", port: 6379)]),
        Good(text: "REDIS://Cache_1.example:1?name=b", endpoints: [.tcp(host: "Cache_1.example", port: 1)]),
        Good(text: "redis://10.0.0.7:65535/15?name=b", endpoints: [.tcp(host: "10.0.0.7", port: 65535)], database: 15),
        Good(text: "redis://[::1]?name=b", endpoints: [.tcp(host: "::1", port: 6379)]),
        Good(
            text: "redis://[2001:db8::7]:6380,h2/2?name=b",
            endpoints: [.tcp(host: "2001:db8::7", port: 6380), .tcp(host: "h2", port: 6379)], database: 2),
        Good(
            text: "redis://h1:6379,h2:6380,h3?name=Board-1_x.y",
            endpoints: [.tcp(host: "h1", port: 6379), .tcp(host: "h2", port: 6380), .tcp(host: "h3", port: 6379)],
            board: "Board-1_x.y"),
        Good(
            text: "redis://tween:secret@h?name=b", endpoints: [.tcp(host: "h", port: 6379)],
            credentials: RedisCredentials(user: "tween", password: "secret")),
        Good(
            text: "redis://:se:cr@et@h?name=b", endpoints: [.tcp(host: "h", port: 6379)],
            credentials: RedisCredentials(password: "se:cr@et")),
        Good(
            text: "redis://us%2Fer:%70%25%C3%A9%3f%23%40@h?name=b", endpoints: [.tcp(host: "h", port: 6379)],
            credentials: RedisCredentials(user: "us/er", password: "p%é?#@")),
        Good(
            text: "redis://nopass:@h?name=b", endpoints: [.tcp(host: "h", port: 6379)],
            credentials: RedisCredentials(user: "nopass", password: "")),
        Good(
            text: "redis://s1,s2:5000/3?name=b&sentinel=my.master_1-a",
            endpoints: [.tcp(host: "s1", port: 26379), .tcp(host: "s2", port: 5000)], database: 3,
            sentinel: .init(master: "my.master_1-a", credentials: nil)),
        Good(
            text: "redis://u:p@s1?sentinel=m&sentinel-user=a:b&sentinel-password=w%26p&name=b",
            endpoints: [.tcp(host: "s1", port: 26379)], credentials: RedisCredentials(user: "u", password: "p"),
            sentinel: .init(master: "m", credentials: RedisCredentials(user: "a:b", password: "w&p"))),
        Good(
            text: "redis://s1?sentinel=m&sentinel-password=a:b&name=b", endpoints: [.tcp(host: "s1", port: 26379)],
            sentinel: .init(master: "m", credentials: RedisCredentials(password: "a:b"))),
        Good(text: "unix:///run/redis/redis.sock?name=b", endpoints: [.unix(path: "/run/redis/redis.sock")]),
        Good(
            text: "redis+unix://u:p@/a%20b.sock?db=7&name=b", endpoints: [.unix(path: "/a b.sock")], database: 7,
            credentials: RedisCredentials(user: "u", password: "p")),
        Good(
            text: "unix:///\(String(repeating: "p", count: 105))?name=\(String(repeating: "n", count: 64))",
            endpoints: [.unix(path: "/" + String(repeating: "p", count: 105))], board: String(repeating: "n", count: 64)
        ),
    ]

    @Test(arguments: good) func `a valid Redis address is parsed into endpoints, database, credentials and board`(
        good: Good
    ) throws {
        let address = try RedisAddress(good.text)
        #expect(address.board == good.board)
        #expect(address.endpoints == good.endpoints)
        #expect(address.database == good.database)
        #expect(address.credentials == good.credentials)
        #expect(address.sentinel == good.sentinel)
        #expect(address.key("log") == "{\(good.board)}:log")
    }

    static let bad: [(String, RedisAddressError.Part)] = [
        ("", .scheme), ("localhost:6379", .scheme), ("http://h?name=b", .scheme), ("redis:h", .scheme),
        ("rediss://h?name=b", .encryption), ("valkeys://h?name=b", .encryption), ("REDISS://h", .encryption),
        ("redis://h ?name=b", .characters), ("redis://hé?name=b", .characters), ("redis://h\n?name=b", .characters),
        ("redis://u:p#q@h?name=b", .characters), ("redis://u:p/q@h?name=b", .characters),
        ("redis://u:p?q@h?name=b", .characters), ("redis://h?name=b#x", .characters),
        ("redis://h?name=b&sentinel=m&sentinel-password=a@b", .characters),
        ("redis://user@h?name=b", .credentials), ("redis://:@h?name=b", .credentials),
        ("redis://@h?name=b", .credentials),
        ("redis://u:%@h?name=b", .credentials), ("redis://u:%g0@h?name=b", .credentials),
        ("redis://u:%FF@h?name=b", .credentials), ("redis://%4:p@h?name=b", .credentials),
        ("redis://?name=b", .host), ("redis:///0?name=b", .host), ("redis://h1,,h2?name=b", .host),
        ("redis://h,?name=b", .host), ("redis://:6379?name=b", .host), ("redis://u:p@?name=b", .host),
        ("redis://h*?name=b", .host), ("redis://[::g]?name=b", .host), ("redis://[]?name=b", .host),
        ("redis://[::1?name=b", .host), ("redis://[127.0.0.1]?name=b", .host), ("redis://a%41?name=b", .host),
        ("redis://\(String(repeating: "h", count: 254))?name=b", .host),
        ("redis://h:?name=b", .port), ("redis://h:0?name=b", .port), ("redis://h:65536?name=b", .port),
        ("redis://h:+1?name=b", .port), ("redis://h:6379x?name=b", .port), ("redis://::1?name=b", .host),
        ("redis://h:1:2?name=b", .port), ("redis://[::1]6379?name=b", .port),
        ("redis://h:99999999999999999999?name=b", .port), ("redis://h1,h2:x?name=b", .port),
        ("redis://h/x?name=b", .database), ("redis://h/-1?name=b", .database), ("redis://h/0/1?name=b", .database),
        ("redis://h1,h2/one?name=b", .database), ("redis://h/99999999999?name=b", .database),
        ("redis://h?db=1&name=b", .database), ("unix:///s?db=&name=b", .database), ("unix:///s?db=x&name=b", .database),
        ("redis://h", .name), ("redis://h?", .name), ("redis://h?name", .name), ("redis://h?name=", .name),
        ("redis://h?name={b}", .name), ("redis://h?name=a%20b", .name), ("redis://h?name=a/b", .name),
        ("redis://h?name=%", .name), ("redis://h?name=\(String(repeating: "n", count: 65))", .name),
        ("redis://h?name=b&timeout=1", .parameter), ("redis://h?name=b&name=b", .parameter),
        ("redis://h?Name=b", .parameter), ("redis://h?name=b&=", .parameter),
        ("unix:///s?name=b&sentinel=m", .parameter),
        ("redis://h?name=b&sentinel=", .sentinel), ("redis://h?name=b&sentinel=a%20b", .sentinel),
        ("redis://h?name=b&sentinel-user=u", .sentinel), ("redis://h?name=b&sentinel-password=p", .sentinel),
        ("redis://h?name=b&sentinel=m&sentinel-user=u", .sentinel),
        ("redis://h?name=b&sentinel=m&sentinel-password=%", .credentials),
        ("unix://run/redis.sock?name=b", .path), ("unix://?name=b", .path), ("unix:///?name=b", .path),
        ("unix:///%?name=b", .path), ("unix:///a%00b?name=b", .path),
        ("unix:///\(String(repeating: "p", count: 106))?name=b", .path),
    ]

    @Test(arguments: bad)
    func `an invalid Redis address is rejected with the part that is wrong`(text: String, part: RedisAddressError.Part)
    {
        let error = #expect(throws: RedisAddressError.self) { try RedisAddress(text) }
        #expect(error?.part == part)
        #expect(error?.text.isEmpty == false)
    }

    @Test(arguments: [
        "redis://user:hunter2", "redis://user:hunter2?name=b", "redis://hunter2@h", "redis://u:hunter2/x@h",
        "redis://u:x?hunter2@h", "redis://u:x?hunter2&y@h", "redis://u:x?name=b&hunter2",
        "redis://u:x%hunter2@h?name=b",
        "redis://u:x#hunter2@h", "redis://u:x/hunter2", "redis://u:hunter2@h:port?name=b", "rediss://u:hunter2@h",
        "redis://u:hunter2@h?name=hunter2!", "redis://h?name=b&sentinel=hunter2!&sentinel-password=hunter2",
    ])
    func `a refusal quotes nothing that may be of a password`(text: String) {
        let error = #expect(throws: RedisAddressError.self) { try RedisAddress(text) }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test(arguments: [
        ("redis://h?name=b", "redis://h:6379/0?name=b"),
        ("valkey://tween:hunter2@h,[::1]:1/2?name=b", "redis://tween:***@h:6379,[::1]:1/2?name=b"),
        ("redis://:hunter2@h?name=b", "redis://:***@h:6379/0?name=b"),
        ("redis://a%0Ab:hunter2@h?name=b", "redis://a%0Ab:***@h:6379/0?name=b"),
        (
            "redis://s?name=b&sentinel=m&sentinel-user=w&sentinel-password=hunter2",
            "redis://s:26379/0?name=b&sentinel=m"
        ),
        ("unix://u:hunter2@/a%20b?db=1&name=b", "unix://u:***@/a%20b?db=1&name=b"),
    ])
    func `an address is shown without its passwords`(text: String, shown: String) throws {
        let address = try RedisAddress(text)
        #expect("\(address)" == shown)
        var dumped = ""
        dump(address, to: &dumped)
        for text in [String(reflecting: address), dumped] { #expect(!text.contains("hunter2")) }
    }
}
