// Requests to values, and the field that is at fault named.

import Base
import Board
import Labels
import Testing
import Tween

@testable import Wire

@Suite struct DecoderTests {
    private func ticker(_ json: String) throws -> TrackUpdate {
        try UpdateDecoder.update(Array(json.utf8), kind: .ticker, role: .update)
    }

    @Test func `every field of an update is taken`() throws {
        let update = try ticker(
            #"{"to":"5.00","from":1,"label":"x 1","duration":3,"delay":1,"endDelay":0.5,"easing":"ease-in","repeat":"forever","autoreverse":true,"decimals":2,"milestones":[1,"2.5"],"interrupt":"queue","animated":false,"direction":"reverse","rate":2,"index":0,"clamp":true,"ttl":60,"then":[{"notify":"done"}],"format":{"locale":"de-DE"}}"#
        )
        #expect(update.goal == ExactDecimal(parsing: "5.00").map { .to($0) })
        #expect(update.length == .seconds(3))
        #expect(update.repeats == .infinity)
        #expect(update.interruption == .queue)
        #expect(update.direction == .reverse)
        #expect(update.milestones?.count == 2)
        #expect(update.then?.actions == [.notify(name: "done", data: nil)])
        #expect(update.format?.locale == "de-DE")
    }

    @Test(arguments: [
        (#"{"to":1e999}"#, "/to"), (#"{"to":"abc"}"#, "/to"), (#"{"to":null}"#, "/to"), (#"{"to":true}"#, "/to"),
        (#"{}"#, "/to"), (#"{"to":1,"by":1}"#, "/by"), (#"{"to":1,"duration":-1}"#, "/duration"),
        (#"{"to":1,"duration":31536001}"#, "/duration"), (#"{"to":1,"duration":"slow"}"#, "/duration"),
        (#"{"to":1,"delay":"1"}"#, "/delay"), (#"{"to":1,"easing":"bouncy"}"#, "/easing"),
        (#"{"to":1,"easing":"cubic-bezier(2,0,1,1)"}"#, "/easing"), (#"{"to":1,"easing":5}"#, "/easing"),
        (#"{"to":1,"decimals":-1}"#, "/decimals"), (#"{"to":1,"decimals":21}"#, "/decimals"),
        (#"{"to":1,"decimals":1.5}"#, "/decimals"), (#"{"to":1,"repeat":-1}"#, "/repeat"),
        (#"{"to":1,"interrupt":"maybe"}"#, "/interrupt"), (#"{"to":1,"colour":"red"}"#, "/colour"),
        (#"{"to":1,"a/b~c":1}"#, "/a~1b~0c"), (#"{"to":1,"spring":{}}"#, "/spring"),
        (#"{"to":1,"spring":{"dampingRatio":0}}"#, "/spring"), (#"{"to":1,"spring":{"bounce":0.2}}"#, "/spring"),
        (#"{"to":1,"spring":{"duration":1,"wobble":1}}"#, "/spring/wobble"),
        (#"{"to":1,"spring":"wobbly"}"#, "/spring"),
        (#"{"to":[]}"#, "/to"), (#"{"to":[1,"x"]}"#, "/to/1"), (#"{"to":[{"offset":1}]}"#, "/to/0/to"),
        (#"{"to":[1,{"to":2,"offset":0.5}]}"#, "/to/1/offset"), (#"{"to":[1,2],"spring":"snappy"}"#, "/spring"),
        (#"{"to":[{"to":1,"offset":0.7},{"to":2,"offset":0.6},3]}"#, "/to/1/offset"), (#"{"to":[1],"by":2}"#, "/by"),
        (#"{"to":[{"to":1,"easing":"bouncy"}]}"#, "/to/0/easing"), (#"{"to":[[1]]}"#, "/to/0"),
        (#"{"to":1,"clamp":"never"}"#, "/clamp"), (#"{"to":1,"clamp":1}"#, "/clamp"),
        (#"{"to":1,"easing":"snappy"}"#, "/easing"), (#"{"to":1,"spring":"snappy","duration":1}"#, "/duration"),
        (#"{"to":1,"easing":"ease","spring":{"duration":1}}"#, "/spring"),
        (#"{"to":1,"duration":1,"spring":{"duration":1}}"#, "/duration"),
        (#"{"to":1,"decay":{}}"#, "/decay"), (#"{"decay":{"velocity":1e16}}"#, "/decay/velocity"),
        (#"{"decay":{"timeConstant":0}}"#, "/decay/timeConstant"), (#"{"decay":{"min":2,"max":1}}"#, "/decay/max"),
        (#"{"decay":{"power":1}}"#, "/decay/power"), (#"{"decay":5}"#, "/decay"),
        (#"{"decay":{},"repeat":1}"#, "/repeat"),
        (#"{"decay":{},"duration":1}"#, "/duration"), (#"{"decay":{},"easing":"ease"}"#, "/easing"),
        (#"{"decay":{},"spring":"bouncy"}"#, "/spring"), (#"{"decay":{},"autoreverse":true}"#, "/autoreverse"),
        (#"{"decay":{},"direction":"reverse"}"#, "/direction"),
        (#"{"to":1,"milestones":[1,"x"]}"#, "/milestones/1"), (#"{"to":1,"then":[{}]}"#, "/then/0"),
        (#"{"to":1,"then":[{"ticker":"a b","to":1}]}"#, "/then/0/ticker"),
        (#"{"to":1,"then":[{"webhook":"ftp://x"}]}"#, "/then/0/webhook"), (#"{"to":1,"rate":-1001}"#, "/rate"),
        (#"{"to":1,"format":{"style":"roman"}}"#, "/format/style"), (#"{"to":0.000000000000000000001}"#, "/to"),
        (#"{"to":1,"to":2}"#, "/to"), (#"[1]"#, ""), (#"{"current":1}"#, "/to"),
        (#"{"to":1,"prefix":"a","label":"b"}"#, "/prefix"), (#"{"to":1,"label":"b","suffix":"a"}"#, "/suffix"),
        (#"{"to":1,"prefix":"a","index":1}"#, "/index"), (#"{"to":1,"prefix":5}"#, "/prefix"),
    ])
    func `an update with a bad field is refused with a JSON pointer to it`(json: String, pointer: String) {
        let problem = #expect(throws: Problem.self) { try ticker(json) }
        #expect(problem?.status == 422)
        // An unknown name may be found before a missing one.
        #expect(problem?.pointer == pointer || json.contains("current") && problem?.pointer == "/current")
    }

    @Test(arguments: [
        (#"{"too":1}"#, "/too", "to"), (#"{"to":1,"duraton":2}"#, "/duraton", "duration"),
        (#"{"to":1,"end_delay":2}"#, "/end_delay", "endDelay"),
        (#"{"to":1,"intterrupt":"queue"}"#, "/intterrupt", "interrupt"),
        (#"{"to":1,"format":{"curency":"EUR"}}"#, "/format/curency", "currency"),
        (#"{"to":1,"then":[{"notify":"a","dat":1}]}"#, "/then/0/dat", "data"), (#"{"to":1,"speed":2}"#, "/speed", nil),
        (#"{"to":1,"current":1}"#, "/current", "to"),
    ])
    func `a misspelt field is answered with the one that was meant`(json: String, pointer: String, meant: String?) {
        let problem = #expect(throws: Problem.self) { try ticker(json) }
        #expect(problem?.pointer == pointer)
        #expect(problem?.detail == "unknown field" + (meant.map { "; did you mean \($0)?" } ?? ""))
    }

    @Test(arguments: [
        (#"{"to":12}"#, ResourceKind.progress, "did you mean current?"),
        (#"{"value":12}"#, .progress, "did you mean current?"),
        (#"{"current":12,"total":50}"#, .progress, "did you mean maximum?"),
        (#"{"percent":12}"#, .progress, "did you mean current? The percentage is its share of `maximum`"),
        (#"{"value":12}"#, .ticker, "did you mean to?"), (#"{"current":12}"#, .ticker, "did you mean to?"),
        (#"{"to":12,"maximum":50}"#, .ticker, "only a progress has one"),
        (#"{"to":12,"text":"{value}"}"#, .ticker, "did you mean label?"),
        (#"{"increment":1}"#, .ticker, "did you mean by?"), (#"{"delta":1}"#, .progress, "did you mean by?"),
        (#"{"to":12,"seq":1}"#, .ticker, "did you mean sequence?"),
    ])
    func `a field name of other APIs is refused with a suggestion of ours`(
        json: String, kind: ResourceKind, hint: String
    ) throws {
        let problem = #expect(throws: Problem.self) {
            try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
        }
        #expect(problem?.detail == "unknown field; \(hint)")
        // A line of a batch is answered likewise, and so is an action.
        let line = #"{"\#(kind)":"a",\#(json.dropFirst())"#
        let inBatch = #expect(throws: Problem.self) { try BatchDecoder.command(Array(line.utf8)[...]) }
        #expect(inBatch?.detail == problem?.detail && inBatch?.pointer == problem?.pointer)
        let inAction = #expect(throws: Problem.self) { try ticker(#"{"to":1,"then":[\#(line)]}"#) }
        #expect(inAction?.detail == problem?.detail)
        #expect(inAction?.pointer == "/then/0" + (problem?.pointer ?? ""))
    }

    @Test(arguments: [
        (#"{"to":12}"#, ResourceKind.ticker, "`PUT` moves nothing; send it with `POST`"),
        (#"{"value":12}"#, .ticker, "`PUT` moves nothing; send it with `POST`"),
        (#"{"current":12}"#, .progress, "`PUT` moves nothing; send it with `POST`"),
        (#"{"max":12}"#, .progress, "did you mean maximum?"), (#"{"lable":"a"}"#, .ticker, "did you mean label?"),
    ])
    func `a PUT with a target is refused with a hint to use POST`(json: String, kind: ResourceKind, hint: String) {
        let problem = #expect(throws: Problem.self) {
            try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .definition)
        }
        #expect(problem?.detail == "unknown field; \(hint)")
    }

    @Test func `a POST to a ticker with a label alone is refused with a hint to use PUT`() {
        let problem = #expect(throws: Problem.self) { try ticker(#"{"label":"12 readers"}"#) }
        #expect(problem?.pointer == "/to")
        #expect(problem?.detail.hasSuffix("to set only a label, send it with `PUT`") == true)
    }

    @Test(arguments: ["label", "prefix", "suffix"])
    func `an action may change a part of a ticker's text alone`(field: String) throws {
        let update = try ticker(#"{"to":5,"then":[{"ticker":"b","\#(field)":"Done 1 "}]}"#)
        #expect(update.then?.actions.count == 1)
    }

    @Test func `a second target is refused, for a progress with a hint to maximum`() {
        let problem = #expect(throws: Problem.self) {
            try UpdateDecoder.update(Array(#"{"current":12,"max":50}"#.utf8), kind: .progress, role: .update)
        }
        #expect(problem?.pointer == "/max" && problem?.detail.hasSuffix("; did you mean maximum?") == true)
        let other = #expect(throws: Problem.self) { try ticker(#"{"to":12,"max":50}"#) }
        #expect(other?.pointer == "/max" && other?.detail.hasSuffix("or the other one") == true)
    }

    @Test(arguments: ["", " \n "]) func `an empty body gets a 400 that says it is empty`(text: String) {
        let problem = #expect(throws: Problem.self) { try ticker(text) }
        #expect(problem?.status == 400 && problem?.detail.hasPrefix("empty, where JSON is expected") == true)
    }

    @Test func `a decay may have a velocity, a time constant and bounds, all optional`() throws {
        #expect(try ticker(#"{"decay":{}}"#).goal == .decay(TrackUpdate.Decay()))
        let decay = try ticker(#"{"decay":{"velocity":-8.5,"timeConstant":2,"min":"1.50","max":9}}"#).goal
        let wanted = TrackUpdate.Decay(
            velocity: -8.5, timeConstant: 2, minimum: ExactDecimal(parsing: "1.50"), maximum: ExactDecimal(9))
        #expect(decay == .decay(wanted))
    }

    @Test(arguments: [
        (#"{"current":1,"maximum":-1}"#, "/maximum"), (#"{"current":1,"maximum":-5}"#, "/maximum"),
        (#"{"current":1,"appearance":{"shape":"blob"}}"#, "/appearance/shape"), (#"{"to":1}"#, "/to"),
        (#"{"current":1,"appearance":{\#((0..<128).map { "\"a\($0)\":0," }.joined())"shape":"blob"}}"#, "/appearance"),
        ("{}", "/current"),
    ])
    func `a progress refuses a ticker's target and bad values of its own fields`(json: String, pointer: String) {
        let problem = #expect(throws: Problem.self) {
            try UpdateDecoder.update(Array(json.utf8), kind: .progress, role: .update)
        }
        #expect(problem?.pointer == pointer)
    }

    @Test func `a milestone that is listed twice is one`() throws {
        let update = try ticker(#"{"to":100,"milestones":[50,{"at":50,"do":[{"notify":"n"}]},50,"60"]}"#)
        #expect(update.milestones == [ExactDecimal(50), ExactDecimal(60)])
        #expect(update.milestoneActions?.entries.count == 1)
    }

    @Test func `a PUT with a target is refused at its field`() {
        let problem = #expect(throws: Problem.self) {
            try UpdateDecoder.update(Array(#"{"label":"a","to":1}"#.utf8), kind: .ticker, role: .definition)
        }
        #expect(problem?.pointer == "/to")
    }

    @Test func `actions beyond the limit of depth or number are refused`() {
        var json = #"{"to":1}"#
        for _ in 0...ActionList.maximumDepth {
            json = #"{"to":1,"then":[{"ticker":"a",\#(json.dropFirst())]}"#
        }
        #expect(throws: Problem.self) { try ticker(json) }
        let many = Array(repeating: #"{"notify":"n"}"#, count: ActionList.maximumCount + 1).joined(separator: ",")
        #expect(throws: Problem.self) { try ticker(#"{"to":1,"then":[\#(many)]}"#) }
    }

    @Test func `start names another motion and an offset, and anything else is refused at its field`() throws {
        let update = try ticker(#"{"to":1,"start":{"after":"progress:a:b","offset":-0.5}}"#)
        #expect(update.start == MotionAnchor(.after, ResourceName(.progress, "a:b"), offset: -0.5))
        for (start, pointer) in [
            ("5", "/start"), ("{}", "/start"), (#"{"with":"a"}"#, "/start/with"),
            (#"{"with":"schedule:a"}"#, "/start/with"), (#"{"with":"ticker:"}"#, "/start/with"),
            (#"{"with":"ticker:a","after":"ticker:b"}"#, "/start/after"),
            (#"{"with":"ticker:a","offset":"1"}"#, "/start/offset"), (#"{"with":"ticker:a","x":1}"#, "/start/x"),
        ] {
            let problem = #expect(throws: Problem.self) { try ticker(#"{"to":1,"start":\#(start)}"#) }
            #expect(problem?.pointer == pointer)
        }
    }

    @Test(
        arguments: [
            (#"{"ticker":"a","to":5}"#, "update"), (#"{"op":"pause","progress":"b"}"#, "play"),
            (#"{"op":"delete","schedule":"s"}"#, "remove"), (#"{"op":"seek","ticker":"a","fraction":0.5}"#, "play"),
            (#"{"op":"explode","ticker":"a"}"#, nil), (#"{"to":5}"#, nil), (#"{"op":"pause","ticker":"a","x":1}"#, nil),
            (#"{"schedule":"s"}"#, nil), ("oops", nil),
        ] as [(String, String?)])
    func `a batch line decodes as an update or an operation, and as nothing else`(line: String, kind: String?) {
        let command = try? BatchDecoder.command(Array(line.utf8)[...])
        #expect(command.map { String("\($0)".prefix { $0.isLetter }) } == kind)
    }
}
