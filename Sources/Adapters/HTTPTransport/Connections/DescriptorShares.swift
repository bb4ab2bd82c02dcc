// How the descriptors that the system gives a process are shared out between streams and connections.

import Base
import CLinux

/// Shares of a limit. Each stream and each connection is a descriptor; files, webhooks and the threads' own have a reserve.
package struct DescriptorShares: Hashable, Sendable {
    /// Descriptors for all but streams and connections, where there are enough: a quarter of all where there aren't, and never
    /// fewer than files and threads take.
    private static let reserve = 48...192
    private static let reservePart = 4
    /// The smallest part of what there is that connections get: without them nobody is answered.
    private static let connectionPart = 4

    /// Descriptors that the process may have.
    package let limit: Int
    /// Descriptors that all that is wanted would take.
    package let needed: Int
    package let streams: Int
    /// Connections that there is always room for.
    package let connections: Int
    private let wanted: Int
    private let available: Int
    /// There is less than was asked for.
    package let isLowered: Bool

    /// - Parameters:
    ///   - limit: Descriptors that the process may have.
    ///   - streams: The most that are wanted.
    ///   - connections: The most that are wanted.
    package init(limit: Int, streams: Int, connections: Int) {
        self.limit = limit
        let reserve = min(max(limit / Self.reservePart, Self.reserve.lowerBound), Self.reserve.upperBound)
        let available = max(2, limit - min(limit, reserve))
        let wanted = streams.addingSaturated(connections)
        needed = wanted.addingSaturated(Self.reserve.upperBound)
        isLowered = wanted > available
        self.available = available
        self.wanted = connections
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

    /// The most connections beside streams that are open: they have what streams don't take.
    package func connections(beside streams: Int) -> Int {
        isLowered ? max(connections, min(wanted, available - min(available, streams))) : connections
    }

    /// Raises the process's limit as far as it may be raised.
    /// - Returns: Descriptors that the process may have from now on.
    package static func raiseLimit() -> Int { Int(tweencast_raise_descriptor_limit()) }
}
