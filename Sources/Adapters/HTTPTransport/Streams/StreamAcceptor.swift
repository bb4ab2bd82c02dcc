// Where a stream goes, and who hears of it.

package import Base

/// Told what became of a request for a stream: exactly one of these, once.
package protocol StreamContext: AnyObject, Sendable {
    /// The place that it has reserved for the stream; nil where the acceptor is to find one.
    var reservation: StreamID? { get }
    /// The stream is in its loop; whatever its feed has will be sent. On the loop's thread.
    func opened(_ stream: StreamID)
    /// The client left, there was no room, or the socket could not be taken: who reserved a place abandons it. On any
    /// thread.
    func failed()
}

extension StreamContext {
    package var reservation: StreamID? { nil }
}

/// Takes streams.
package protocol StreamAcceptor: AnyObject, Sendable {
    /// Whether another stream may be taken.
    var hasRoom: Bool { get }
    /// Has the sockets told of; see `StreamFeed.inspected`.
    /// - Returns: How often feeds will be told.
    func inspect(ticket: UInt64) -> Int
    /// Reserves a place for a stream whose socket is to come. Its feed may be told of it at once, and hears that it is closed
    /// also where it never opens.
    /// - Returns: nil when there is no room.
    func reserve() -> StreamID?
    /// Gives up a place that was reserved and whose socket won't come.
    func abandon(_ stream: StreamID)
    /// Takes what a stream is written to, which is the acceptor's from then on.
    /// - Parameter head: Sent before anything else, in one go with what the stream's feed has ready.
    /// - Returns: false when there is no room: the outlet is still the caller's, and the context hears nothing. There is
    ///   where a place was reserved.
    func adopt(_ outlet: StreamOutlet, head: StreamHead, _ context: any StreamContext) -> Bool
}
