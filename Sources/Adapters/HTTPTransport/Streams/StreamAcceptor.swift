// The interfaces for starting streams.

package import Base

/// Receives the outcome of a request for a stream: exactly one of these calls, once.
package protocol StreamContext: AnyObject, Sendable {
    /// The place reserved for the stream; nil if the acceptor must find one.
    var reservation: StreamID? { get }
    /// The stream is in its loop, which will send what its feed has. On the loop's thread.
    func opened(_ stream: StreamID)
    /// The client left, there was no room, or the socket could not be used. The code that reserved a place abandons it. On
    /// any thread.
    func failed()
}

extension StreamContext {
    package var reservation: StreamID? { nil }
}

/// Accepts streams.
package protocol StreamAcceptor: AnyObject, Sendable {
    /// Whether another stream fits.
    var hasRoom: Bool { get }
    /// Requests reports of all sockets; see `StreamFeed.inspected`.
    /// - Returns: How many feeds will receive one.
    func inspect(number: UInt64) -> Int
    /// Reserves a place for a stream without a socket yet. Its feed may be used at once, and is notified of the close even
    /// if the stream never opened.
    /// - Returns: nil when there is no room.
    func reserve() -> StreamID?
    /// Releases a reserved place whose socket won't come.
    func abandon(_ stream: StreamID)
    /// Takes over the outlet of a stream.
    /// - Parameter head: Sent first, together with what the stream's feed has ready.
    /// - Returns: false when there is no room: the caller keeps the outlet, and the context isn't called. A reserved place
    ///   always has room.
    func adopt(_ outlet: StreamOutlet, head: StreamHead, _ context: any StreamContext) -> Bool
}
