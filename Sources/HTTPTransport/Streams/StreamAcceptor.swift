// Where a stream goes, and who hears of it.

/// Told what became of a request for a stream: exactly one of these, once.
package import Primitives

package protocol StreamContext: AnyObject, Sendable {
    /// The stream is in its loop; whatever its feed has will be sent. On the loop's thread.
    func opened(_ stream: StreamID)
    /// The client left, there was no room, or the socket could not be taken. On any thread.
    func failed()
}

/// Takes streams.
package protocol StreamAcceptor: AnyObject, Sendable {
    /// Whether another stream may be taken.
    var hasRoom: Bool { get }
    /// Has the sockets told of; see `StreamFeed.inspected`.
    /// - Returns: How often feeds will be told.
    func inspect(ticket: UInt64) -> Int
    /// Takes what a stream is written to, which is the acceptor's from then on.
    /// - Parameter head: Sent before anything else.
    /// - Returns: false when there is no room: the outlet is still the caller's, and the context hears nothing.
    func adopt(_ outlet: StreamOutlet, head: [UInt8], _ context: any StreamContext) -> Bool
}
