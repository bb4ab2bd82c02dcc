// What clients that interpolate by themselves are told is the motion.

import Base
import Board
import Foundation
import Labels
import Locales
import TestSupport
import Testing
import Tween
import Wire

@Suite struct MotionEncoderTests {
    private static let start = Instant(nanoseconds: 1_700_000_000_000_437_000)

    /// Formats are compiled as the service compiles them.
    private struct Plans: Planner {
        func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
            do { return try NumberPlanCompiler.plan(for: format, decimals: decimals) } catch {
                throw .invalid(field: "format", reason: "\(error)")
            }
        }

        func words(in locale: String) throws(CommandError) -> TimeWords { .english }
    }

    private static func engine() -> Engine { Engine(configuration: Engine.Configuration(planner: Plans())) }

    private static func track(
        _ json: [String], kind: ResourceKind = .ticker, every seconds: Double = 0.5
    ) throws -> (track: Track, now: Instant) {
        var engine = engine()
        let name = ResourceName(kind, "t")
        var now = start
        for (index, body) in json.enumerated() {
            if index > 0 { now = now.advanced(bySeconds: seconds) }
            let update = try UpdateDecoder.update(Array(body.utf8), kind: kind, role: .update)
            _ = try engine.apply(.update(name, update), at: now)
        }
        return (try #require(engine.track(name)), now)
    }

    private static func payload(
        _ json: String..., kind: ResourceKind = .ticker, at seconds: Double = 0
    ) throws -> [String: Any] {
        let (track, now) = try track(json, kind: kind)
        let payload = MotionEncoder.payload(of: track, at: now.advanced(bySeconds: seconds))
        return try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    }

    /// An object's JSON, its names in order.
    private static func text(_ value: Any?) throws -> String {
        guard let value else { return "" }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    }

    // MARK: - The motion

    /// A motion's members, without those that all have.
    private static func motion(_ json: String..., kind: ResourceKind = .ticker) throws -> String {
        let (track, now) = try track(json, kind: kind)
        let payload = MotionEncoder.payload(of: track, at: now)
        let told = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        var motion = try #require(told?["motion"] as? [String: Any])
        for name in ["state", "from", "to", "start", "elapsed"] { motion[name] = nil }
        return try text(motion)
    }

    @Test(arguments: [
        (#"{"to":100}"#, #"{"duration":2,"easing":"linear"}"#),
        (
            #"{"to":100,"easing":"ease-in","delay":1,"endDelay":0.5}"#,
            #"{"delay":1,"duration":2,"easing":"ease-in","endDelay":0.5}"#
        ),
        (
            #"{"to":9,"easing":"cubic-bezier(0.1,0.2,0.3,1.4)"}"#,
            #"{"duration":2,"easing":"cubic-bezier(0.1, 0.2, 0.3, 1.4)"}"#
        ),
        (#"{"to":9,"easing":"steps(4, start)"}"#, #"{"duration":2,"easing":"steps(4, start)"}"#),
        (#"{"to":9,"easing":"linear(0, 0.5 25%, 1)"}"#, #"{"duration":2,"easing":"linear(0 0%, 0.5 25%, 1 100%)"}"#),
        (#"{"to":9,"easing":"easeIn"}"#, #"{"duration":2,"easing":"power-in(2.8)"}"#),
        (
            #"{"to":9,"duration":1,"repeat":2,"autoreverse":true,"repeatDelay":0.25}"#,
            #"{"direction":"alternate","duration":1,"easing":"linear","iterations":6,"repeatDelay":0.25}"#
        ),
        (
            #"{"to":9,"duration":1,"repeat":"forever","direction":"reverse"}"#,
            #"{"direction":"reverse","duration":1,"easing":"linear","iterations":"forever"}"#
        ),
        (#"{"to":9,"duration":1,"rate":-2}"#, #"{"duration":1,"easing":"linear","rate":-2}"#),
        (
            #"{"to":[5,{"to":-3,"offset":0.4},7],"easing":"ease-out"}"#,
            #"{"duration":2,"keyframes":[{"easing":"ease-out","offset":0.2,"to":5},{"easing":"ease-out","offset":0.4,"to":-3},{"easing":"ease-out","offset":1,"to":7}]}"#
        ),
        (#"{"to":100,"clamp":true}"#, #"{"duration":2,"easing":"linear","range":[0,100]}"#),
        (
            #"{"to":76,"easing":"back","repeat":0.5,"clamp":true,"endDelay":1}"#,
            #"{"clamp":[0,76],"duration":2,"easing":"back-out","endDelay":1,"iterations":1.5,"range":[0,76]}"#
        ),
    ])
    func `a motion event has a motion's easing, keyframes, repetition and range`(_ json: String, _ told: String) throws
    {
        #expect(try Self.motion(json) == told)
    }

    @Test func `a spring's motion event has its response, damping, velocity and settling time`() throws {
        let spring = #""spring":{"mass":2,"stiffness":200,"damping":8,"initialVelocity":3}"#
        let motion = try #require(try Self.payload("{\"to\":10,\(spring)}")["motion"] as? [String: Any])
        let shape = try #require(motion["spring"] as? [String: Double])
        let response = try #require(shape["response"])
        #expect(abs(response - 2 * Double.pi / 10) < 1e-15)
        let dampingRatio = try #require(shape["dampingRatio"])
        #expect(abs(dampingRatio - 0.2) < 1e-15)
        #expect(motion["velocity"] as? Double == 30)
        let (track, _) = try Self.track(["{\"to\":10,\(spring)}"])
        #expect(motion["duration"] as? Double == track.run?.motion.cycleDuration)
    }

    @Test func `the motion event of a spring that never decreases has its arrival time`() throws {
        let motion = try #require(
            try Self.payload(#"{"to":10,"clamp":"never-decrease","spring":{"dampingRatio":0.5,"response":0.5}}"#)[
                "motion"]
                as? [String: Any])
        let (track, _) = try Self.track([
            #"{"to":10,"clamp":"never-decrease","spring":{"dampingRatio":0.5,"response":0.5}}"#
        ])
        let arrival = try #require(track.run?.motion.arrival)
        #expect(try abs(#require(motion["arrival"] as? Double) - arrival) < 1e-15)
        #expect(motion["range"] as? [Double] == [0, 10])
    }

    /// Each way in which a velocity is taken over.
    @Test(arguments: [
        (#"{"to":100,"duration":1}"#, #"{"to":200,"duration":1}"#, #"{"ramp":0.6666666666666666}"#),
        (#"{"to":100,"duration":1}"#, #"{"to":60,"duration":1}"#, #"{"chase":9}"#),
        (#"{"to":100,"duration":1}"#, #"{"to":-50,"duration":2}"#, #"{"turn":[100,2]}"#),
        (#"{"to":100,"duration":1}"#, #"{"to":0,"duration":2,"easing":"ease-in-out"}"#, #"{"swerve":[100,2]}"#),
        (
            #"{"to":100,"duration":1}"#, #"{"to":60,"duration":1,"easing":"easeInOut"}"#,
            #"{"chase":10,"easing":"power-in-out(2)"}"#
        ),
        (#"{"to":100,"duration":1}"#, #"{"to":60,"easing":"steps(3)"}"#, ""),
    ])
    func `a retarget's motion event has the form in which the velocity is carried over`(
        _ first: String, _ second: String, _ velocityMatch: String
    ) throws {
        let motion = try #require(try Self.payload(first, second)["motion"] as? [String: Any])
        let (track, _) = try Self.track([first, second])
        #expect(track.run?.motion.handover == 100)
        #expect(try Self.text(motion["launch"]) == velocityMatch)
    }

    @Test func `a motion event's elapsed corrects its millisecond start, and is the place of a paused one`() throws {
        let name = ResourceName(.ticker, "t")
        var engine = Self.engine()
        let update = try UpdateDecoder.update(Array(#"{"to":8,"rate":2}"#.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update), at: Self.start)
        func motion() throws -> [String: Any] {
            let payload = MotionEncoder.payload(of: try #require(engine.track(name)), at: Self.start)
            let told = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
            return try #require(told?["motion"] as? [String: Any])
        }
        #expect(try motion()["start"] as? String == "2023-11-14T22:13:20.000Z")
        #expect(try motion()["elapsed"] as? Double == -0.000_874)
        _ = try engine.apply(.play(name, .pause), at: Self.start.advanced(bySeconds: 0.25))
        #expect(try motion()["state"] as? String == "paused")
        #expect(try motion()["elapsed"] as? Double == 0.5)
    }

    // MARK: - Progress

    @Test(arguments: [
        (#"{"current":50}"#, #"[{"of":"percent","rounding":"trunc"},"%"]"#, "50%"),
        (#"{"current":50,"label":"{value} of {maximum}","maximum":80}"#, #"[{"of":"value"}," of ","80"]"#, "50 of 80"),
        (#"{"current":50,"label":"{fraction}"}"#, #"[{"decimals":[2,2],"of":"fraction","rounding":"trunc"}]"#, "0.50"),
        (#"{"current":50,"maximum":null,"label":"{value}"}"#, #"[{"of":"value"}]"#, "50"),
        (#"{"current":50,"maximum":null,"label":"{target}"}"#, #"["50"]"#, "50"),
        (#"{"current":50,"label":"{current} to {target}"}"#, #"[{"of":"value"}," to ","50"]"#, "50 to 50"),
        (#"{"current":50,"maximum":null}"#, #"["Working…"]"#, "Working…"),
        (#"{"current":50,"decimals":1}"#, #"[{"decimals":[1,1],"of":"percent","rounding":"trunc"},"%"]"#, "50.0%"),
        (#"{"current":50,"label":"{percent}% in {eta}"}"#, "", ""),
    ])
    func `a motion event splits a progress's label into pieces, unless it shows a time`(
        _ json: String, _ label: String, _ rest: String
    ) throws {
        let told = try Self.payload(json, kind: .progress)
        #expect(try Self.text(told["label"]) == label)
        #expect(told["rest"] as? String ?? "" == rest)
    }

    @Test func `a repeating progress stays below a maximum that has been lowered`() throws {
        let name = ResourceName(.progress, "p")
        var engine = Self.engine()
        for json in [
            #"{"current":216,"maximum":347,"duration":0}"#,
            #"{"current":0,"maximum":210,"duration":1,"easing":"steps(8, jump-none)","repeat":1}"#,
        ] {
            let update = try UpdateDecoder.update(Array(json.utf8), kind: .progress, role: .update)
            _ = try engine.apply(.update(name, update), at: Self.start)
        }
        let track = try #require(engine.track(name))
        #expect(track.value(at: Self.start.advanced(bySeconds: 0.05)) == 216)
        #expect(track.value(at: Self.start.advanced(bySeconds: 1.05)) == 210.0.nextDown)
    }

    @Test func `a changed maximum moves with the duration of the progress, in the same motion event`() throws {
        let motion = try Self.payload(
            #"{"current":5,"maximum":10,"animated":false}"#, #"{"current":20,"maximum":20,"duration":2}"#,
            kind: .progress)
        let told = try #require(motion["motion"] as? [String: Any])
        #expect(
            try Self.text(told["maximum"]) == #"{"caps":true,"duration":2,"easing":"ease-in-out","from":10,"to":20}"#)
        #expect(try Self.text(told["range"]) == "[0,null]")
        #expect(motion["rest"] as? String == "100%")
    }

    @Test func `an unfinished progress stays below its maximum`() throws {
        let told = try #require(
            try Self.payload(#"{"current":100}"#, kind: .progress)["motion"] as? [String: Any])
        #expect(told["range"] as? [Double] == [0, 100.0.nextDown])
        #expect(told["maximum"] as? Double == 100)
    }

    // MARK: - Numbers

    @Test(arguments: [
        (#"{"label":"0","to":5}"#, "{}"),
        (
            #"{"label":"Q3: $0,000.00 \"net\"","index":1,"to":-5,"decimals":2}"#,
            #"{"decimals":[2,2],"groups":[3,3,1],"integers":4,"positive":["$",""],"prefix":"Q3: ","suffix":" \"net\""}"#
        ),
        (
            #"{"label":"0","to":5,"format":{"locale":"de-DE","style":"currency","currency":"EUR"}}"#,
            #"{"decimals":[2,2],"groups":[3,3,1],"point":",","positive":[""," €"],"separator":"."}"#
        ),
        (
            #"{"label":"0","to":5,"format":{"style":"percent","sign":"always"}}"#,
            #"{"groups":[3,3,1],"negative":["-","%"],"positive":["+","%"],"shift":2}"#
        ),
        (
            #"{"label":"0","to":5,"format":{"style":"unit","unit":"day","unitDisplay":"long"}}"#,
            #"{"groups":[3,3,1],"plural":"en","words":{"one":" day","other":" days"}}"#
        ),
        (
            #"{"label":"0","to":2500,"format":{"style":"compact"}}"#,
            #"{"compact":{"digits":2,"forms":[[0,0,""],[3,3,"K"]]},"groups":[3,3,2]}"#
        ),
        (
            #"{"label":"0","to":5,"format":{"notation":"engineering"}}"#,
            #"{"decimals":[0,3],"exponent":{"minus":"-","separator":"E","step":3},"groups":[3,3,1]}"#
        ),
        (
            #"{"label":"{n, plural, =0 {none} one {# coin} other {# coins}}","to":5}"#,
            #"{"cardinal":"en","forms":{"=0":["none"],"one":[""," coin"],"other":[""," coins"]}}"#
        ),
        (
            #"{"label":"{n, plural, offset:1 =1 {you} one {# other} other {# others of {n}}}","to":5}"#,
            #"{"cardinal":"en","forms":{"=1":["you"],"one":["",true," other"],"other":["",true," others of ",false,""]},"#
                + #""offset":1}"#
        ),
        (
            #"{"label":"{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}","to":5}"#,
            #"{"forms":{"few":["","rd"],"one":["","st"],"other":["","th"],"two":["","nd"]},"ordinal":"en"}"#
        ),
        (
            #"{"label":"{n, plural, one {a} other {b}}{n, selectordinal, one {st} other {th}}","to":5}"#,
            #"{"cardinal":"en","forms":{"few-one":["bst"],"many-one":["bst"],"one-few":["ath"],"one-many":["ath"],"#
                + #""one-one":["ast"],"one-other":["ath"],"one-two":["ath"],"one-zero":["ath"],"other":["bth"],"#
                + #""other-one":["bst"],"two-one":["bst"],"zero-one":["bst"]},"ordinal":"en"}"#
        ),
        (
            #"{"label":"0:00:00","to":3661}"#, #"{"clock":"hours","groups":[2,2,1],"integers":5,"separator":":"}"#
        ),
        (
            #"{"label":"0","to":5,"format":{"style":"currency","currency":"USD","currencySign":"accounting"}}"#,
            #"{"decimals":[2,2],"groups":[3,3,1],"negative":["($",")"],"negativeZero":true,"positive":["$",""]}"#
        ),
    ])
    func `a motion event describes the number's format, without defaults`(_ json: String, _ told: String) throws {
        #expect(try Self.text(try Self.payload(json)["number"]).replacing("\u{A0}", with: " ") == told)
    }

    @Test func `a number with more digits than a double has its final text in the motion event`() throws {
        #expect(try Self.payload(#"{"to":9007199254740993}"#)["rest"] as? String == "9007199254740993")
        #expect(try Self.payload(#"{"to":9007199254740992}"#)["rest"] == nil)
        let back = #"{"from":9007199254740993,"to":5,"autoreverse":true}"#
        #expect(try Self.payload(back)["rest"] as? String == "9007199254740993")
    }

    /// Each event is far below the frames of a second, whatever the format. (The browser's tests look at 200 more.)
    @Test func `a motion event has at most 600 bytes, and its number format as a rule 250`() throws {
        var random = SeededRandom(seed: 20_261_125)
        var numbers: [Int] = []
        for _ in 0..<40 {
            let json = FormatLottery.update(using: &random)
            guard let (track, now) = try? Self.track([json]) else {
                Issue.record("not a format: \(json)")
                continue
            }
            let payload = MotionEncoder.payload(of: track, at: now)
            #expect(payload.count <= 600, "\(payload.count): \(json) \(String(decoding: payload, as: UTF8.self))")
            let told = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
            numbers.append(try Self.text(told?["number"]).utf8.count)
        }
        numbers.sort()
        #expect(numbers[numbers.count * 3 / 4] <= 250)
    }
}
