// A response as a value.

/// A response. The transport adds `Date`, `Content-Length` or chunks, and `Connection`.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    /// The whole body, or its first portion if there is a `rest`.
    package var body: [UInt8]
    /// Makes the portions behind `body` as the client reads them; nil if `body` is all. Such a body is chunked, or ends with
    /// its connection for an HTTP/1.0 client. HEAD gets only the head, and no portion is requested.
    package var rest: (any BodySource)?
    /// Whether the server holds the body anyway, so that keeping it until it has been read needs no memory.
    var isShared = false

    package init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], rest: (any BodySource)? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.rest = rest
    }

    /// Bytes kept until the client has read them. An answer of at most one portion counts as 0: each connection has one at a
    /// time.
    var heldBytes: Int {
        if rest == nil, body.count <= StreamedBody.portion { return 0 }
        return rest == nil && !isShared ? body.count : StreamedBody.portion
    }

    /// Returns this response with more headers.
    func adding(_ others: [(name: String, value: String)]) -> HTTPResponse {
        var response = self
        response.headers += others
        return response
    }
    /// Returns this response for a request under a base path: a local `Location` gets that prefix.
    func under(_ basePath: String) -> HTTPResponse {
        guard let place = headers.firstIndex(where: { $0.name == "Location" && $0.value.hasPrefix("/") }) else {
            return self
        }
        var response = self
        response.headers[place].value = basePath + headers[place].value
        return response
    }
}
