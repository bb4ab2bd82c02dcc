// A request as the application sees it.

/// A request, valid only during `decide` and `respond`: headers are looked up in the connection.
package struct HTTPRequest {
    /// As the client wrote it; methods are case-sensitive.
    package let method: String
    package let body: [UInt8]
    /// What the application made of the head when it judged it; nil where it wasn't asked to.
    package let context: (any Sendable)?
    /// Monotonic nanoseconds at which its head was complete.
    package let arrived: Int64
    /// The name that its answer carries.
    package let id: String
    let target: RequestTarget
    let connection: Connection

    init(
        _ pending: PendingRequest, body: [UInt8], context: (any Sendable)? = nil
    ) {
        method = unsafe pending.intake.method
        arrived = unsafe pending.intake.began
        id = unsafe pending.intake.id
        self.body = body
        self.context = context
        target = pending.target
        connection = pending.connection
    }

    /// Percent-decoded, without the query. An escaped NUL or slash stays escaped.
    package var path: String { target.path }

    /// A header's value, the first if there are several; names in any case. `Host` is that of an absolute target if there
    /// is one (RFC 9112, 3.2.2).
    package func header(_ name: StaticString) -> String? {
        if let authority = target.authority, name.description.lowercased() == "host" { return authority }
        return connection.header(name)
    }

    /// All values of a header in their order, as if they stood in one (RFC 9110, 5.3); nil where there is none.
    package func wholeHeader(_ name: String) -> String? {
        let lines = headerLines(name)
        return lines.isEmpty ? nil : lines.joined(separator: ",")
    }

    /// The values of a header in their order, as many as it has lines.
    package func headerLines(_ name: String) -> [String] { connection.headerLines(name) }

    /// The query's parameters in their order, percent-decoded; one without `=` has an empty value.
    package var queryItems: [(name: String, value: String)] { target.parameters }

    /// The first parameter of a name.
    package func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The client's address without its port; empty when it is not known.
    package var peer: String { connection.peer }

    /// What the application keeps with the connection, for the requests that come on it later.
    package var keepsake: (any AnyObject & Sendable)? {
        get { unsafe connection.record?.keepsake }
        nonmutating set { unsafe connection.record?.keepsake = newValue }
    }
}
