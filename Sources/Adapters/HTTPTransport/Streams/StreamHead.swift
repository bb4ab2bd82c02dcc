// The head of a stream's answer, which its loop sends, and how the rest is framed.

/// What a stream's answer begins with, and how that goes on.
package struct StreamHead: Sendable {
    let bytes: [UInt8]
    /// Events come in chunks, and the last one ends the answer. A client of HTTP/1.0 knows none: it gets their contents alone,
    /// until the connection closes (RFC 9112, 6.3).
    let isChunked: Bool

    init(bytes: [UInt8], isChunked: Bool) {
        self.bytes = bytes
        self.isChunked = isChunked
    }

    /// - Parameters:
    ///   - headers: One with a control character in it is left out.
    ///   - time: Unix seconds.
    init(_ headers: [(String, String)], isChunked: Bool, at time: Int) {
        let framing = isChunked ? [("Transfer-Encoding", "chunked")] : []
        self.init(
            bytes: ResponseHead.bytes(status: 200, reason: "OK", framing + headers, at: time), isChunked: isChunked)
    }
}
