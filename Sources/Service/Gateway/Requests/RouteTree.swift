// The paths of all rows as a tree of segments. Every request is matched here, byte by byte.

import Board
import EventStream
import Wire

/// A tree of paths.
struct RouteTree: Sendable {
    /// The result of matching a path.
    struct Walk {
        /// The text in place of the braces.
        var value = ""
        /// The path has rows, if with other methods.
        var isKnown = false
    }

    private struct Node {
        var literals: [(name: [UInt8], node: Int)] = []
        /// The child for any other segment.
        var value: (form: RouteRow.Value, node: Int)?
        /// The rows of this path.
        var rows: [(method: RouteMethod, place: Int)] = []
    }

    static let all = RouteTree(RouteRow.all)

    private var nodes = [Node()]
    private let rows: [(row: RouteRow, pattern: RoutePattern)]

    init(_ rows: [RouteRow]) {
        self.rows = rows.map { ($0, RoutePattern(figure: $0.figure)) }
        for (place, row) in rows.enumerated() {
            let end = row.path.split(separator: "/").reduce(0) { child(named: $1, of: $0, row.value) }
            nodes[end].rows.append((row.method, place))
        }
    }

    /// Returns the child of a node, and creates it if necessary.
    private mutating func child(named name: Substring, of node: Int, _ form: RouteRow.Value) -> Int {
        let isValue = name.hasPrefix("{")
        let bytes = Array(name.utf8)
        let known = isValue ? nodes[node].value?.node : nodes[node].literals.first { $0.name == bytes }?.node
        if let known { return known }
        nodes.append(Node())
        let made = nodes.count - 1
        if isValue { nodes[node].value = (form, made) } else { nodes[node].literals.append((bytes, made)) }
        return made
    }

    /// - Returns: nil if no row has the path and the method.
    /// - Throws: 422 for an invalid id.
    func row(
        of path: String, by method: RouteMethod?, _ walk: inout Walk
    ) throws(Route.Refusal) -> (row: RouteRow, pattern: RoutePattern)? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        return try place(of: path, path.utf8.span, from: 1, at: 0, by: method, &walk).map { rows[$0] }
    }

    /// - Parameters:
    ///   - bytes: The bytes of the path.
    ///   - start: Where the segment begins; beyond the end if there is none.
    private func place(
        of path: String, _ bytes: Span<UInt8>, from start: Int, at node: Int, by method: RouteMethod?,
        _ walk: inout Walk
    ) throws(Route.Refusal) -> Int? {
        guard start <= bytes.count else {
            walk.isKnown = walk.isKnown || !nodes[node].rows.isEmpty
            return nodes[node].rows.first { $0.method == method }?.place
        }
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
        if let next = literal(bytes, start..<end, of: node),
            let place = try place(of: path, bytes, from: end + 1, at: next, by: method, &walk)
        {
            return place
        }
        guard let value = nodes[node].value else { return nil }
        let text = Self.text(of: path, start..<end)
        guard try value.form.matches(text) else { return nil }
        walk.value = text
        return try place(of: path, bytes, from: end + 1, at: value.node, by: method, &walk)
    }

    private func literal(_ bytes: Span<UInt8>, _ segment: Range<Int>, of node: Int) -> Int? {
        for literal in nodes[node].literals where literal.name.count == segment.count {
            if segment.allSatisfy({ bytes[$0] == literal.name[$0 - segment.lowerBound] }) { return literal.node }
        }
        return nil
    }

    private static func text(of path: String, _ segment: Range<Int>) -> String {
        let start = path.utf8.index(path.startIndex, offsetBy: segment.lowerBound)
        // proven: the segment lies within the path's bytes, between its slashes.
        return String(path[start..<path.utf8.index(start, offsetBy: segment.count)])
    }
}

extension RouteRow.Value {
    /// - Throws: 422 for an invalid id.
    fileprivate func matches(_ text: String) throws(Route.Refusal) -> Bool {
        switch self {
        case .id:
            guard ResourceName.isValid(id: text) else { throw Self.invalidID }
            return true
        // No stream has an invalid name.
        case .stream: return StreamName(text) != nil
        case .text: return true
        }
    }

    private static let invalidID = Route.Refusal(
        allowed: [],
        problem: Problem(
            422, "Unprocessable Content", "an id is 1 to 128 of A-Z a-z 0-9 . _ ~ : -, and neither . nor .."))
}
