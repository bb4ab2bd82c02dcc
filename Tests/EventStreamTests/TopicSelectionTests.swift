// What a stream listens to, folded: the same answers as its patterns would give one by one.

import EventStream
import TestSupport
import Testing

@Suite struct TopicSelectionTests {
    private func selection(_ texts: [String]) -> TopicSelection {
        TopicSelection(texts.compactMap { TopicPattern(kind: .ticker, parsing: $0) })
    }

    @Test(arguments: [
        (["a", "a", "a"], ["a"]), (["*", "a", "b*", "*"], ["*"]), (["ab*", "a*", "abc", "b"], ["a*", "b"]),
        (["a", "a*"], ["a*"]), (["a.", "a-*", "a-b", "a"], ["a", "a-*", "a."]), ([], []),
    ])
    func `a selection drops repeated patterns and those covered by a prefix`(texts: [String], expected: [String]) {
        let patterns = selection(texts).patterns.map { $0.text + ($0.isPrefix ? "*" : "") }
        #expect(patterns == expected)
    }

    @Test(arguments: ["a/b", "a b", "a@b", "a=b*", "ü", "", "a*b", String(repeating: "a", count: 129)])
    func `an id with a forbidden character is refused as a pattern`(text: String) {
        #expect(TopicPattern(kind: .ticker, parsing: text) == nil)
    }

    @Test func `a selection keeps tickers and progresses apart`() throws {
        let every = try #require(TopicPattern(kind: .progress, parsing: "*"))
        let one = try #require(TopicPattern(kind: .ticker, parsing: "a"))
        let selection = TopicSelection([every, one])
        #expect(selection.patterns.count == 2 && Array(selection.kinds) == [.ticker, .progress])
        #expect(selection.matches(TopicName(kind: .progress, id: "z")))
        #expect(!selection.matches(TopicName(kind: .ticker, id: "z")))
        #expect(selection.matches(.all(.ticker)) && !selection.matches(.all(.schedule)))
    }

    @Test func `a selection matches a name exactly if one of its patterns does`() {
        var random = SeededRandom(seed: 26)
        func text(_ longest: Int) -> String {
            String((0..<random.int(0...longest)).map { _ in random.pick(Array("ab-~")) })
        }
        for _ in 0..<500 {
            let texts = (0..<random.int(0...11)).map { _ in text(4) + random.pick(["*", ""]) }
            let patterns = texts.compactMap { TopicPattern(kind: .ticker, parsing: $0) }
            let selection = TopicSelection(patterns)
            for _ in 0..<50 {
                let name = TopicName(kind: .ticker, id: text(6))
                #expect(selection.matches(name) == patterns.contains { $0.matches(name) }, "\(texts) \(name.id)")
            }
        }
    }
}
