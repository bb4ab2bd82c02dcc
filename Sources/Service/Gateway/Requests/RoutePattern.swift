// The label of a request's path in metrics and logs. There are as many as rows, whatever paths clients send.

/// The pattern of a request's path.
package struct RoutePattern: Hashable, Sendable {
    /// Its index in the table, by which metrics are sorted.
    package let rawValue: UInt8

    /// The path is unknown, its method is not allowed, or neither was examined.
    static let none = RoutePattern(figure: "none")
    static let file = RoutePattern(figure: RouteRow.file.figure)
    /// Open streams.
    package static let stream = RoutePattern(figure: Route.openStream)

    private static let texts = RouteRow.all.reduce(into: ["none", RouteRow.file.figure]) { texts, row in
        if !texts.contains(row.figure) { texts.append(row.figure) }
    }

    /// Finds the pattern of a row by its label.
    init(figure: String) { rawValue = UInt8(Self.texts.firstIndex(of: figure) ?? 0) }

    /// - Parameter rawValue: That of an existing pattern.
    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ match: Result<RouteMatch, Route.Refusal>) {
        if case .success(let match) = match { self = match.pattern } else { self = .none }
    }

    /// Its text in metrics and logs.
    package var text: String { Self.texts[Int(rawValue)] }
}
