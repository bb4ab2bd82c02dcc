// A response as a value.

/// A complete response. The transport adds `Date`, `Content-Length` and `Connection`.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
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
