// The tables of docs/labels.md, row by row over HTTP: each label goes up, down through zero, to zero and back.

import Foundation
import TestSupport
import Testing

@Suite struct LabelTableTests {
    /// A row: what is posted, and what is to be seen.
    private struct Row {
        let label: String
        let format: String?
        let targets: [String]
        /// Before the first motion, and after each.
        let texts: [String]

        /// Nil for lines that are no row of labels.
        init?(_ line: Substring) {
            let cells = line.split(separator: " | ").map { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
            guard (3...4).contains(cells.count), let label = cells[0].first, let texts = cells.last,
                texts.count == cells[cells.count - 2].count + 1
            else { return nil }
            self.label = label
            format = cells.count == 4 ? cells[1].first : nil
            targets = cells[cells.count - 2]
            self.texts = texts
        }

        func update(to target: String) -> String {
            let fields: [String: Any] = ["label": label, "to": target, "duration": 0.15]
            // The values are strings and numbers, which JSON has.
            let body = (try? JSONSerialization.data(withJSONObject: fields)).map { String(decoding: $0, as: UTF8.self) }
            return format.map { (body ?? "{}").dropLast() + ",\"format\":\($0)}" } ?? body ?? "{}"
        }
    }

    private static func rows() throws -> [Row] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = folder.deletingLastPathComponent().appending(path: "docs/labels.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { Row($0) }
    }

    /// The text with a sign in place of its last number, which must be well formed.
    private static func skeleton(_ text: String) -> String {
        let body = #"\.?\p{Nd}(?:[.,٫٬’'，．   \x{A0}\x{202F}\x{2009}]?\p{Nd})*(?:E-?\p{Nd}+)?"#
        let pattern = try? NSRegularExpression(pattern: body)
        let all = NSRange(text.startIndex..., in: text)
        guard let last = pattern?.matches(in: text, range: all).last, let range = Range(last.range, in: text) else {
            return text
        }
        return text.replacingCharacters(in: range, with: "#")
    }

    /// What is seen of a row: its text before the first motion, and after each; and the texts on the way.
    private struct Sight {
        var texts: [String] = []
        var passed: [String] = []
        /// The last frame before an end.
        var last: String?
    }

    @Test func `every label in the documented tables gives the documented texts`() throws {
        let server = try ServerProcess()
        let rows = try Self.rows()
        #expect(rows.count >= 40)
        #expect(Set(rows.compactMap(\.format).compactMap { $0.split(separator: "\"").dropFirst(3).first }).count >= 18)
        let stream = try EventSourceClient.greeted(port: server.port, path: "/v1/events?ticker=*")
        var sights = [String: Sight]()
        // All rows at once, one target after the other.
        for round in 0..<(rows.map(\.targets.count).max() ?? 0) {
            var moving = 0
            for (number, row) in rows.enumerated() where round < row.targets.count {
                let answer = try server.client.post("/v1/tickers/row\(number)", row.update(to: row.targets[round]))
                #expect(answer.status == 202, "\(row.label): \(answer.body)")
                if round == 0 { sights["row\(number)"] = Sight(texts: [answer.json["text"] as? String ?? ""]) }
                moving += 1
            }
            _ = try stream.collect { event in
                guard ["message", "complete"].contains(event.name), let text = event.frame?.text,
                    let id = event.json["ticker"] as? String
                else { return false }
                if event.name == "message" {
                    sights[id]?.passed.append(text)
                    sights[id]?.last = text
                    return false
                }
                let last = sights[id]?.last
                #expect(last == nil || last == text, "\(id)")
                sights[id]?.texts.append(text)
                moving -= 1
                return moving == 0
            }
        }
        for (number, row) in rows.enumerated() {
            let sight = try #require(sights["row\(number)"])
            let skeletons = Set(row.texts.map(Self.skeleton))
            #expect(sight.texts == row.texts, "\(row.label)")
            for text in sight.passed { #expect(skeletons.contains(Self.skeleton(text)), "\(row.label): \(text)") }
        }
    }
}
