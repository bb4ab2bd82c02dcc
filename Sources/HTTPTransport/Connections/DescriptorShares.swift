// How the descriptors that the system gives a process are shared out between streams and connections.

import CLinux

/// Shares of a limit. Each stream and each connection is a descriptor; files, webhooks and the threads' own have a reserve.
package struct DescriptorShares: Hashable, Sendable {
    /// Descriptors for all but streams and connections.
    package static let reserve = 192
    /// The smallest part of what there is that connections get: without them nobody is answered.
    private static let connectionPart = 4

    /// Descriptors that the process may have.
    package let limit: Int
    package let streams: Int
    package let connections: Int
    /// There is less than was asked for.
    package let isLowered: Bool

    /// - Parameters:
    ///   - limit: Descriptors that the process may have.
    ///   - streams: The most that are wanted.
    ///   - connections: The most that are wanted.
    package init(limit: Int, streams: Int, connections: Int) {
        self.limit = limit
        let available = max(2, limit - min(limit, Self.reserve))
        let (wanted, isOver) = streams.addingReportingOverflow(connections)
        isLowered = isOver || wanted > available
        guard isLowered else {
            self.streams = streams
            self.connections = connections
            return
        }
        // What one doesn't want is the other's.
        let least = max(1, available / Self.connectionPart)
        self.connections = min(connections, max(least, available - min(available, streams)))
        self.streams = min(streams, available - self.connections)
    }

    /// Raises the process's limit as far as it may be raised.
    /// - Returns: Descriptors that the process may have from now on.
    package static func raiseLimit() -> Int { Int(tweencast_raise_descriptor_limit()) }
}
