// The head of a stream's answer, which its loop sends, and the framing of the rest.

/// The head of a stream's answer and its framing.
package struct StreamHead: Sendable {
    let bytes: [UInt8]
    /// Whether events are sent in chunks; the last chunk ends the answer. An HTTP/1.0 client gets only the chunks'
    /// contents, until the connection closes (RFC 9112, 6.3).
    let isChunked: Bool
}

/// Writes the heads of streams. Those of one second differ in their request's ID alone, so all before it is kept: of many
/// streams that begin at once, writing each header of each head took 3 % of the CPU time.
struct StreamHeadWriter {
    /// What determines all but the ID.
    private struct Contents {
        var headers: [(String, String)]
        var others: [(name: String, value: String)]
        var isChunked: Bool
        var time: Int

        func isEqual(to other: Contents) -> Bool {
            time == other.time && isChunked == other.isChunked && headers.elementsEqual(other.headers, by: ==)
                && others.elementsEqual(other.others, by: ==)
        }
    }

    private var last: (contents: Contents, head: ResponseHead)?

    /// Returns the head of a stream's answer.
    /// - Parameters:
    ///   - headers: One that contains a control character is left out, here and of `others`.
    ///   - id: The request's ID.
    ///   - time: Unix seconds.
    mutating func head(
        _ headers: [(String, String)], adding others: [(name: String, value: String)], id: String, isChunked: Bool,
        at time: Int
    ) -> StreamHead {
        let contents = Contents(headers: headers, others: others, isChunked: isChunked, time: time)
        var head: ResponseHead
        if let last, last.contents.isEqual(to: contents) {
            head = last.head
        } else {
            head = Self.beginning(contents)
            last = (contents, head)
        }
        head.append(RequestIDs.header, id)
        return StreamHead(bytes: head.end(), isChunked: isChunked)
    }

    private static func beginning(_ contents: Contents) -> ResponseHead {
        var head = ResponseHead(status: 200, reason: "OK", at: contents.time)
        if contents.isChunked { head.append("Transfer-Encoding", "chunked") }
        for (name, value) in contents.headers { head.append(name, value) }
        for header in contents.others { head.append(header.name, header.value) }
        return head
    }
}
