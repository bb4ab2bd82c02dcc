// Milestones as numbers and as objects with actions: what is decoded, stored and rejected.

import Base
import Board
import Labels
import TestSupport
import Testing
import Tween

@testable import Wire

@Suite struct MilestoneDecoderTests {
    private static func update(
        _ milestones: String, role: UpdateDecoder.Role = .definition
    ) throws(Problem) -> TrackUpdate {
        try UpdateDecoder.update(Array(#"{"milestones":\#(milestones)}"#.utf8), kind: .ticker, role: role)
    }

    @Test func `milestones may be numbers and objects, and only objects have actions`() throws {
        let update = try Self.update(#"[1, {"at":"2.50","do":[{"notify":"n"}]}, "3"]"#)
        #expect(update.milestones?.map { "\($0)" } == ["1", "2.50", "3"])
        let entries = try #require(update.milestoneActions).entries
        #expect(entries.map(\.index) == [1] && entries.first?.actions.actions == [.notify(name: "n", data: nil)])
        #expect(update.hasActions && PlacedAction.all(in: update).map(\.pointer) == ["milestones/1/do/0"])
        #expect(try Self.update("[1,2]").milestoneActions == nil)
    }

    @Test(arguments: [
        ("5", "/milestones"), (#"[[1]]"#, "/milestones/0"), (#"[1,{"at":2}]"#, "/milestones/1/do"),
        (#"[{"do":[]}]"#, "/milestones/0/at"), (#"[{"at":"x","do":[]}]"#, "/milestones/0/at"),
        (#"[{"at":1,"do":{}}]"#, "/milestones/0/do"), (#"[{"at":1,"do":[{"x":1}]}]"#, "/milestones/0/do/0"),
        (#"[{"at":1,"do":[],"then":[]}]"#, "/milestones/0/then"),
        (#"[{"at":1,"do":[]},{"at":"1.0","do":[]}]"#, "/milestones/1"),
    ])
    func `a malformed milestone is refused with a JSON pointer to it`(milestones: String, pointer: String) {
        do throws(Problem) {
            _ = try Self.update(milestones)
            Issue.record("\(milestones) was accepted")
        } catch {
            #expect(error.status == 422 && error.pointer == pointer, "\(error)")
        }
    }

    @Test(arguments: [0, 600])
    func `a motion keeps its milestones and their actions in its record`(length: Int) throws {
        let data = String(repeating: "x", count: length)
        let name = ResourceName(.ticker, "t")
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let start = Instant(nanoseconds: 5_000_000_000)
        let body = #"[1,{"at":4,"do":[{"notify":"n","data":"\#(data)"},{"notify":"o","delay":5}]}]"#
        _ = try engine.apply(.define(name, Self.update(body)), at: start)
        let move = try UpdateDecoder.update(Array(#"{"to":5,"duration":9}"#.utf8), kind: .ticker, role: .update)
        _ = try engine.apply(.update(name, move), at: start)
        engine.passMilestones(slot: 0, at: start.advanced(bySeconds: 3))
        let track = try #require(engine.track(name))
        #expect(track.run?.milestones == [ExactDecimal(4)] && track.run?.milestoneActions?.entries.count == 1)
        let contents = TrackRecord.contents(of: track)
        #expect(contents.parts.isEmpty == (length == 0))
        let again = try TrackRecord.track(name, contents, renderings: RenderingCache(planner: NoFormats()))
        #expect(again == track)
    }
}
