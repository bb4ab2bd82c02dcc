// What clients that interpolate by themselves are told is the motion.

import Board
import Foundation
import Primitives
import TestSupport
import Testing
import Tween
import Wire

@Suite struct MotionEncoderTests {
    private struct Told: Decodable {
        struct Motion: Decodable {
            var from: Double
            var to: Double
            var duration: Double
            var easing: String
        }
        var motion: Motion
    }

    private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

    private static func track(_ json: String) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, "t")
        let update = try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: start)
        return try #require(engine.track(name))
    }

    @Test(arguments: [
        #"{"from":0,"to":100,"duration":2}"#, #"{"from":0,"to":1000000,"duration":1,"easing":"ease-in-out"}"#,
        #"{"from":5,"to":-5,"spring":{"stiffness":200,"damping":5}}"#, #"{"to":9,"easing":"bounce"}"#,
        #"{"to":9,"easing":"elastic"}"#, #"{"to":[5,{"to":-3,"offset":0.4},7,0],"easing":"ease-out","duration":2}"#,
        #"{"from":5,"to":-5,"spring":{"dampingRatio":0.4,"initialVelocity":3},"autoreverse":true,"endDelay":1}"#,
        #"{"from":0,"to":10,"duration":1,"repeat":3,"autoreverse":true}"#,
        #"{"from":0,"to":10,"duration":1,"easing":"steps(4)"}"#,
        #"{"from":0,"to":1,"duration":1,"easing":"cubic-bezier(0.99,0,1,0.001)"}"#,
    ])
    func `the curve that is told is the motion's, to within the tolerance`(json: String) throws {
        let track = try Self.track(json)
        let payload = MotionEncoder.payload(of: track, at: Self.start)
        let told = try JSONDecoder().decode(Told.self, from: Data(payload)).motion
        #expect(!told.easing.contains("e-") && !told.easing.contains("null"))
        let easing = try Easing(parsing: told.easing)
        let jumps = json.contains("steps")
        var far = 0
        for part in 0...1_000 {
            let share = Double(part) / 1_000
            let shown = told.from + (told.to - told.from) * easing.value(at: share)
            let value = track.position(at: Self.start.advanced(bySeconds: share * told.duration)).double
            if abs(shown - value) > 2 * MotionEncoder.tolerance * abs(told.to - told.from) { far += 1 }
        }
        // A step is a steep slope, a millionth of the duration wide.
        #expect(far <= (jumps ? 4 : 0))
    }

    private struct Written: Decodable {
        struct Number: Decodable {
            var prefix: String
            var suffix: String
            var decimals: [Int]
            var groups: [Int]
            var negative: [String]
        }
        var number: Number?
    }

    private static func written(_ json: String) throws -> Written.Number? {
        let payload = MotionEncoder.payload(of: try track(json), at: start)
        return try JSONDecoder().decode(Written.self, from: Data(payload)).number
    }

    @Test func `how the number is written goes with the motion`() throws {
        let json = #"{"label":"Q3: $0,000.00 \"net\"","index":1,"to":-5,"decimals":2}"#
        let number = try #require(try Self.written(json))
        #expect(number.prefix == "Q3: " && number.suffix == " \"net\"")
        #expect(number.decimals == [2, 2] && number.groups == [3, 3, 1])
        #expect(number.negative == ["-$", ""])
    }

    @Test func `of a message, whose words follow the number, it isn't told`() throws {
        #expect(try Self.written(#"{"label":"{n, plural, one {# coin} other {# coins}}","to":5}"#) == nil)
    }

    @Test func `numbers are told with the digits that matter`() throws {
        let track = try Self.track(#"{"from":0,"to":100,"duration":2,"easing":"linear"}"#)
        let payload = MotionEncoder.payload(of: track, at: Self.start)
        let told = try JSONDecoder().decode(Told.self, from: Data(payload)).motion
        #expect(told.easing.hasPrefix("linear(0 0%, 0.0625 6.25%, 0.125 12.5%, "))
        #expect(told.easing.hasSuffix(", 0.9375 93.75%, 1 100%)"))
    }
}
