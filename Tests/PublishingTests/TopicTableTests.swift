// Which frames are news to those who listen.

import Board
import EventStream
import Primitives
import Testing

@testable import Publishing

@Suite struct TopicTableTests {
    private let topic = TopicIndex(rawValue: 3)
    private var table = TopicTable()

    init() { table.bind(topic, to: ResourceName(.ticker, "t"), slot: 0) }

    @Test mutating func `the state that the first stream begins with is no news at the next tick`() {
        table.begin([1], fraction: 0.5, on: topic)
        let isNews = table.show([1], fraction: 0.5, on: topic)
        #expect(!isNews)
        let isNewsThen = table.show([1], fraction: 0.6, on: topic)
        #expect(isNewsThen)
    }

    @Test mutating func `the state that a later stream begins with is news to those who were there`() {
        let isFirst = table.show([1], fraction: nil, on: topic)
        table.begin([2], fraction: nil, on: topic)
        let isNews = table.show([2], fraction: nil, on: topic)
        #expect(isFirst && isNews)
    }
}
