// What is asked of a server, and how it ends.

/// A request of HTTP.
package struct TransferRequest: Sendable {
    package var url: String
    /// What is posted; nil for a GET.
    package var body: [UInt8]?
    /// Lines of the head.
    package var headers: [String]
    package var agent = "tweencast"
    /// A file of certificate authorities; nil for those of libcurl.
    package var authorities: String?
    package var bound: Bound
    /// How long it may take until there is a connection.
    package var connectTimeout = Duration.seconds(10)
    /// Whether `..` in the path is sent as it is, not resolved.
    package var keepsDots = false
    /// Returns whether an address, in network order, and its port may be connected to. Asked when the socket is created, so an
    /// earlier result of DNS doesn't count. With it, no proxy is used: that would connect for us, to any address.
    package var admits: (@Sendable (_ address: [UInt8], _ port: UInt16) -> Bool)?

    /// When a transfer has taken too long.
    package enum Bound: Hashable, Sendable {
        /// How long a whole answer may take.
        case whole(Duration)
        /// Seconds of silence after which a stream is dead.
        case silence(Int)
    }

    package init(url: String, body: [UInt8]?, headers: [String], bound: Bound) {
        (self.url, self.body, self.headers, self.bound) = (url, body, headers, bound)
    }
}

/// How a transfer ended.
package enum TransferEnd: Hashable, Sendable {
    package struct Head: Hashable, Sendable {
        package let status: Int
        /// The answer's `Retry-After` in seconds.
        package let retryAfter: Int?
    }

    case complete(Head)
    /// - Parameter isFinal: Whether another attempt would fail in the same way.
    case failed(String, isFinal: Bool)
    case cancelled
}

/// Makes a transfer's request, and receives what it brings.
package protocol TransferReceiver: AnyObject, Sendable {
    /// The request; nil if it isn't made after all, and then nothing follows. Read once, on the loop's thread.
    var request: TransferRequest? { get }

    /// Receives bytes of the answer's body, at least one, on the loop's thread.
    /// - Returns: false if there is no room: the transfer pauses until it is resumed, and then brings them again.
    func receive(_ bytes: [UInt8], _ head: TransferEnd.Head) -> Bool

    /// Receives the end, on the loop's thread, or at once if the transfer can't begin. None comes after an abort.
    func finish(_ end: TransferEnd)
}
