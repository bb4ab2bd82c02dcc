// The ordered index against sorting, and the board's pages against a look at everything.

import Base
import RecurrenceRules
import TestSupport
import Testing
import Tween

@testable import Board

@Suite struct SortedListTests {
    @Test(arguments: [UInt64(1), 2, 3]) func `a sorted list holds what was inserted and not removed, in order`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var list = SortedList<Int>()
        var expected: Set<Int> = []
        for round in 0..<6_000 {
            let number = random.int(0...4_000)
            // Growth first, then a board that empties.
            if random.chance(round < 4_000 ? 0.8 : 0.2) {
                if expected.insert(number).inserted { list.insert(number) }
            } else {
                expected.remove(number)
                list.remove(number)
            }
            guard round.isMultiple(of: 97) else { continue }
            let sorted = expected.sorted()
            #expect(list.count == sorted.count)
            #expect(list.elements(.max) == sorted)
            let bound = random.int(-1...4_001)
            #expect(list.elements(7, from: bound) == Array(sorted.filter { $0 > bound }.prefix(7)))
            #expect(list.elements(7, from: bound, isIncluded: true) == Array(sorted.filter { $0 >= bound }.prefix(7)))
            #expect(
                list.elements(9, from: bound) { $0 < bound + 50 }
                    == sorted.filter { $0 > bound && $0 < bound + 50 }.prefix(9).map { $0 })
        }
    }

    @Test func `appending in order costs one comparison, and a page only its own length`() {
        let counter = Counted.Counter()
        var list = SortedList<Counted>()
        for value in 0..<100_000 { list.insert(Counted(value: value * 2, counter: counter)) }
        #expect(counter.comparisons <= 100_000)
        counter.comparisons = 0
        let page = list.elements(10, from: Counted(value: 77_777, counter: counter))
        #expect(page.map(\.value) == (0..<10).map { 77_778 + $0 * 2 })
        // The depth of the chunks, and that of one chunk.
        #expect(counter.comparisons <= 20)
        counter.comparisons = 0
        list.insert(Counted(value: 77_777, counter: counter))
        list.remove(Counted(value: 77_777, counter: counter))
        #expect(counter.comparisons <= 45)
    }

    @Test(arguments: [UInt64(4), 5]) func `pages of names and schedules equal those of a full sort`(seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        var script = EngineScript()
        var ids: [ResourceKind: Set<String>] = [.ticker: [], .progress: [], .schedule: []]
        for round in 0..<2_000 {
            let kind = random.pick(ResourceKind.allCases)
            let id = random.pick(["a", "a.", "a.b", "ab", "b", "b~", "Z", "9"]) + String(random.int(0...99))
            let name = ResourceName(kind, id)
            if random.chance(0.3) {
                if ids[kind]?.remove(id) != nil { try script.apply(.remove(name)) }
            } else {
                ids[kind]?.insert(id)
                var update = TrackUpdate()
                update.goal = .to(1)
                let second = Double(random.int(1...9_000))
                try script.apply(
                    kind == .schedule
                        ? .schedule(name, notifying("N") { $0.plan.first = .after(second) }) : .update(name, update))
            }
            guard round.isMultiple(of: 50) else { continue }
            for kind in ResourceKind.allCases {
                let prefix = random.pick(["", "a", "a.", "ab", "b", "c", "Z5"])
                let after = random.pick([nil, "a", "a.b3", "ab", "zz", ""])
                let limit = random.int(1...20)
                let found = script.engine.names(of: kind, beginningWith: prefix, after: after, limit: limit)
                let all = (ids[kind] ?? []).filter { $0.hasPrefix(prefix) }
                let expected = all.filter { id in after.map { id > $0 } ?? true }
                #expect(found.map(\.id) == Array(expected.sorted().prefix(limit)))
                #expect(script.engine.names(of: kind).map(\.id) == (ids[kind] ?? []).sorted())
            }
            let places = script.engine.schedules.compactMap { $0.map { SchedulePlace($0) } }.sorted()
            #expect(script.engine.schedules(after: nil, limit: .max).map { SchedulePlace($0) } == places)
        }
    }
}
