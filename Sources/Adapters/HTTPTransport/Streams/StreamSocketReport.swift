// The state of a stream's socket, for inspecting a running server.

/// A stream's socket at one moment.
package import Base

package struct StreamSocketReport: Hashable, Sendable {
    package let stream: StreamID
    /// The client's address; empty if unknown.
    package let peer: String
    /// Monotonic nanoseconds when the loop got it.
    package let opened: Int64
    package let sentBytes: UInt64
    /// Bytes from the feed that were not sent to the client yet: those kept here and those in the kernel.
    package let unsentBytes: Int
    /// Its socket was full recently.
    package let isLagging: Bool
}
