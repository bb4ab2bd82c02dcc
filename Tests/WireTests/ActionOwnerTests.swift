// Whose actions they are is stored with the resource, and tells nobody else.

import Base
import Board
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct ActionOwnerTests {
    private let start = Instant(nanoseconds: 1_700_000_000_000_000_000)

    private func engine(_ lines: String...) throws -> Engine {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        for (number, line) in lines.enumerated() {
            let command = try BatchDecoder.command(Array(line.utf8)[...]).posted(by: "owner \(number)")
            _ = try engine.apply(command, at: start)
        }
        return engine
    }

    private func again(_ track: Track) throws -> Track {
        try TrackRecord.track(
            track.name, TrackRecord.contents(of: track), renderings: RenderingCache(planner: NoFormats()))
    }

    @Test(
        arguments: [
            #""then":[{"notify":"n"}]"#, #""else":[{"notify":"n"}]"#, #""milestones":[{"at":1,"do":[{"notify":"n"}]}]"#,
        ])
    func `the owner of actions reads back with a running motion and with a queued update`(actions: String) throws {
        let track = try engine(
            #"{"ticker":"t","to":9,"duration":1,\#(actions)}"#,
            #"{"ticker":"t","to":5,"interrupt":"queue",\#(actions)}"#
        ).track(ResourceName(.ticker, "t"))
        let again = try again(try #require(track))
        #expect(again.run?.owner == "owner 0" && again.waiting.map(\.update.owner) == ["owner 1"])
    }

    @Test func `the owner of a schedule reads back`() throws {
        var engine = try engine()
        let name = ResourceName(.schedule, "s")
        let source = Array(#"{"in":1,"do":[{"notify":"n"}]}"#.utf8)
        let definition = try ScheduleDecoder.definition(ofSource: source, rules: NoCalendarRules())
        _ = try engine.apply(.schedule(name, definition.posted(by: "post")), at: start)
        let known = try #require(engine.schedule(name))
        let again = try ScheduleRecord.schedule(name, ScheduleRecord.contents(of: known), rules: NoCalendarRules())
        #expect(again.definition.actions.owner == "post")
    }

    @Test func `actions of a definition and of an update in one run share the definition's owner`() throws {
        var engine = try engine()
        let name = ResourceName(.ticker, "t")
        let defaults = try UpdateDecoder.update(
            Array(#"{"then":[{"notify":"n"}]}"#.utf8), kind: .ticker, role: .definition)
        _ = try engine.apply(.define(name, defaults.posted(by: "put")), at: start)
        let update = try UpdateDecoder.update(
            Array(#"{"to":9,"duration":1,"else":[{"notify":"n"}]}"#.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, update.posted(by: "post")), at: start)
        let track = try #require(engine.track(name))
        let again = try again(track)
        #expect(again.definition?.owner == "put")
        for run in [track.run, again.run] { #expect(run?.then?.owner == "put" && run?.otherwise?.owner == "put") }
    }
}
