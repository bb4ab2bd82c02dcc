// Labels of tickers: which number moves, what is refused, what stands around it.

import Base
import Board
import Labels
import Testing
import Tween

@Suite struct LabelTests {
    @Test func `a plural message follows the number`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "{n, plural, one {# coin} other {# coins}}"
            $0.goal = .to(2)
        }
        script.wait(until: 1)
        #expect(script.text("t") == "1 coin")
        script.wait(until: 2)
        #expect(script.text("t") == "2 coins")
    }

    @Test func `a label without a number is shown as it is until an update moves the number`() throws {
        var script = EngineScript()
        try script.update("t") { $0.label = "Live now!" }
        #expect(script.text("t") == "Live now!")
        try script.update("t") { $0.decimals = 2 }
        #expect(script.text("t") == "Live now!")
        try script.update("t") {
            $0.goal = .to(7)
            $0.length = .seconds(0)
        }
        #expect(script.text("t") == "7")
        try script.update("t") { $0.label = "Ready" }
        #expect(script.text("t") == "Ready")
        #expect(script.reading("t")?.value == .exact(7))
        try script.update("t") { $0.goal = .max(3) }
        #expect(script.text("t") == "Ready")
        try script.update("t") { $0.from = 1 }
        script.wait(until: 9)
        #expect(script.text("t") == "7")
        var definition = TrackUpdate()
        definition.label = "Closed"
        try script.apply(.define(ResourceName(.ticker, "t"), definition))
        #expect(script.text("t") == "Closed")
        try script.update("t") { $0.label = "" }
        #expect(script.text("t") == "7")
        try script.update("t") { $0.label = "Set {n}" }
        #expect(script.text("t") == "Set 7")
    }

    @Test func `a label without a number that is set in flight stays until the next target`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.label = "0 of 9"
            $0.goal = .to(9)
            $0.length = .seconds(4)
        }
        script.wait(until: 1)
        try script.update("t") { $0.label = "Counting…" }
        #expect(script.text("t") == "Counting…")
        script.wait(until: 5)
        #expect(script.text("t") == "Counting…")
        try script.update("t") { $0.goal = .by(1) }
        #expect(script.text("t") == "9")
    }

    @Test func `an index without a number and broken braces in a label are rejected`() throws {
        var script = EngineScript()
        try script.update("t") { $0.label = "Live now!" }
        for change: (inout TrackUpdate) -> Void in [
            { $0.index = 1 }, { $0.label = "{n, select, other {x}}" }, { $0.label = "{n" }, { $0.label = "{}" },
        ] {
            #expect(throws: CommandError.self) { try script.update("t", change) }
        }
        #expect(script.text("t") == "Live now!")
    }

    @Test func `placeholders target and current in a progress label show the target and the moving value`() throws {
        var script = EngineScript()
        var update = TrackUpdate()
        update.label = "{value} {current} to {target} of {maximum}"
        update.goal = .to(80)
        update.length = .seconds(4)
        update.curve = .easing(.linear)
        try script.apply(.update(ResourceName(.progress, "p"), update))
        script.wait(until: 1)
        #expect(script.text("p", .progress) == "20 20 to 80 of 100")
        script.wait(until: 5)
        #expect(script.text("p", .progress) == "80 80 to 80 of 100")
    }

    @Test func `a number of 38 digits is shown digit for digit before it moves`() throws {
        var script = EngineScript()
        let nines = String(repeating: "9", count: 38)
        try script.update("t") {
            $0.label = "no. \(nines)"
            $0.goal = .to(ExactDecimal(5))
            $0.delay = 1
        }
        #expect(script.text("t") == "no. \(nines)")
        script.wait(until: 0.5)
        #expect(script.text("t") == "no. \(nines)")
        script.wait(until: 9)
        #expect(script.text("t") == "no. 5")
    }

    @Test func `a label whose number can't be read is refused, not started from zero`() throws {
        var script = EngineScript()
        for (text, field) in [(String(repeating: "9", count: 39), "label"), ("1 of 2", "index")] {
            let error = #expect(throws: CommandError.self) {
                try script.update("t") {
                    $0.label = text
                    $0.index = field == "index" ? 2 : nil
                    $0.goal = .to(ExactDecimal(1))
                }
            }
            guard case .invalid(field, _) = error else { throw try #require(error) }
        }
        #expect(script.text("t") == nil)
    }

    @Test func `an index beyond the label's numbers and a broken message are refused`() throws {
        var script = EngineScript()
        #expect(throws: CommandError.self) {
            try script.update("t") {
                $0.label = "1 of 2"
                $0.index = 2
                $0.goal = .to(5)
            }
        }
        #expect(throws: CommandError.self) {
            try script.update("t") {
                $0.label = "{n, plural, one {# coin}}"
                $0.goal = .to(5)
            }
        }
        #expect(script.engine.track(ticker("t")) == nil)
        try script.update("t") {
            $0.label = "1 of 2"
            $0.index = 1
            $0.goal = .to(5)
        }
        script.wait(until: 2)
        #expect(script.text("t") == "1 of 5")
    }

    @Test func `prefix and suffix surround the number, even if they hold digits`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.prefix = "Q3: "
            $0.suffix = " of 90"
            $0.goal = .to(40)
        }
        script.wait(until: 2)
        #expect(script.text("t") == "Q3: 40 of 90")
        try script.update("t") {
            $0.suffix = " done"
            $0.goal = .to(50)
        }
        #expect(script.text("t") == "Q3: 40 done")
        try script.update("t") {
            $0.label = "Total 1 of 90"
            $0.goal = .to(60)
        }
        script.wait(until: 10)
        #expect(script.text("t") == "Total 60 of 90")
    }
}
