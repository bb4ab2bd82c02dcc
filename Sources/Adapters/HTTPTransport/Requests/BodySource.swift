// The source of a body that is made while its client reads it.

/// Receives the portions of a body that is being sent.
package protocol PortionReceiver: Sendable {
    /// Supplies the next portion, once after each `wantsMore`. A portion that was not requested is dropped.
    func append(_ portion: [UInt8], isLast: Bool)
}

/// Makes a body in portions, at its client's pace.
package protocol BodySource: AnyObject, Sendable {
    /// Requests the next portion: the client has read the last one. Give it to `body` now or later, from any thread. Runs on
    /// a worker and must not block. A client that leaves isn't noticed until the portion is given.
    func wantsMore(_ body: any PortionReceiver)
    /// Ends the source: the body was sent, the client left, or the server stops. Called once, on any thread.
    func ended()
}
