// Settings of a server, all with a default.

/// Settings of a server.
package struct HTTPServerConfiguration: Sendable {
    /// An IPv4 or IPv6 address, or `localhost`; `::` takes both families.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port: UInt16 = 0
    /// Threads that serve requests.
    package var workers = 2
    /// Most connections at once; streams don't count, since they leave the library when they begin.
    package var connectionLimit = 8_192
    /// Bytes for a request's line and headers, and for the head of its answer.
    package var connectionMemory = 16 * 1_024
    /// Seconds a connection may be silent; the wait for an answer doesn't count.
    package var timeoutSeconds = 30

    package init() {}
}
