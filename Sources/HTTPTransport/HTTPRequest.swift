// A request as the application sees it.

/// A request, valid only during `respond`: headers and parameters are looked up in the connection.
package struct HTTPRequest {
    /// As the client wrote it; methods are case-sensitive.
    package let method: String
    /// Percent-decoded, without the query. An escaped NUL stays escaped.
    package let path: String
    package let body: [UInt8]
    let connection: Connection

    /// A header's value, the first if there are several; names in any case.
    package func header(_ name: String) -> String? { connection.header(name) }

    /// The query's parameters in their order, percent-decoded; one without `=` has an empty value.
    package var queryItems: [(name: String, value: String)] { connection.queryItems }

    /// The first parameter of a name.
    package func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The client's address without its port; empty when it is not known.
    package var peer: String { connection.peer }
}
