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
    ///   - headers: One that contains a control character is left out, here and of `others`.
    ///   - id: The request's ID.
    ///   - time: Unix seconds.
    init(
        _ headers: [(String, String)], adding others: [(name: String, value: String)], id: String, isChunked: Bool,
        at time: Int
    ) {
        // Appended one by one: each stream has a head, and joining the lists would allocate several times.
        var head = ResponseHead(status: 200, reason: "OK", at: time)
        if isChunked { head.append("Transfer-Encoding", "chunked") }
        for (name, value) in headers { head.append(name, value) }
        for header in others { head.append(header.name, header.value) }
        head.append(RequestIDs.header, id)
        self.init(bytes: head.end(), isChunked: isChunked)
    }
}
