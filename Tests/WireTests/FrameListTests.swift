// Numbers at other instants than now, and lists of them: equal to what is shown then, and refused where nothing is known.

import Base
import Board
import Foundation
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct FrameListTests {
    private static let start = Instant(nanoseconds: 1_800_000_000_000_000_000)

    private static func after(_ seconds: Double) -> Instant { start.advanced(bySeconds: seconds) }

    /// A number after updates, each at its second.
    private static func track(
        _ updates: [(Double, String)], of kind: ResourceKind = .ticker,
        playing operations: [(Double, PlaybackOperation)] = [], until seconds: Double
    ) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(kind, "a")
        for (second, json) in updates {
            _ = engine.advance(to: after(second))
            let update = try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
            _ = try engine.apply(Command.update(name, update), at: after(second))
        }
        for (second, operation) in operations {
            _ = engine.advance(to: after(second))
            _ = try engine.apply(Command.play(name, operation), at: after(second))
        }
        _ = engine.advance(to: after(seconds))
        return try #require(engine.track(name))
    }

    private static func state(_ track: Track, _ time: String, now: Double) throws -> State {
        let time = try #require(MomentTime(time))
        let body = try MomentEncoder.body(of: track, at: time, now: after(now))
        return try JSONDecoder().decode(State.self, from: Data(body))
    }

    /// The fields of a state that tests look at.
    private struct State: Decodable {
        struct Motion: Decodable { let state: String }
        let value: Double
        let text: String
        let target: Double?
        let source: String
        let at: String?
        let motion: Motion?
        let ticker: String?
        let time: Double?
    }

    private struct List: Decodable {
        let ticker: String
        let from: String
        let frames: [State]
    }

    private static let linear = #"{"label":"0 l","from":0,"to":100,"duration":10,"easing":"linear"}"#

    @Test func `a moving number's value is known at any time between start and end of its motion`() throws {
        let track = try Self.track([(0, Self.linear)], until: 5)
        for (time, value, text) in [("0", 0, "0 l"), ("2.5", 25, "25 l"), ("7", 70, "70 l"), ("10", 100, "100 l")] {
            let state = try Self.state(track, time, now: 5)
            #expect(state.value == Double(value) && state.text == text, "\(time)")
            #expect(state.source == "motion" && state.target == 100)
            #expect(state.at == Timestamp.text(Self.after(Double(time) ?? -1)))
        }
        let date = try Self.state(track, Timestamp.text(Self.after(2.5)), now: 5)
        #expect(date.value == 25)
        #expect(throws: Problem.self) { try Self.state(track, "10.001", now: 5) }
    }

    @Test(arguments: [
        (#""to":55,"duration":2.1,"rate":0.7,"easing":"step-end""#, 2.0, 3.0),
        (#""to":55,"duration":0.3,"delay":20.1,"easing":"steps(5)""#, 60, 20.4),
        (#""to":55,"duration":0.3,"delay":20.1,"easing":"linear""#, 60, 20.4),
        (#""to":55,"duration":0.2,"repeat":0.5,"delay":20.1,"easing":"steps(2)""#, 60, 20.4),
    ])
    func `the last frame of a list is the target, although seconds and nanoseconds round differently`(
        motion: String, framesPerSecond: Double, seconds: Double
    ) throws {
        let track = try Self.track([(0, #"{"label":"0 l","from":0,\#(motion)}"#)], until: 0.5)
        let end = try #require(track.run?.motion.destination)
        let all = FrameList.Selection(framesPerSecond: framesPerSecond)
        let text = try Self.text(track, all, as: .json, now: 0.5)
        let last = try #require(try JSONDecoder().decode(List.self, from: Data(text.utf8)).frames.last)
        #expect(last.value == end && last.text == "\(Int(end.rounded())) l")
        let state = try Self.state(track, "\(seconds)", now: 0.5)
        #expect(state.value == end)
    }

    @Test func `before a motion the earlier targets are known, and times before the first are refused`() throws {
        let updates = [(0, Self.linear), (20.0, #"{"to":0,"duration":10,"easing":"linear"}"#)]
        let track = try Self.track(updates, until: 25)
        let then = try Self.state(track, Timestamp.text(Self.after(3)), now: 25)
        #expect(then.source == "target" && then.value == 100 && then.target == 100)
        #expect(then.motion?.state == "idle")
        #expect(try Self.state(track, Timestamp.text(Self.after(22)), now: 25).value == 80)
        let problem = #expect(throws: Problem.self) { try Self.state(track, "2020-01-01T00:00:00Z", now: 25) }
        #expect(problem?.status == 422 && problem?.pointer == "?at" && problem?.detail.contains("2027-") == true)
    }

    @Test func `a number at rest is known from its arrival until now, and later times are refused`() throws {
        let track = try Self.track([(0, Self.linear)], until: 30)
        for (seconds, source) in [(10.0, "rest"), (30, "rest"), (4, "target")] {
            let state = try Self.state(track, Timestamp.text(Self.after(seconds)), now: 30)
            #expect(state.source == source && state.text == "100 l", "\(seconds)")
        }
        for time in [Timestamp.text(Self.after(31)), "1"] {
            let problem = #expect(throws: Problem.self) { try Self.state(track, time, now: 30) }
            #expect(problem?.status == 422 && problem?.pointer == "?at")
        }
    }

    @Test func `a motion's start and end as printed dates give its first and last values`() throws {
        // Dates are cut to milliseconds.
        let json = #"{"label":"0.00 l","decimals":2,"from":0,"to":100,"duration":10.0004567,"easing":"linear"}"#
        for kind in [ResourceKind.ticker, .progress] {
            let json = kind == .ticker ? json : #"{"current":100,"duration":10.0004567,"easing":"linear"}"#
            let track = try Self.track([(0.000_123_4, json)], of: kind, until: 5)
            let motion = try #require(track.run?.motion)
            let end = try #require(motion.end)
            for (date, value) in [(motion.playback.startTime, 0.0), (end, 100)] {
                let state = try Self.state(track, Timestamp.text(date), now: 5)
                #expect(state.value == value && state.source == "motion", "\(kind) \(date)")
            }
            #expect(try Self.state(track, "0", now: 5).value == 0)
            let selection = FrameList.Selection(
                from: MomentTime(Timestamp.text(motion.playback.startTime)), to: MomentTime(Timestamp.text(end)))
            let lines = try Self.text(track, selection, as: .csv).split(separator: "\r\n")
            #expect(lines[1].hasPrefix("0,0,") && lines.last?.contains(",100,") == true)
            #expect(try Self.text(track, selection, as: .csv) == Self.text(track, FrameList.Selection(), as: .csv))
        }
    }

    @Test func `at its motion's end a progress shows 100 percent, as its last frame does`() throws {
        let json = #"{"label":"{percent}% {eta}","current":100,"duration":2}"#
        let track = try Self.track([(0, #"{"current":0,"duration":0}"#), (1, json)], of: .progress, until: 2)
        #expect(try Self.state(track, "2", now: 2).text == "100% 0:00")
        let list = try Self.text(track, as: .csv, now: 2)
        #expect(list.contains("\"100% 0:00\",motion\r\n") && !list.contains("100% –"))
    }

    @Test(arguments: ["{eta}", "{rate}", "{words}"])
    func `a time label at a motion's end shows what the progress shows once ended`(label: String) throws {
        func update(_ current: Int, _ duration: Double) -> String {
            #"{"label":"\#(label)","current":\#(current),"duration":\#(duration)}"#
        }
        let updates = [(0, update(0, 0)), (0.3, update(30, 1)), (0.5, update(60, 1))]
        let moving = try Self.track(updates, of: .progress, until: 1)
        let ended = try Self.track(updates, of: .progress, until: 1.5)
        let text = String(decoding: ended.reading(at: Self.after(1.5)).text, as: UTF8.self)
        #expect(ended.run == nil && !text.isEmpty && text != "–")
        #expect(try Self.state(moving, "1", now: 1).text == text)
        #expect(try Self.text(moving, as: .csv, now: 1).contains("\"\(text)\",motion\r\n"))
    }

    @Test func `a requested locale changes the text, not the posted label`() throws {
        let track = try Self.track([(0, Self.linear)], until: 5)
        let other = try Self.track([(0, #"{"label":"0 Liter","to":1,"duration":0}"#)], until: 0)
        let time = try #require(MomentTime("5"))
        let body = try MomentEncoder.body(of: track, as: other.rendering, at: time, now: Self.after(5))
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains(#""text":"50 Liter""#) && text.contains(#""label":"0 l""#))
    }

    @Test func `seconds are refused before a seek or rate change, and for a reversed motion`() throws {
        let changed = try Self.track([(0, Self.linear)], playing: [(4, .seekSeconds(1)), (5, .rate(2))], until: 6)
        let problem = #expect(throws: Problem.self) { try Self.state(changed, "0", now: 6) }
        #expect(problem?.pointer == "?at" && problem?.detail.contains("known since then") == true)
        let reversed = try Self.track([(0, Self.linear)], playing: [(4, .rate(-1))], until: 5)
        #expect(throws: Problem.self) { try Self.state(reversed, "1", now: 5) }
        #expect(try Self.state(reversed, Timestamp.text(Self.after(6)), now: 5).value == 20)
    }

    @Test func `the text of a past instant leaves out the elapsed time it cannot know`() throws {
        let json = #"{"label":"{value} {elapsed}","current":5,"duration":0}"#
        let track = try Self.track([(0, json)], of: .progress, playing: [(10, .pause)], until: 20)
        #expect(try Self.state(track, Timestamp.text(Self.after(15)), now: 20).text == "5 0:10")
        #expect(try Self.state(track, Timestamp.text(Self.after(5)), now: 20).text == "5 –")
    }

    @Test func `after a pause, values are known from the pause on, and later ones are refused`() throws {
        let track = try Self.track([(0, Self.linear)], playing: [(4, .pause)], until: 6)
        #expect(try Self.state(track, Timestamp.text(Self.after(5)), now: 6).value == 40)
        #expect(try Self.state(track, Timestamp.text(Self.after(2)), now: 6).source == "target")
        #expect(throws: Problem.self) { try Self.state(track, Timestamp.text(Self.after(7)), now: 6) }
        #expect(throws: Problem.self) { try Self.state(track, "5", now: 6) }
        let resumed = try Self.track([(0, Self.linear)], playing: [(4, .pause), (6, .resume)], until: 6)
        // The motion's start is two seconds later now.
        #expect(try Self.state(resumed, "5", now: 6).value == 50)
    }

    @Test(arguments: ["", "x", "-1", "1e99", "nan", "2026-02-30T00:00:00Z", "0x10", "now"])
    func `a malformed instant is refused`(text: String) {
        #expect(MomentTime(text) == nil)
    }

    @Test func `a date whose plus sign became a space is accepted`() {
        #expect(MomentTime("2026-01-01T01:00:00 01:00") == MomentTime("2026-01-01T00:00:00Z"))
    }

    // MARK: - Lists

    private static func text(
        _ track: Track, _ selection: FrameList.Selection = FrameList.Selection(), as form: FrameList.Form,
        now: Double = 5
    ) throws -> String {
        var writer = FrameListWriter(try FrameList(of: track, selection, at: after(now)), as: form)
        return String(decoding: writer.portion(of: .max).bytes, as: UTF8.self)
    }

    @Test func `a list of frames follows the motion and ends with its last frame`() throws {
        let track = try Self.track([(0, Self.linear)], until: 5)
        var selection = FrameList.Selection(framesPerSecond: 0.3)
        let list = try JSONDecoder().decode(List.self, from: Data(try Self.text(track, selection, as: .json).utf8))
        #expect(list.ticker == "a" && list.from == Timestamp.text(Self.start))
        let times: [Double] = [0, 1 / 0.3, 2 / 0.3, 10]
        #expect(list.frames.compactMap(\.time) == times)
        #expect(list.frames.map { $0.text } == ["0 l", "33 l", "67 l", "100 l"])
        selection.framesPerSecond = 60
        let lines = try Self.text(track, selection, as: .ndjson).split(separator: "\n")
        #expect(lines.count == 601)
        for (index, line) in lines.enumerated() {
            let frame = try JSONDecoder().decode(State.self, from: Data(line.utf8))
            let shown = track.reading(at: Self.after(Double(index) / 60))
            #expect(frame.value == shown.value.double && frame.ticker == "a", "\(index)")
        }
    }

    @Test(arguments: FrameList.Form.allCases)
    func `a list written in portions equals the list written at once`(form: FrameList.Form) throws {
        let label = String(repeating: "é", count: 100)
        let json = #"{"label":"\#(label) 0","from":0,"to":100,"duration":10,"milestones":[50],"then":[{"notify":"n"}]}"#
        let track = try Self.track([(0, json), (1, #"{"to":7,"interrupt":"queue","duration":1}"#)], until: 5)
        let list = try FrameList(of: track, FrameList.Selection(framesPerSecond: 60), at: Self.after(5))
        var whole = FrameListWriter(list, as: form)
        let (expected, isWhole) = whole.portion(of: .max)
        #expect(isWhole && expected.count > 100_000)
        var writer = FrameListWriter(list, as: form)
        var (bytes, isLast, count) = ([UInt8](), false, 0)
        while !isLast {
            let portion = writer.portion(of: 1_000)
            #expect(portion.bytes.count < 1_500)
            bytes += portion.bytes
            isLast = portion.isLast
            count += 1
        }
        #expect(bytes == expected && count > 100)
    }

    @Test func `a list at rest is one frame`() throws {
        let track = try Self.track([(0, Self.linear)], until: 30)
        let list = try Self.text(track, as: .csv, now: 30)
        #expect(list == "time,value,text,source\r\n0,100,\"100 l\",rest\r\n")
    }

    @Test func `a CSV list quotes its texts and has columns for a progress's fraction and percent`() throws {
        let json = #"{"label":"a \"b\", {percent}\r\n=1","maximum":200,"current":50,"duration":0}"#
        let progress = try Self.track([(0, json)], of: .progress, until: 1)
        let list = try Self.text(progress, as: .csv, now: 1)
        #expect(list.hasPrefix("time,value,fraction,percent,text,source\r\n0,50,0.25,25,\"a \"\"b\"\", 25"))
        #expect(list.hasSuffix("=1\",rest\r\n"))
        let waiting = #"{"indeterminate":"Waiting","maximum":null,"duration":0}"#
        let unknown = try Self.track([(0, waiting)], of: .progress, until: 1)
        #expect(try Self.text(unknown, as: .csv, now: 1).contains("\r\n0,0,,,\"Waiting\",rest\r\n"))
    }

    @Test func `a CSV list contains no terminal control characters`() throws {
        let json = #"{"label":"\u001b[J\u0007\u009bm 0","to":5,"duration":0}"#
        let list = try Self.text(try Self.track([(0, json)], until: 1), as: .csv, now: 1)
        #expect(list.hasSuffix("\r\n0,5,\"[Jm 5\",rest\r\n"))
    }

    @Test func `a frame list that is too long, backwards or endless is refused with its parameter`() throws {
        let track = try Self.track([(0, Self.linear)], until: 5)
        let endless = try Self.track(
            [(0, #"{"from":0,"to":1,"duration":1,"repeat":"forever"}"#)], until: 5)
        for (track, selection, field) in [
            (track, FrameList.Selection(framesPerSecond: 360.1), "?fps"),
            (track, FrameList.Selection(from: .sinceStart(2), to: .sinceStart(1)), "?to"),
            (track, FrameList.Selection(to: .sinceStart(11)), "?to"),
            (track, FrameList.Selection(from: .date(Instant(nanoseconds: 0))), "?from"),
            (endless, FrameList.Selection(), "?to"),
        ] {
            let problem = #expect(throws: Problem.self) { try Self.text(track, selection, as: .json) }
            #expect(problem?.status == 422 && problem?.pointer == field, "\(String(describing: problem))")
        }
        let most = try Self.text(track, FrameList.Selection(framesPerSecond: 360), as: .ndjson)
        #expect(most.utf8.count(where: { $0 == 10 }) == 3_601)
        // Of a longer time there are fewer a second, as many as fit.
        let hour = try Self.text(endless, FrameList.Selection(to: .sinceStart(3_600)), as: .csv)
        #expect(hour.utf8.count(where: { $0 == 10 }) == 3_602)
        let minute = FrameList.Selection(to: .sinceStart(59.9))
        #expect(try Self.text(endless, minute, as: .csv).utf8.count(where: { $0 == 10 }) == 3_596)
    }
}
