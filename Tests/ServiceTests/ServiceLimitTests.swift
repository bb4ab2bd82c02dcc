// The table of limits: as the program has it and as the documentation does.

import Foundation
import Machine
import Testing

@testable import TweencastService

@Suite struct ServiceLimitTests {
    /// The rows of the documentation's table, as they stand between the bars.
    private static func rows() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/limits.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `every limit is documented with its default, and nothing else is`() throws {
        let documented = try Self.rows().map { "\($0[0]) \($0[1])" }
        let (configuration, machine) = (ServiceConfiguration(), MachineSettings())
        let known = ServiceLimit.allCases.map { $0.row(in: configuration, machine) }.map { "`\($0.name)` \($0.value)" }
        #expect(documented == known)
    }

    @Test func `every documented limit says what happens beyond it`() throws {
        for row in try Self.rows() { #expect(row.count == 4 && row[3].count > 2, "\(row)") }
    }
}
