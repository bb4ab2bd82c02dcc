// Where a body comes from that is made while its client reads it.

/// Makes a body in portions, as its client takes them.
package protocol BodySource: AnyObject, Sendable {
    /// The client has taken what there was: the next portion is to be given to `body`, now or later, from any thread.
    /// Called on a worker; must not block. While a portion is awaited, a client that leaves isn't noticed.
    func wantsMore(_ body: StreamedBody)
    /// Nothing is wanted any more: the body was sent, the client left, or the server stops. Once, on any thread.
    func ended()
}
