// What figures and lines of the log call a request's path: of as many names as rows have, whatever clients write.

/// The pattern of a request's path.
package struct RoutePattern: Hashable, Sendable {
    /// Its place in the table, by which figures are shown in order.
    package let rawValue: UInt8

    /// Nothing is there, the method is not taken, or it was not looked at.
    static let none = RoutePattern(figure: "none")
    static let file = RoutePattern(figure: RouteRow.file.figure)
    /// Streams that are open.
    package static let stream = RoutePattern(figure: Route.openStream)

    private static let texts = RouteRow.all.reduce(into: ["none", RouteRow.file.figure]) { texts, row in
        if !texts.contains(row.figure) { texts.append(row.figure) }
    }

    /// That of rows with a figure.
    init(figure: String) { rawValue = UInt8(Self.texts.firstIndex(of: figure) ?? 0) }

    /// - Parameter rawValue: One that a pattern has had.
    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ match: Result<RouteMatch, Route.Refusal>) {
        if case .success(let match) = match { self = match.pattern } else { self = .none }
    }

    /// As it stands in figures and in the log.
    package var text: String { Self.texts[Int(rawValue)] }
}
