// The head of a stream's answer, which its loop sends, and the framing of the rest.

/// The head of a stream's answer and its framing.
package struct StreamHead: Sendable {
    let bytes: [UInt8]
    /// Whether events are sent in chunks; the last chunk ends the answer. An HTTP/1.0 client gets only the chunks'
    /// contents, until the connection closes (RFC 9112, 6.3).
    let isChunked: Bool

    init(bytes: [UInt8], isChunked: Bool) {
        self.bytes = bytes
        self.isChunked = isChunked
    }

    /// - Parameters:
    ///   - headers: One that contains a control character is left out.
    ///   - time: Unix seconds.
    init(_ headers: [(String, String)], isChunked: Bool, at time: Int) {
        let framing = isChunked ? [("Transfer-Encoding", "chunked")] : []
        self.init(
            bytes: ResponseHead.bytes(status: 200, reason: "OK", framing + headers, at: time), isChunked: isChunked)
    }
}
