// What clients compute from a `motion` event, beside what the server shows: the viewer's modules in the browser, the lines of
// docs/motions.md and the Python package in Python.

import Base
import Board
import Foundation
import TestSupport
import Testing
import Tween
import Wire

@Suite struct MotionComparisonTests {
    /// The event of a motion, and what the server shows at moments of it. Doubles are bytes: text would take most of the time.
    private struct Question: Encodable {
        let event: String
        /// Seconds since the motion's start.
        let seconds: Data
        let values: Data
        /// How far each value moves in the last bits of its time: a steep easing multiplies what they differ in.
        let blurs: Data
    }

    private struct Answer: Decodable {
        let count: Int
        /// Values with the same bits.
        let equal: Int
        /// The greatest difference as a share of the reach: of the greatest of its values and ends.
        let worst: Double
        let description: String
    }

    /// A library's exponential function may differ from another's in the last bit, and a value has several.
    private static let tolerance = 2e-15
    /// A time is a sum and a quotient of others, each rounded.
    private static let lastBitsOfTime = 4.0

    @Test(
        .enabled(if: Chromium.isInstalled, Comment(rawValue: Chromium.missing)), .tags(.random),
        arguments: Seeds.seeds([2026]))
    func `the viewer's JavaScript computes the values the server shows`(seed: UInt64) throws {
        let questions = try Self.questions(seed: seed, motions: 1_500, moments: 100)
        let motions = try Self.output(
            of: "/usr/bin/esbuild",
            ["public/js/motion.js", "--bundle", "--format=iife", "--global-name=viewer", "--log-level=warning"])
        let library = String(decoding: motions, as: UTF8.self)
        let answer = try Chromium.answer(of: "motions.js", with: library, to: questions, as: Answer.self)
        #expect(answer.count == 150_000 && answer.worst <= Self.tolerance, "\(answer)")
        #expect(answer.equal > 145_000, "\(answer)")
    }

    @Test(.tags(.random), arguments: ["page", "package"], Seeds.seeds([2026]))
    func `the Python formulas and package compute the values the server shows`(
        formulas: String, seed: UInt64
    ) throws {
        let questions = try Self.questions(seed: seed, motions: 300, moments: 40)
        let script = "Tests/ComparisonTests/Pages/motions.py"
        let input = try JSONEncoder().encode(questions)
        let answer = try JSONDecoder().decode(
            Answer.self, from: try Self.output(of: "/usr/bin/python3", [script, formulas], reading: input))
        #expect(answer.count == 12_000 && answer.worst <= Self.tolerance, "\(answer)")
    }

    // MARK: - Motions

    private static func questions(seed: UInt64, motions: Int, moments: Int) throws -> [Question] {
        var random = SeededRandom(seed: seed)
        var questions: [Question] = []
        // An update may contradict itself: a progress has no keyframes, and `never-decrease` no easing that goes back.
        for _ in 0..<motions * 20 where questions.count < motions {
            if let question = try? question(&random, moments: moments) { questions.append(question) }
        }
        try #require(questions.count == motions)
        return questions
    }

    private struct MovesNothing: Error {}

    /// - Throws: if an update is rejected, or moves nothing.
    private static func question(_ random: inout SeededRandom, moments: Int) throws -> Question {
        let isProgress = random.chance(0.25)
        let name = ResourceName(isProgress ? .progress : .ticker, "a")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        var now = Instant(nanoseconds: 0)
        for index in 0..<(random.chance(0.4) ? 2 : 1) {
            if index == 1 { now = now.advanced(byNanoseconds: Int64(random.int(10...400)) * 1_000_000) }
            _ = engine.advance(to: now)
            let text = RandomUpdate.text(&random, isProgress: isProgress, isFirst: index == 0)
            let update = try UpdateDecoder.update(Array(text.utf8), kind: name.kind, role: .update)
            _ = try engine.apply(Command.update(name, update), at: now)
        }
        guard let track = engine.track(name), let run = track.run else { throw MovesNothing() }
        let span = min(run.motion.end?.seconds(since: now) ?? 10, 20) * 1.05
        // Not the first moment: on the end of an easing that jumps there, a last bit would decide.
        let instants = (0..<moments).map { now.advanced(bySeconds: span * (Double($0) + 0.5) / Double(moments)) }
        return Question(
            event: String(decoding: MotionEncoder.payload(of: track, at: now), as: UTF8.self),
            seconds: data(of: instants.map { $0.seconds(since: now) }),
            values: data(of: instants.map { track.value(at: $0) }),
            blurs: data(of: instants.map { blur(of: track, at: $0) }))
    }

    private static func blur(of track: Track, at instant: Instant) -> Double {
        let (before, after) = (instant.advanced(byNanoseconds: -1), instant.advanced(byNanoseconds: 1))
        let slope = (track.value(at: after) - track.value(at: before)).magnitude / 2e-9
        return slope * lastBitsOfTime * instant.seconds(since: Instant(nanoseconds: 0)).ulp
    }

    private static func data(of numbers: [Double]) -> Data {
        Data(numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) } })
    }

    // MARK: - Programs

    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func output(of program: String, _ arguments: [String], reading input: Data = Data()) throws -> Data {
        let folder = TemporaryFolder()
        let file = URL(filePath: folder.path).appending(path: "input")
        try input.write(to: file)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = project
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return withExtendedLifetime(folder) { data }
    }
}
