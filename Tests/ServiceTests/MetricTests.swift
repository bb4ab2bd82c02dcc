// The catalogue of metrics: as the program has it and as the documentation does.

import Base
import Foundation
import Testing

@testable import TweencastService

@Suite struct MetricTests {
    /// The rows of the documentation's table, as they stand between the bars.
    private static func rows() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/operations.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `tweencast_") || $0.hasPrefix("| `process_") }
            .map { line in line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test func `every metric is documented with its type, labels and help, and no other is`() throws {
        let known = Metric.allCases.map { metric in
            let family = metric.family
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return ["`\(family.name)`", family.type.rawValue, labels, family.help].filter { !$0.isEmpty }
        }
        let documented = try Self.rows().map { $0.filter { !$0.isEmpty } }
        #expect(documented.count == known.count)
        for (row, metric) in zip(documented, known) { #expect(row == metric) }
    }

    @Test func `metric names have the suffixes of their type and unit`() {
        for family in Metric.allCases.map(\.family) {
            #expect(family.name.hasSuffix("_total") == (family.type == .counter), "\(family.name)")
            #expect(family.name.hasSuffix("_info") == (family.type == .info), "\(family.name)")
            #expect(family.type != .histogram || family.name.hasSuffix("_seconds"), "\(family.name)")
            #expect(family.help.hasSuffix("."), "\(family.name)")
            let stem = family.name.hasSuffix("_total") ? String(family.name.dropLast(6)) : family.name
            #expect(family.unit.map { stem.hasSuffix("_\($0.rawValue)") } ?? true, "\(family.name)")
        }
    }

    @Test func `a metrics page lists its values in the catalogue's order`() {
        var page = MetricsPage()
        page.add(.usage, 5, "tracks")
        page.add(.tracks, 3)
        page.add(.usage, 6, "streams")
        let text = String(decoding: page.text(.prometheus), as: UTF8.self)
        #expect(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
                "tweencast_tracks 3", #"tweencast_usage{name="tracks"} 5"#, #"tweencast_usage{name="streams"} 6"#,
            ])
    }
}
