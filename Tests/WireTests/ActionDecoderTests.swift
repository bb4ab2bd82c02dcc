// Actions from JSON: those that lines of a batch have too, those with a delay, and what is at fault by its pointer.

import Base
import Board
import RecurrenceRules
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct ActionDecoderTests {
    private struct Hours: CalendarRules {
        func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence {
            guard text == "@hourly" else { throw RecurrenceError(field: "every", reason: "none") }
            return CalendarRecurrence(text: text) { instant, _ in instant.advanced(bySeconds: 3_600) }
        }
    }

    private func update(_ actions: String, _ name: String = "then") throws -> TrackUpdate {
        try UpdateDecoder.update(
            Array(#"{"to":1,"\#(name)":\#(actions)}"#.utf8), kind: .ticker, role: .update, rules: Hours())
    }

    private func action(_ json: String) throws -> Action? { try update("[\(json)]").then?.actions.first }

    @Test(arguments: [
        #"{"op":"pause","ticker":"a"}"#, #"{"op":"resume","progress":"a"}"#, #"{"op":"cancel","ticker":"a"}"#,
        #"{"op":"finish","ticker":"a"}"#, #"{"op":"seek","ticker":"a","fraction":0.5}"#,
        #"{"op":"seek","progress":"a","seconds":2}"#, #"{"op":"rate","ticker":"a","rate":2}"#,
        #"{"op":"delete","ticker":"a"}"#, #"{"op":"delete","schedule":"a"}"#, #"{"op":"pause","schedule":"a"}"#,
        #"{"op":"resume","schedule":"a"}"#, #"{"op":"cancel","schedule":"a"}"#, #"{"progress":"a","by":1}"#,
        #"{"ticker":"a","to":5,"duration":3,"delay":2}"#,
    ])
    func `an action decodes to the same command as the line of a batch with its JSON`(json: String) throws {
        let command = try BatchDecoder.command(Array(json.utf8)[...])
        #expect(try action(json) == .command(command))
    }

    @Test func `an action may create a schedule, also one with a calendar rule`() throws {
        guard
            case .command(.schedule(let name, let definition))? = try action(
                #"{"schedule":{"id":"s","every":"@hourly","do":[{"notify":"n"}]}}"#)
        else {
            Issue.record("no schedule")
            return
        }
        #expect(name == ResourceName(.schedule, "s") && definition.actions.actions == [.notify(name: "n", data: nil)])
        #expect(definition.plan.recurrence == .calendar(try Hours().recurrence("@hourly", zone: nil)))
    }

    @Test(arguments: [
        (#"{"notify":"n","data":{"a":1}}"#, #"{"notify":"n","delay":5,"data":{"a":1}}"#),
        (#"{"op":"pause","ticker":"a"}"#, #"{"delay":5,"op":"pause","ticker":"a"}"#),
        (#"{"ticker":"a","label":"over"}"#, #"{"ticker":"a","label":"over","delay":5}"#),
        (#"{"schedule":{"id":"s","in":1,"do":[]}}"#, #"{"schedule":{"id":"s","in":1,"do":[]},"delay":5}"#),
    ])
    func `an action with a delay is a schedule that fires it once`(own: String, delayed: String) throws {
        guard case .later(let definition)? = try action(delayed) else {
            Issue.record("no delay")
            return
        }
        #expect(definition.plan.first == .after(5))
        #expect(try definition.actions.actions.first == action(own))
        // What is stored and shown is a schedule's own JSON.
        let (_, again) = try ScheduleDecoder.definition(definition.source, rules: Hours())
        #expect(again.actions.actions == definition.actions.actions && again.plan.first == definition.plan.first)
    }

    @Test(arguments: [
        ("[5]", "/then/0"), (#"[{"op":"explode","ticker":"a"}]"#, "/then/0/op"),
        (#"[{"notify":"n"},{"op":"seek","ticker":"a"}]"#, "/then/1/fraction"),
        (#"[{"op":"pause"}]"#, "/then/0"), (#"[{"op":"pause","ticker":"a","to":5}]"#, "/then/0/to"),
        (#"[{"op":"seek","schedule":"a","fraction":1}]"#, "/then/0/op"), (#"[{"schedule":"a"}]"#, "/then/0/schedule"),
        (#"[{"schedule":{"in":1,"do":[]}}]"#, "/then/0/schedule/id"),
        (#"[{"schedule":{"id":"s","do":[]}}]"#, "/then/0/schedule/at"),
        (#"[{"schedule":{"id":"s","in":1,"do":{}}}]"#, "/then/0/schedule/do"),
        (#"[{"schedule":{"id":"s","every":"x","do":[]}}]"#, "/then/0/schedule/every"),
        (#"[{"schedule":{"id":"s","at":"2027-02-30T00:00:00Z","do":[]}}]"#, "/then/0/schedule/at"),
        (#"[{"schedule":{"id":"s","in":1,"do":[{"op":"x","ticker":"a"}]}}]"#, "/then/0/schedule/do/0/op"),
        (#"[{"notify":"n","delay":-1}]"#, "/then/0/delay"), (#"[{"notify":"n","delay":"5"}]"#, "/then/0/delay"),
        (#"[{"ticker":"a","duration":5}]"#, "/then/0/to"),
        (#"[{"ticker":"a","label":"x","duration":5}]"#, "/then/0/to"),
        (#"[{"ticker":"a","to":5,"else":[{"notify":"a b"}]}]"#, "/then/0/else/0/notify"),
    ])
    func `a malformed action is refused with a JSON pointer to the field at fault`(actions: String, pointer: String) {
        let problem = #expect(throws: Problem.self) { try update(actions) }
        #expect(problem?.status == 422 && problem?.pointer == pointer)
    }

    @Test func `schedules nested in actions have the depth limit of other action lists`() throws {
        func nested(_ levels: Int) -> String {
            (1..<levels).reduce(#"[{"notify":"n"}]"#) { list, _ in #"[{"schedule":{"id":"s","in":1,"do":\#(list)}}]"# }
        }
        _ = try update(nested(ActionList.maximumDepth), "else")
        #expect(throws: Problem.self) { try update(nested(ActionList.maximumDepth + 1), "else") }
    }

    @Test func `else actions and delayed actions are shown and read back from their records`() throws {
        let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let name = ResourceName(.ticker, "t")
        let hourly = #"{"schedule":{"id":"s","every":"@hourly","do":[]}}"#
        let long = #"{"notify":"n","data":"\#(String(repeating: "x", count: 600))"}"#
        let body = #"{"to":5,"duration":9,"then":[\#(hourly)],"else":[{"notify":"n","delay":5},\#(long)]}"#
        _ = try engine.apply(
            .update(name, UpdateDecoder.update(Array(body.utf8), kind: .ticker, role: .update, rules: Hours())),
            at: start)
        let track = try #require(engine.track(name))
        var json = JSONWriter()
        TrackEncoder.append(track, at: start, to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self).contains(#""else":[{"notify":"n","delay":5},"#))
        let again = try TrackRecord.track(
            name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()), rules: Hours())
        #expect(again.run == track.run && again.run?.otherwise?.actions.count == 2)
        _ = try engine.apply(.play(name, .cancel), at: start)
        let waiting = try #require(engine.schedule(ResourceName(.schedule, "delay:1")))
        let record = ScheduleRecord.contents(of: waiting)
        #expect(try ScheduleRecord.schedule(waiting.name, record, rules: Hours()) == waiting)
        json = JSONWriter()
        ScheduleEncoder.append(waiting, isHeld: false, at: start, to: &json)
        let shown = String(decoding: json.bytes, as: UTF8.self)
        #expect(shown.contains(#""definition":{"in":5,"#) && shown.hasSuffix(#","by":{"ticker":"t"}}"#), "\(shown)")
        #expect(ActionOrigin.find(in: json.bytes)?.origin == name)
        let others = ActionOrigin.withheld(from: json.bytes) { _ in false }.map { String(decoding: $0, as: UTF8.self) }
        #expect(others == String(shown.dropLast(#","by":{"ticker":"t"}}"#.count)) + "}")
    }
}
