// What is said of a server's settings before something is lost by them.

import TestSupport
import Testing

@testable import ReplicationRedis

@Suite struct RedisSettingsTests {
    static let settings: [(lines: [String], warnings: [RedisWarning])] = [
        ([], [.noAppendOnlyFile]),
        (["appendonly yes", "appendfsync always"], []),
        (["appendonly yes"], [.syncsEverySecond]),
        (["appendonly yes", "appendfsync no"], [.syncsNever]),
        (["appendonly yes", "appendfsync always", "maxmemory 100mb"], []),
        (
            ["appendonly yes", "appendfsync always", "maxmemory 100mb", "maxmemory-policy allkeys-lru"],
            [.evicts(policy: "allkeys-lru")]
        ),
        (
            ["appendonly yes", "appendfsync always", "maxmemory-policy allkeys-random"],
            [.wouldEvict(policy: "allkeys-random")]
        ),
        (
            ["appendonly yes", "appendfsync always", "maxmemory 100mb", "maxmemory-policy volatile-ttl"],
            [.evicts(policy: "volatile-ttl")]
        ),
        (["appendonly yes", "appendfsync always", "maxmemory-policy volatile-ttl"], []),
        (
            ["maxmemory 100mb", "maxmemory-policy allkeys-lfu"],
            [.noAppendOnlyFile, .evicts(policy: "allkeys-lfu")]
        ),
    ]

    @Test(arguments: settings) func `risky server settings give warnings that name them`(
        lines: [String], warnings: [RedisWarning]
    ) throws {
        let server = try RedisServer(lines)
        let settings = try RedisSettings(of: server.connect())
        #expect(settings.warnings == warnings)
        #expect(settings.version.map { $0 >= RedisVersion.minimum } == true)
        try settings.checkVersion()
    }

    @Test func `a warning goes when its setting is changed`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        for (name, value, warnings) in [
            ("appendonly", "yes", [RedisWarning.syncsEverySecond]), ("appendfsync", "always", []),
            ("maxmemory-policy", "allkeys-lru", [.wouldEvict(policy: "allkeys-lru")]),
            ("maxmemory", "100mb", [.evicts(policy: "allkeys-lru")]), ("maxmemory-policy", "noeviction", []),
        ] {
            _ = try connection.call("CONFIG", "SET", name, value)
            #expect(try RedisSettings(of: connection).warnings == warnings)
        }
    }

    @Test func `settings hidden by a provider are reported as unknown`() throws {
        let server = try RedisServer([
            "appendonly yes", "maxmemory 100mb", "maxmemory-policy allkeys-lru",
            "user some on >pass ~* +@all -config", "user none on >pass ~* +@all -config -info",
        ])
        let some = try RedisSettings(of: server.connect(user: "some", password: "pass"))
        #expect(some.warnings == [.syncUnknown, .evicts(policy: "allkeys-lru")])
        let none = try RedisSettings(of: server.connect(user: "none", password: "pass"))
        #expect(none.warnings == [.persistenceUnknown])
        try none.checkVersion()
        let renamed = try RedisServer(["appendonly yes", "rename-command CONFIG \"\""])
        #expect(try RedisSettings(of: renamed.connect()).warnings == [.syncUnknown])
    }

    @Test(
        arguments: [
            ("# Server\r\nredis_version:4.0.14\r\n", RedisVersion(major: 4, minor: 0)),
            ("redis_version:3.2.100", .init(major: 3, minor: 2)),
            ("server_name:valkey\r\nredis_version:7.2.4\r\nvalkey_version:8.1.0", .init(major: 7, minor: 2)),
            ("redis_version:255.255.255", .init(major: 255, minor: 255)),
            ("redis_version:8.0-rc1", .init(major: 8, minor: 0)),
            ("redis_version:5.0.0", .minimum), ("redis_version:", nil), ("redis_version:x.y", nil), ("", nil),
        ] as [(String, RedisVersion?)])
    func `a version without streams is refused`(info: String, version: RedisVersion?) {
        let settings = RedisSettings(info: info, appendSync: nil)
        #expect(settings.version == version)
        let refusal = code { try settings.checkVersion() }
        #expect(refusal == (version.map { $0.major < 5 } == true ? .unsuitable : nil))
    }

    @Test(arguments: [
        RedisWarning.persistenceUnknown, .noAppendOnlyFile, .syncsEverySecond, .syncsNever, .syncUnknown,
        .evicts(policy: "allkeys-lru"), .wouldEvict(policy: "allkeys-lru"),
    ])
    func `a warning is one sentence that says what to do`(warning: RedisWarning) {
        let text = "\(warning)"
        #expect(text.contains(": set ") || text.contains(": let "))
        #expect(!text.contains("\n"))
    }
}
