// A request as the application sees it.

/// A request, valid only during `decide`, `respond` and `answered`: headers are read from the connection.
package struct HTTPRequest {
    private let exchange: any HTTPExchange

    init(_ exchange: any HTTPExchange) { self.exchange = exchange }

    /// As sent: methods are case-sensitive.
    package var method: String { exchange.method }
    /// Empty in `decide`, and once the request was answered.
    package var body: [UInt8] { exchange.body }
    /// The context that the application returned from `decide`; nil without a body.
    package var context: (any AnyObject & Sendable)? { exchange.context }
    /// Monotonic nanoseconds when its head was complete.
    package var arrived: Int64 { exchange.arrived }
    /// The request ID, which its answer carries.
    package var id: String { exchange.id }
    /// Percent-decoded, without the query. An escaped NUL or slash stays escaped.
    package var path: String { exchange.target.path }

    /// Returns a header's first value; names in any case. `Host` is that of an absolute target if there is one (RFC 9112,
    /// 3.2.2).
    package func header(_ name: StaticString) -> String? {
        if let authority = exchange.target.authority, name.description.lowercased() == "host" { return authority }
        return exchange.header(name)
    }

    /// Returns all values of a header in order, joined as one (RFC 9110, 5.3); nil if there is none.
    package func wholeHeader(_ name: String) -> String? {
        let lines = headerLines(name)
        return lines.isEmpty ? nil : lines.joined(separator: ",")
    }

    /// Returns the values of a header in order, one for each line.
    package func headerLines(_ name: String) -> [String] { exchange.headerLines(name) }

    /// The query's parameters in order, percent-decoded. One without `=` has an empty value.
    package var queryItems: [(name: String, value: String)] { exchange.target.parameters }

    /// Returns the first parameter with this name.
    package func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The client's address without its port; empty if unknown.
    package var peer: String { exchange.peer }

    /// An object that the application keeps with the connection, for its later requests.
    package var attachment: (any AnyObject & Sendable)? {
        get { exchange.attachment }
        nonmutating set { exchange.attachment = newValue }
    }
}
