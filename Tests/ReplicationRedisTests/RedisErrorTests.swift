// What a caller is told to do about an error reply.

import Testing

@testable import ReplicationRedis

@Suite struct RedisErrorTests {
    private static let node = RedisEndpoint.tcp(host: "10.0.0.1", port: 6379)
    static let replies: [(String, RedisError.Code)] = [
        ("OOM command not allowed when used memory > 'maxmemory'.", .outOfMemory),
        ("READONLY You can't write against a read only replica.", .readOnly),
        ("UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)", .readOnly),
        ("LOADING Redis is loading the dataset in memory", .loading),
        ("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", .loading),
        ("CLUSTERDOWN Hash slot not served", .loading),
        ("TRYAGAIN Multiple keys request during rehashing of slot", .loading),
        ("BUSY Redis is busy running a script.", .loading),
        ("NOSCRIPT No matching script. Please use EVAL.", .noScript),
        ("NOREPLICAS Not enough good replicas to write.", .noReplicas),
        ("NOAUTH Authentication required.", .refused),
        ("WRONGPASS invalid username-password pair or user is disabled.", .refused),
        ("NOPERM this user has no permissions to run the 'set' command", .refused),
        ("DENIED Redis is running in protected mode", .refused),
        ("MOVED 3999 127.0.0.1:6381", .moved(to: .tcp(host: "127.0.0.1", port: 6381))),
        ("ASK 3999 node-2.example:6381", .moved(to: .tcp(host: "node-2.example", port: 6381))),
        ("MOVED 3999 2001:db8::7:6381", .moved(to: .tcp(host: "2001:db8::7", port: 6381))),
        ("MOVED 3999 :6381", .moved(to: .tcp(host: "10.0.0.1", port: 6381))),
        ("MOVED 3999 ?:6381", .moved(to: nil)), ("MOVED 3999", .moved(to: nil)), ("MOVED", .moved(to: nil)),
        ("MOVED 3999 127.0.0.1:0", .moved(to: nil)), ("MOVED 3999 127.0.0.1:99999", .moved(to: nil)),
        ("MOVED 3999 nowhere", .moved(to: nil)),
        ("ERR max number of clients reached", .unreachable),
        ("ERR unknown command 'X', with args beginning with: 'OOM'", .failed),
        ("WRONGTYPE Operation against a key holding the wrong kind of value", .failed),
        ("CROSSSLOT Keys in request don't hash to the same slot", .failed), ("oom", .failed), ("", .failed),
        (
            "ERR Error running script (call to f_8e5d): @user_script:1: @user_script: 1: -OOM command not allowed when"
                + " used memory > 'maxmemory'.", .outOfMemory
        ),
        (
            "ERR Error running script (call to f_8e5d): @user_script:1: -READONLY You can't write against a read only"
                + " replica.", .readOnly
        ),
        ("ERR Error running script (call to f_8e5d): @user_script:1: attempt to index a nil value", .failed),
    ]

    @Test(arguments: replies) func `an error reply is classified by its first word`(text: String, code: RedisError.Code)
    {
        let error = RedisError(reply: text, from: Self.node)
        #expect(error.code == code)
        #expect(error.cause == "10.0.0.1:6379: \(text)")
    }

    @Test func `a MOVED reply without a host over a Unix socket names no endpoint`() {
        let error = RedisError(reply: "MOVED 1 :6381", from: .unix(path: "/run/redis.sock"))
        #expect(error.code == .moved(to: nil))
    }

    @Test(
        arguments: [
            (RedisReply.integer(7), 7), (.bytes(bytes("-12")), -12), (.status("3"), 3), (.bytes(bytes("x")), nil),
            (.null, nil), (.array([]), nil),
        ] as [(RedisReply, Int64?)])
    func `a reply's integer is read from an integer or a text`(reply: RedisReply, integer: Int64?) {
        #expect(reply.integer == integer)
    }

    @Test func `a reply's text must be UTF-8, and its bytes may be anything`() {
        #expect(RedisReply.bytes([0xFF]).text == nil)
        #expect(RedisReply.bytes([0xFF]).bytes == [0xFF])
        #expect(RedisReply.status("OK").text == "OK")
        #expect(RedisReply.status("OK").bytes == bytes("OK"))
        #expect(RedisReply.error("ERR").text == nil)
        #expect(RedisReply.array([.null]).elements == [.null])
        #expect(RedisReply.null.elements == nil)
    }

    @Test(
        arguments: [
            (Duration.zero, 1), (.seconds(-3), 1), (.nanoseconds(1), 1), (.milliseconds(300), 300_000),
            (.seconds(2), 2_000_000), (.seconds(Int64.max), 1_000_000_000_000_000),
        ] as [(Duration, Int64)])
    func `a timeout is at least a microsecond and at most what the system takes`(limit: Duration, microseconds: Int64) {
        #expect(limit.timeout == microseconds)
    }
}
