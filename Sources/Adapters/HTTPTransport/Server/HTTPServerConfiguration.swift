// Settings of a server, each with a default.

import Base
package import OperatingSystem

/// Settings of a server.
package struct HTTPServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost`; `::` accepts both families.
    package var host = "127.0.0.1"
    /// 0 for any free port.
    package var port: UInt16 = 0
    /// A socket that already listens, at the address in `host` and `port`; nil to open one. Other processes share it, so
    /// clients that wait when this server stops are left to them.
    package var listener: DescriptorBox?
    /// The path under which a proxy serves this server without stripping it, such as `/tweens`; empty for the root.
    package var basePath = ""
    /// Threads that serve requests.
    package var workers = 2
    /// Requests per worker that may wait without being suspended; each of its turns polls them all.
    package var waitingLimit = 1_024
    /// The most connections at once. Streams don't count: they leave the library when they begin, or, over TLS, have their
    /// own limit. At the limit, the connection that has waited longest without a complete request makes room.
    package var connectionLimit = 8_192
    /// Returns the current connection limit on the accepting thread, where other uses share the descriptors; nil if it is
    /// constant.
    package var connectionRoom: (@Sendable () -> Int)?
    /// The most streams over TLS, whose connections stay with the library.
    package var streamLimit = 15_000
    /// The certificate for TLS; nil serves plain HTTP.
    package var certificates: Certificates?
    /// The most connections of one owner. Beyond it, the owner's connection that has waited longest without a complete
    /// request makes room.
    package var connectionsPerOwner = 1_000
    /// New connections per second of one owner, with bursts of two seconds' worth. Further ones are closed at once. 0 for no
    /// limit.
    package var connectionRate = 0
    /// Returns the owner that an address counts for; nil if its connections are not counted.
    package var owner: @Sendable (_ address: String) -> String? = { _ in nil }
    /// The most bytes of request line and headers; beyond it 414 or 431.
    package var headLimit = 16 * 1_024
    /// The most headers of a request; beyond it 431.
    package var headerLimit: Int { headLimit / Self.leastOfHeader }
    /// The bytes of the limit that each header takes at least: with its record, the default limits take `Daemon.leastMemory`.
    /// The library clears that before each further request: for 16 bytes a header it took a sixth of the time of a durable
    /// update.
    private static let leastOfHeader = 85
    /// The most parameters of a query; beyond it 414.
    package var parameterLimit = 10_000
    /// Seconds that a connection may be silent, and from an answer to the next complete head; waiting for an answer doesn't
    /// count. Longer than the usual idle timeout of load balancers, 60: the side that closes first must not be the one that
    /// may still receive a request.
    package var timeoutSeconds = 75
    /// Seconds between two measurements of a client that reads an answer.
    package var answerTimeout = 30.0
    /// Seconds from a connection's start to its first complete head.
    package var headTimeout = 10.0
    /// Seconds from a head to its complete body, plus what `lowestBodyRate` adds.
    package var bodyTimeout = 30.0
    /// The least bytes per second of a body: each of these adds another second.
    package var lowestBodyRate = 32 * 1_024
    /// The least average bytes per second at which a client must read an answer, over `answerTimeout`; slower clients are
    /// cut off.
    package var lowestAnswerRate = 512
    /// The most bytes of all arriving bodies; beyond it 503. No owner may hold more than is left free.
    package var bodyBudget = 64 << 20
    /// The most bytes of all answers that wait to be read; beyond it 503. No owner may hold more than is left free.
    package var unreadBudget = 256 << 20
    /// The most of them of one owner.
    package var unreadPerOwner = 16 << 20
    /// Seconds in which a client must have read an answer; slower clients are cut off.
    package var readingTimeout = 120.0

    package init() {}

    var times: ConnectionTimes {
        ConnectionTimes(
            head: Int64(saturating: headTimeout * 1e9), idle: Int64(saturating: Double(timeoutSeconds) * 1e9),
            measure: Int64(saturating: answerTimeout * 1e9), lowestRate: lowestAnswerRate,
            reading: Int64(saturating: readingTimeout * 1e9))
    }

    /// Returns the nanoseconds that a body may take.
    func bodyTime(of count: Int) -> Int64 {
        Int64(saturating: (bodyTimeout + Double(count) / Double(max(1, lowestBodyRate))) * 1e9)
    }
}
