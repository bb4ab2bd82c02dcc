// Random expressions, zones and instants, the same in every run, and what other crons make of them.

import Foundation
import TestSupport
import Testing
import Tween

@testable import RecurrenceRules

/// An expression at an instant in a zone.
struct PeerCase: Sendable, CustomTestStringConvertible {
    let expression: String
    let zone: String
    let start: Int

    var testDescription: String { "\(expression) in \(zone) after \(start)" }
}

/// What a cron answers: its next instants, or why it has none.
struct PeerAnswer: Hashable, Sendable {
    let instants: [Int]
    let refusal: String?

    init(_ text: Substring) {
        instants = text.split(separator: " ").compactMap { Int($0) }
        refusal = text.hasPrefix("-") ? String(text.dropFirst(2)) : nil
    }
}

/// cronsim and croniter, in a virtual environment of the package.
enum Peers {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let python = root.appending(path: ".venv/bin/python")
    static let areInstalled = FileManager.default.isExecutableFile(atPath: python.path)

    /// Asks both about every case.
    static func answers(
        to cases: [PeerCase], zones: [String: ZoneOffsets]
    ) throws -> [(cronsim: PeerAnswer, croniter: PeerAnswer)] {
        let folder = TemporaryFolder()
        let questions = folder.path + "/questions"
        let output = folder.path + "/answers"
        var lines = zones.map { name, zone in
            let changes = zone.periods.dropFirst().map { " \($0.start):\($0.offset)" }.joined()
            return "Z \(name) \(zone.periods[0].offset)\(changes)"
        }
        lines += cases.map { "C \($0.zone) \($0.start) \($0.expression)" }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: questions))
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let script = try #require(Bundle.module.url(forResource: "Resources/peers", withExtension: "py"))
        let process = Process()
        process.executableURL = python
        process.arguments = [script.path]
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: questions))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let text = try String(contentsOf: URL(filePath: output), encoding: .utf8)
        return text.split(separator: "\n").map { line in
            let parts = line.split(separator: "|")
            return (PeerAnswer(parts[0]), PeerAnswer(parts[1]))
        }
    }
}

/// Makes cases.
struct PeerCaseSource {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// - Parameter zones: At most half of the instants lie at random, the others shortly before a change of the zone.
    mutating func next(zones: [String: ZoneOffsets]) -> PeerCase {
        let name = zones.keys.sorted().randomElement(using: &random) ?? "UTC"
        // Until 2011 the clocks of St. John's went back at 00:01, and there cronsim 2.8 never returns.
        let range = (name == "America/St_Johns" ? 1_325_376_000 : 946_684_800)..<2_208_988_800
        var start = Int.random(in: range, using: &random)
        let changes = zones[name]?.periods.filter { range.contains($0.start) } ?? []
        if Bool.random(using: &random), let change = changes.randomElement(using: &random) {
            start = change.start - Int.random(in: 0..<129_600, using: &random)
        }
        return PeerCase(expression: expression(), zone: name, start: start)
    }

    private mutating func expression() -> String {
        var fields = [field(.minute), field(.hour), field(.dayOfMonth), field(.month), field(.dayOfWeek)]
        // Most schedules name no date; and at night the clocks change.
        if chance(60) { fields[2] = "*" }
        if chance(70) { fields[3] = "*" }
        if chance(60) { fields[4] = "*" }
        if chance(40) { fields[1] = "\(Int.random(in: 0...3, using: &random))" }
        return fields.joined(separator: " ")
    }

    private mutating func field(_ field: CronField) -> String {
        let count = [1, 1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
        return (0..<count).map { _ in item(field) }.joined(separator: ",")
    }

    private mutating func item(_ field: CronField) -> String {
        let (low, high) = (field.range.lowerBound, field == .dayOfWeek ? 6 : field.range.upperBound)
        let one = Int.random(in: low...high, using: &random)
        let other = Int.random(in: low...high, using: &random)
        let step = Int.random(in: 1...max(2, high / 2), using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return "*"
        case 1: return "*/\(step)"
        case 2 where one != other: return "\(min(one, other))-\(max(one, other))"
        case 3 where one != other: return "\(min(one, other))-\(max(one, other))/\(step)"
        case 4 where field == .dayOfMonth: return "L"
        case 4 where field == .dayOfWeek: return "\(one)L"
        case 5 where field == .month: return ["jan", "FEB", "Jun", "NOV"].randomElement(using: &random) ?? "JAN"
        case 5 where field == .dayOfWeek: return ["sun", "MON", "Fri", "SAT"].randomElement(using: &random) ?? "SUN"
        case 6 where one < high: return "\(one)/\(step)"
        default: return "\(one)"
        }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}
