// Which frames are news to those who listen.

import Base
import Board
import EventStream
import Testing

@testable import Publishing

@Suite struct TopicTableTests {
    private let topic = TopicIndex(rawValue: 3)
    private var table = TopicTable()

    init() { table.bind(topic, to: ResourceName(.ticker, "t"), slot: 0) }

    @Test mutating func `the state that the first stream begins with is no news at the next tick`() {
        let isGreeted = table.begin([1], fraction: 0.5, on: topic, isDue: false)
        let audiences = [table.show([1], fraction: 0.5, on: topic), table.show([1], fraction: 0.6, on: topic)]
        #expect(!isGreeted && audiences == [nil, .all])
    }

    @Test mutating func `a state that has never been shown is news to earlier streams though a later one begins with it`() {
        let isGreeted = table.begin([1], fraction: nil, on: topic, isDue: true)
        let audiences = [table.show([1], fraction: nil, on: topic), table.show([1], fraction: nil, on: topic)]
        #expect(isGreeted && audiences == [.exceptGreeted, nil])
    }

    @Test mutating func `the state that a later stream begins with is news to those alone who were there`() {
        let first = table.show([1], fraction: nil, on: topic)
        let isGreeted = table.begin([2], fraction: nil, on: topic, isDue: true)
        let audiences = [table.show([2], fraction: nil, on: topic), table.show([3], fraction: nil, on: topic)]
        #expect(first == .all && isGreeted && audiences == [.exceptGreeted, .all])
    }

    @Test mutating func `what is as it was again is news to those alone who came meanwhile`() {
        _ = table.show([1], fraction: nil, on: topic)
        _ = table.begin([2], fraction: nil, on: topic, isDue: true)
        let audiences = [table.show([1], fraction: nil, on: topic), table.show([1], fraction: nil, on: topic)]
        #expect(audiences == [.greetedOnly, nil])
    }

    @Test mutating func `where those who came know different states all are shown the newest`() {
        _ = table.show([1], fraction: nil, on: topic)
        _ = table.begin([2], fraction: nil, on: topic, isDue: true)
        _ = table.begin([3], fraction: nil, on: topic, isDue: true)
        let audience = table.show([3], fraction: nil, on: topic)
        #expect(audience == .all)
    }
}
