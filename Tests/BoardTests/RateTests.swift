// Motions whose own time runs at another rate than the timeline: what is repeated, what begins later, what continues.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct RateTests {
    // MARK: - Repeated updates

    @Test(arguments: [-1, 0, 0.5, 2]) func `a repeated update brings a motion with another rate back on its way`(
        rate: Double
    ) throws {
        var script = EngineScript()
        func send() throws -> Acceptance { try script.update("t") { ($0.goal, $0.length) = (.to(10), .seconds(2)) } }
        _ = try send()
        script.wait(until: 1)
        try script.apply(.play(ticker("t"), .rate(rate)))
        let again = try send()
        #expect(!again.unchanged && again.animation == 3)
        #expect(try send().unchanged, "now it is the running one")
        script.wait(until: 3)
        #expect(script.text("t") == "10" && script.log.last == "complete t#3 finished")
    }
}
