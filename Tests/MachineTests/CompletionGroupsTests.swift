// Many motions of one tick that no frame showed: the first one by one, the rest together, the last one always.

import Base
import TestSupport
import Testing
import Tween
import Wire

@testable import Board
@testable import Machine

@Suite struct CompletionGroupsTests {
    private let name = ResourceName(.ticker, "t")

    private func ending(_ animation: UInt64, _ reason: CompletionReason) -> Ending {
        Ending(animation: animation, reason: reason, at: Instant(nanoseconds: 0))
    }

    private func reading(_ text: String) -> Reading { Reading(value: .moving(0), text: Array(text.utf8)) }

    @Test(arguments: [CompletionReason.superseded, .finished])
    func `the first 16 completions of a tick are single events, the rest one group`(reason: CompletionReason) throws {
        var completionGroups = CompletionGroups()
        let told = (1...100).filter { number in
            !completionGroups.exceeds(name, ending(UInt64(number), reason), reading("\(number)"))
        }
        #expect(told == Array(1...16))
        let completions = try #require(completionGroups.drain().first?.1)
        #expect((completions.first, completions.last, completions.count, completions.reason) == (17, 100, 84, reason))
        #expect(completions.reading.text == Array("100".utf8))
        #expect(completionGroups.drain().isEmpty)
        // The next tick counts from zero.
        let isMerged = completionGroups.exceeds(name, ending(101, reason), reading("101"))
        #expect(!isMerged)
    }

    @Test func `groups of two reasons are two events, in the order of their first motions`() {
        var completionGroups = CompletionGroups()
        for number in 1...50 {
            let reason: CompletionReason = number.isMultiple(of: 2) ? .superseded : .finished
            _ = completionGroups.exceeds(name, ending(UInt64(number), reason), reading("\(number)"))
        }
        let taken = completionGroups.drain(before: name).map(\.group)
        #expect(taken.map(\.last) == [49, 50] && taken.map(\.count) == [17, 17])
        #expect(completionGroups.isEmpty)
    }

    // MARK: - Numbers

    private static func merged(_ outcome: Outcome) -> [String]? {
        outcome.merged?.map { event in
            guard case .completions(let name, let group) = event.content else { return "other" }
            return "\(event.number) \(name.id) \(group.reason) \(group.first) \(group.count)"
        }
    }

    @Test func `merged completions keep the event number of their first turn`() throws {
        var script = MachineScript()
        let update = try MachineScript.update("t", #"{"by":1,"duration":0}"#, waiter: nil)
        #expect(Self.merged(script.take(Array(repeating: update, count: 40))) == ["17 t finished 17 24"])
        #expect(Self.merged(script.take([update, update])) == ["17 t finished 17 26"])
        #expect(Self.merged(script.take([])) == nil, "nothing has changed")
        let other = script.take([update, try MachineScript.update("u", #"{"by":1,"duration":0}"#)])
        #expect(other.told == ["17 crowd of 27", "18 complete"] && Self.merged(other) == [])
        #expect(script.take([], isTick: true).events.isEmpty)
    }

    @Test func `merged completions account for every completion over 400 random turns`() throws {
        var (random, script) = (SeededRandom(seed: 17), MachineScript())
        var (held, published, sent): ([String], Int, Int) = ([], 0, 0)
        for step in 1...400 {
            let requests = try (0..<Int.random(in: 0...40, using: &random)).map { _ in
                // Most are merged; some are seen one by one, and start motions that others supersede.
                let id = ["a", "b", "c", "d\(step)"][Int.random(in: 0...19, using: &random) / 6]
                let seconds = Int.random(in: 0...4, using: &random) == 0 ? 9 : 0
                return try MachineScript.update(id, #"{"by":1,"duration":\#(seconds)}"#, waiter: nil)
            }
            let outcome = script.take(requests, isTick: Int.random(in: 0...5, using: &random) == 0)
            sent += outcome.counts.completions
            for event in outcome.events {
                let known = held.first { $0.hasPrefix("\(event.number) ") }
                guard case .completions(let name, let group) = event.content else {
                    published += 1
                    #expect(known == nil, "the number of \(known ?? "") is another event's")
                    continue
                }
                published += group.count
                let text = "\(event.number) \(name.id) \(group.reason) \(group.first) "
                #expect(known.map { $0.hasPrefix(text) } ?? true)
            }
            held = Self.merged(outcome) ?? held
            let waiting = held.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
            #expect(published + waiting == sent)
        }
    }

    @Test func `a completion group's event holds first and last motion, count and reason`() {
        let completions = CompletionGroup(first: 17, last: 100, count: 84, reason: .finished, reading: reading("5"))
        let text = String(decoding: EventEncoder.payload(of: completions, name), as: UTF8.self)
        #expect(text.contains(#""animation":"100","first":"17","count":84,"finished":true,"reason":"finished""#))
    }
}
