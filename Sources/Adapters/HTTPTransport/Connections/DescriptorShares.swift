// Divides the process' file descriptors between streams and connections.

import Base
import CLinux
import Glibc
import OperatingSystem

/// Shares of the descriptor limit. Each stream and each connection takes one; files, webhooks and threads use a reserve.
package struct DescriptorShares: Hashable, Sendable {
    /// The reserve of descriptors: a quarter of a low limit, but never fewer than files and threads need.
    private static let reserve = 48...192
    private static let reservePart = 4
    /// Connections get at least one part in this many: without them, no request is answered.
    private static let connectionPart = 4

    /// The process' descriptor limit.
    package let limit: Int
    /// Descriptors needed for everything requested.
    package let needed: Int
    package let streams: Int
    /// Connections that are always possible.
    package let connections: Int
    private let wanted: Int
    private let available: Int
    /// Whether there are fewer descriptors than requested.
    package let isLowered: Bool

    /// - Parameters:
    ///   - limit: The process' descriptor limit.
    ///   - streams: The most streams wanted.
    ///   - connections: The most connections wanted.
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
        // What one side doesn't want goes to the other.
        let least = max(1, available / Self.connectionPart)
        self.connections = min(connections, max(least, available - min(available, streams)))
        self.streams = min(streams, available - self.connections)
    }

    /// Returns the connection limit beside this many open streams: connections may use what streams leave.
    package func connections(beside streams: Int) -> Int {
        isLowered ? max(connections, min(wanted, available - min(available, streams))) : connections
    }

    /// Raises the process' descriptor limit as far as allowed.
    /// - Returns: The new limit.
    package static func raiseLimit() -> Int { Int(tweencast_raise_descriptor_limit()) }

    /// Grows the kernel's descriptor table at once. Otherwise it doubles when full, and opening a descriptor then stops threads
    /// for milliseconds.
    package func reserveTable() {
        guard let null = Descriptor(owning: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)) else { return }
        // The highest number decides, and the table stays as large when it is closed.
        _ = null.duplicate(from: Int32(clamping: min(limit, needed) - 1))
    }
}
