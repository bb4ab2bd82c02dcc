// The table of routes, held against itself and against the contract.

import Base
import Board
import EventStream
import Foundation
import HTTPTransport
import Testing
import Wire

@testable import Gateway

/// An operation of the contract.
private struct Operation {
    let path: String
    let method: String
    var hasBody = false
    var isOpen = false
    /// Names of the query's parameters.
    var parameters: Set<String> = []

    private static let contract = Result {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(
            contentsOf: root.appending(path: "Sources/Service/TweencastService/openapi.yaml"), encoding: .utf8)
    }

    static func all() throws -> [Operation] {
        let text = try contract.get()
        let names = queryParameters(text)
        var operations: [Operation] = []
        var path = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line == "components:" { break }
            if let match = line.wholeMatch(of: #/    (get|put|post|delete|patch):/#) {
                operations.append(Operation(path: path, method: match.output.1.uppercased()))
            }
            guard let last = operations.indices.last, line.hasPrefix("      "), operations[last].path == path else {
                continue
            }
            if line.hasPrefix("      requestBody:") { operations[last].hasBody = true }
            if line == "      security: []" { operations[last].isOpen = true }
            if let match = line.firstMatch(of: /components\/parameters\/([a-zA-Z]+)/), let name = names[match.output.1]
            {
                operations[last].parameters.insert(name)
            }
        }
        return operations
    }

    /// Names of the query's parameters by those of the contract's components.
    private static func queryParameters(_ text: String) -> [Substring: String] {
        let places = text.matches(of: /(?m)^    ([a-zA-Z]+):\n      name: (\S+)\n      in: query$/)
        return Dictionary(places.map { ($0.output.1, String($0.output.2)) }) { first, _ in first }
    }
}

@Suite struct RouteRowTests {
    private static func name(_ row: RouteRow) -> String { "\(row.method.rawValue) \(row.path)" }

    @Test func `the route table and the contract have the same routes`() throws {
        let operations = Set(try Operation.all().map { "\($0.method) \($0.path)" })
        let rows = RouteRow.all.map(Self.name)
        #expect(operations.count > 40 && Set(rows).count == rows.count)
        #expect(operations.subtracting(rows) == [], "without a row")
        #expect(Set(rows).subtracting(operations) == [], "without an operation of the contract")
    }

    @Test func `body, access and query parameters of each route agree with the contract`() throws {
        let operations = Dictionary(
            grouping: try Operation.all(), by: { "\($0.method) \($0.path)" })
        for row in RouteRow.all {
            let operation = try #require(operations[Self.name(row)]?.first)
            #expect(row.takesBody || !operation.hasBody, "\(Self.name(row)) takes a body")
            #expect(row.access == .known || operation.isOpen, "\(Self.name(row)) is for anybody")
            // The self test leaves parameters alone that the contract doesn't tell of.
            guard let parameters = row.parameters, row.path != "/v1/selftest" else { continue }
            #expect(parameters == operation.parameters, "the query of \(Self.name(row))")
        }
    }

    @Test func `each route of the table is found by its own path and method`() throws {
        for row in RouteRow.all {
            let value = row.value == .stream ? StreamName(1 << 2).text : "a"
            let path = row.path.replacing(/\{[a-z]+\}/, with: value)
            let match = try RouteMatch(method: row.method.rawValue, path: path)
            #expect(match.row.path == row.path && match.row.method == row.method)
            #expect(match.value == (row.path.contains("{") ? value : ""))
            #expect(match.pattern.text == row.figure)
        }
    }

    @Test func `a route that needs a right to an id has that id in its path`() {
        for row in RouteRow.all {
            switch row.right {
            case .read, .change, .notify: #expect(row.path.contains("{") && row.value == .id, "\(row.path)")
            case .none, .some, .admin, .whole, .readAny, .publish, .publishOrAdd, .subscribe: break
            }
        }
    }

    @Test func `every route that changes something needs a right`() {
        for row in RouteRow.all where row.effect != .none {
            if case .none = row.right { Issue.record("\(Self.name(row)) is anybody's to change") }
        }
    }

    @Test func `metric numbers of routes follow the order of the table`() {
        let numbers = RouteRow.all.map { RoutePattern(figure: $0.figure).rawValue }
        #expect(numbers == numbers.sorted() && !numbers.contains(RoutePattern.none.rawValue))
        #expect(RoutePattern.none.rawValue == 0 && RoutePattern.file.rawValue == 1)
        #expect(RoutePattern.stream.text == "/v1/streams/{name}")
    }

    @Test(arguments: ["*", "", "v1/tickers", "/V1/tickers", "//v1/tickers", "/v1\u{301}", "/healthz/", "/healthz/x"])
    func `a path outside v1 that no route matches is a file`(path: String) throws {
        #expect(try RouteMatch(method: "GET", path: path).route == .file)
    }

    @Test(arguments: [
        "/v1/streams/", "/v1/streams/no-name", "/v1/notifications", "/v1/tickers/a%2fb", "/v1/\u{301}",
        "/v1/tickers/a/",
    ])
    func `a path below v1 that no route matches is 404`(path: String) {
        let refusal = #expect(throws: Route.Refusal.self) { try RouteMatch(method: "GET", path: path) }
        #expect(refusal?.problem.status == 404)
    }
}
