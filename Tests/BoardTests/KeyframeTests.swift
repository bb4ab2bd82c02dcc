// Values on the way, as a board plays them.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct KeyframeTests {
    private func waypoint(_ text: String, at offset: Double) throws -> TrackUpdate.Waypoint {
        TrackUpdate.Waypoint(target: try #require(ExactDecimal(parsing: text)), offset: offset, easing: nil)
    }

    @Test func `keyframes are reached in turn, all with the decimals of the finest one`() throws {
        var script = EngineScript()
        let waypoints = [try waypoint("10", at: 0.25), try waypoint("2.5", at: 0.5), try waypoint("4", at: 1)]
        try script.update("t") {
            $0.label = "Level 1 m"
            $0.goal = .along(waypoints)
            $0.length = .seconds(4)
            $0.milestones = [5]
        }
        for (time, text) in [
            (0.0, "Level 1.0 m"), (0.5, "Level 5.5 m"), (1, "Level 10.0 m"), (2, "Level 2.5 m"), (4, "Level 4.0 m"),
        ] {
            script.wait(until: time)
            #expect(script.text("t") == text)
        }
        #expect(script.log.contains("complete t#1 finished"))
        #expect(script.engine.track(ticker("t"))?.target == 4)
    }

    @Test func `an update amid keyframes continues from the shown value`() throws {
        var script = EngineScript()
        let waypoints = [try waypoint("10", at: 0.5), try waypoint("0", at: 1)]
        let update: (inout TrackUpdate) -> Void = {
            $0.goal = .along(waypoints)
            $0.length = .seconds(2)
        }
        try script.update("t", update)
        // The same again is the same motion; it ends where it set out.
        #expect(try script.update("t", update).animation == 1)
        script.wait(until: 0.5)
        #expect(script.reading("t")?.value.double == 5)
        try script.update("t") {
            $0.goal = .by(7)
            $0.length = .seconds(1)
        }
        #expect(script.reading("t")?.value.double == 5)
        script.wait(until: 1.5)
        #expect(script.text("t") == "7")
    }

    @Test(arguments: [("100", 99), ("150", 150)])
    func `a progress shows no 100 percent before its end, unless a keyframe lies beyond`(
        peak: String, percent: Int
    ) throws {
        var script = EngineScript()
        var update = TrackUpdate()
        update.goal = .along([try waypoint(peak, at: 0.5), try waypoint("100", at: 1)])
        update.length = .seconds(2)
        update.curve = .easing(.linear)
        try script.apply(.update(ResourceName(.progress, "p"), update))
        script.wait(until: 1)
        #expect(script.reading("p", .progress)?.percent == percent)
        script.wait(until: 2)
        #expect(script.reading("p", .progress)?.percent == 100)
    }
}
