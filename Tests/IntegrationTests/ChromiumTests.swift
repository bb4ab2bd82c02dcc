// Easings and timings beside Chromium's own, through the Web Animations API.

import Foundation
import TestSupport
import Testing
import Tween

@Suite struct ChromiumTests {
    private static let effects = 500
    private static let samplesPerEffect = 20

    /// An effect as both sides take it; times in milliseconds, as Web Animations has them.
    private struct Effect: Codable {
        var easing: String
        var duration: Double
        var delay: Double
        var endDelay: Double
        var iterations: Double
        var iterationStart: Double
        var direction: String
        var times: [Double]

        var timing: Timing {
            get throws {
                Timing(
                    duration: duration, delay: delay, endDelay: endDelay, iterations: iterations,
                    iterationStart: iterationStart, direction: try #require(Direction(rawValue: direction)),
                    easing: try Easing(parsing: easing), fill: .both)
            }
        }
    }

    @Test func `ten thousand sampled points are Chromium's`() throws {
        var random = Seeded(state: 20_261_121)
        let effects = (0..<Self.effects).map { Self.effect($0, &random) }
        let theirs = try Self.chromium(effects)
        #expect(theirs.count == effects.count)
        var compared = 0
        for (effect, progresses) in zip(effects, theirs) {
            let timing = try effect.timing
            for (time, progress) in zip(effect.times, progresses) {
                let own = timing.resolution(at: time).progress
                compared += 1
                guard let own, let progress else {
                    #expect(own == nil && progress == nil, "\(effect) at \(time)")
                    continue
                }
                #expect(abs(own - progress) < 1e-5, "\(effect) at \(time): \(own), Chromium has \(progress)")
            }
        }
        #expect(compared == Self.effects * Self.samplesPerEffect)
    }

    // MARK: - Random effects

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        /// A number of few decimals, so that both sides read the same one.
        mutating func number(_ range: ClosedRange<Double>) -> Double {
            (Double.random(in: range, using: &self) * 1_000).rounded() / 1_000
        }
    }

    private static func effect(_ number: Int, _ random: inout Seeded) -> Effect {
        let duration = random.number(100...3_000)
        let delay = number % 3 == 0 ? random.number(-500...500) : 0
        let endDelay = number % 4 == 0 ? random.number(-200...500) : 0
        let iterations = number % 2 == 0 ? 1 : random.number(0...3.5)
        let length = delay + duration * iterations + endDelay
        return Effect(
            easing: easing(number, &random), duration: duration, delay: delay, endDelay: endDelay,
            iterations: iterations, iterationStart: number % 5 == 0 ? random.number(0...2) : 0,
            direction: ["normal", "reverse", "alternate", "alternate-reverse"][number / 2 % 4],
            times: (0..<samplesPerEffect).map { _ in random.number(-100...max(length, 0) + 200) })
    }

    private static func easing(_ number: Int, _ random: inout Seeded) -> String {
        switch number % 4 {
        case 0:
            let x = (random.number(0...1), random.number(0...1))
            return "cubic-bezier(\(x.0), \(random.number(-2...3)), \(x.1), \(random.number(-2...3)))"
        case 1:
            let jump = ["jump-start", "jump-end", "jump-both", "jump-none", "start", "end"].randomElement(
                using: &random)
            return "steps(\(Int.random(in: 2...12, using: &random)), \(jump ?? "end"))"
        case 2:
            let count = Int.random(in: 2...8, using: &random)
            let stops = (0..<count).map { _ in
                let output = random.number(-1...2)
                switch Int.random(in: 0...3, using: &random) {
                case 0: return "\(output) \(random.number(0...100))%"
                case 1: return "\(output) \(random.number(0...50))% \(random.number(50...100))%"
                default: return "\(output)"
                }
            }
            return "linear(\(stops.joined(separator: ", ")))"
        default:
            return ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end"].randomElement(
                using: &random) ?? "linear"
        }
    }

    // MARK: - Chromium

    /// What Chromium's effects give at their times.
    private static func chromium(_ effects: [Effect]) throws -> [[Double?]] {
        let folder = TemporaryFolder()
        let page = URL(filePath: folder.path).appending(path: "page.html")
        let cases = String(decoding: try JSONEncoder().encode(effects), as: UTF8.self)
        let script = """
            const results = cases.map(({easing, times, ...timing}) => {
              const effect = new KeyframeEffect(null, [], {...timing, easing, fill: 'both'});
              const animation = new Animation(effect, document.timeline);
              animation.pause();
              return times.map(time => {
                animation.currentTime = time;
                return effect.getComputedTiming().progress;
              });
            });
            document.body.textContent = 'RESULT' + JSON.stringify(results) + 'END';
            """
        try Data("<!doctype html><meta charset=utf-8><body><script>const cases = \(cases);\n\(script)</script>".utf8)
            .write(to: page)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/chromium")
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=\(folder.path)/profile", "--dump-dom", page.absoluteString,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let start = try #require(text.range(of: "RESULT"), "Chromium gave no result")
        let end = try #require(text.range(of: "END", options: .backwards))
        return try JSONDecoder().decode([[Double?]].self, from: Data(text[start.upperBound..<end.lowerBound].utf8))
    }
}
