// What a loop knows of a stream's socket, for those who look at a running server.

/// A stream's socket at a moment.
package import Base

package struct StreamSocketReport: Hashable, Sendable {
    package let stream: StreamID
    /// The client's address; empty when it is not known.
    package let peer: String
    /// Monotonic nanoseconds at which it was taken over.
    package let opened: Int64
    package let sentBytes: UInt64
    /// Bytes taken from the feed that the client has not been sent: those kept here and those in the kernel.
    package let unsentBytes: Int
    /// It was refused bytes lately.
    package let isLagging: Bool
}
