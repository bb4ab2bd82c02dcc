// Settings of a server, all with a default.

import Base
package import OperatingSystem

/// Settings of a server.
package struct HTTPServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost`; `::` takes both families.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port: UInt16 = 0
    /// A socket that listens already, whose address `host` and `port` tell; nil makes one. It is others' as well: what waits
    /// in it when this server stops is left to them.
    package var listener: DescriptorBox?
    /// Where a proxy has this server that passes paths on as they come, such as `/tweens`; empty for the root.
    package var basePath = ""
    /// Threads that serve requests.
    package var workers = 2
    /// Requests of a worker that may wait for their answers without being suspended: each of its turns asks all of them.
    package var waitingLimit = 1_024
    /// Most connections at once; streams don't count: they leave the library when they begin, or, over TLS, stay with it
    /// beside its connections. At the limit, whoever has waited longest without a complete request makes room.
    package var connectionLimit = 8_192
    /// The most connections for now, asked on the accepting thread, where others take of what there is; nil for always as many.
    package var connectionRoom: (@Sendable () -> Int)?
    /// Most streams that may stay with the library.
    package var streamLimit = 15_000
    /// What TLS handshakes are shown; nil serves plain HTTP.
    package var certificates: Certificates?
    /// Most connections of one owner; beyond it the owner's own that has waited longest without a complete request makes
    /// room.
    package var connectionsPerOwner = 1_000
    /// New connections a second of one owner, and two seconds' worth at once; those beyond are closed unheard. 0 for no limit.
    package var connectionRate = 0
    /// What a client's address counts as; nil for one whose connections are not counted.
    package var owner: @Sendable (_ address: String) -> String? = { _ in nil }
    /// Bytes of a request's line and headers; beyond it 414 or 431.
    package var headLimit = 16 * 1_024
    /// The most headers of a request; beyond it 431.
    package var headerLimit: Int { headLimit / Self.leastOfHeader }
    /// So many bytes of the limit a header takes at least, since each has a record beside what is sent of it.
    private static let leastOfHeader = 16
    /// The most parameters of a query; beyond it 414.
    package var parameterLimit = 10_000
    /// Seconds a connection may be silent, and from an answer to the next request's complete head; the wait for an answer
    /// doesn't count. Longer than load balancers keep a connection that nobody uses, as a rule 60: whoever closes first must not
    /// be the one that may be sent something.
    package var timeoutSeconds = 75
    /// Seconds between two measures of a client that takes an answer.
    package var answerTimeout = 30.0
    /// Seconds from a connection's begin to its first request's complete head.
    package var headTimeout = 10.0
    /// Seconds from a head to its complete body, beside what `lowestBodyRate` adds.
    package var bodyTimeout = 30.0
    /// Bytes a second at which a body may come at least: each of so many gives it another second.
    package var lowestBodyRate = 32 * 1_024
    /// Bytes a second at which a client must take an answer, on average over `answerTimeout`; slower ones are cut off.
    package var lowestAnswerRate = 512
    /// Bytes of all request bodies under way, of which no owner has more than is left free; beyond it 503.
    package var bodyBudget = 64 << 20

    package init() {}

    var times: ConnectionTimes {
        ConnectionTimes(
            head: Int64(saturating: headTimeout * 1e9), idle: Int64(saturating: Double(timeoutSeconds) * 1e9),
            measure: Int64(saturating: answerTimeout * 1e9), lowestRate: lowestAnswerRate)
    }

    /// Nanoseconds for a body.
    func bodyTime(of count: Int) -> Int64 {
        Int64(saturating: (bodyTimeout + Double(count) / Double(max(1, lowestBodyRate))) * 1e9)
    }
}
