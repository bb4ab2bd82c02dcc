// Labels of tickers: which number moves, what is refused, what stands around it.

import Board
import Labels
import Testing

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

    @Test func `prefix and suffix stand around the number, whatever digits they hold`() throws {
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
