// Many motions of one tick that no frame showed: the first one by one, the rest together, the last one always.

import Base
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
    func `the first sixteen are told one by one, the rest in one`(reason: CompletionReason) throws {
        var completionGroups = CompletionGroups()
        let told = (1...100).filter { number in
            !completionGroups.exceeds(name, ending(UInt64(number), reason), reading("\(number)"))
        }
        #expect(told == Array(1...16))
        let completions = try #require(completionGroups.takeAll().first?.1)
        #expect((completions.first, completions.last, completions.count, completions.reason) == (17, 100, 84, reason))
        #expect(completions.reading.text == Array("100".utf8))
        #expect(completionGroups.takeAll().isEmpty)
        // The next tick counts from zero.
        let isMerged = completionGroups.exceeds(name, ending(101, reason), reading("101"))
        #expect(!isMerged)
    }

    @Test func `groups of two reasons are two events, in the order of their last motions`() {
        var completionGroups = CompletionGroups()
        for number in 1...50 {
            let reason: CompletionReason = number.isMultiple(of: 2) ? .superseded : .finished
            _ = completionGroups.exceeds(name, ending(UInt64(number), reason), reading("\(number)"))
        }
        let taken = completionGroups.take(name)
        #expect(taken.map(\.last) == [49, 50] && taken.map(\.count) == [17, 17])
        #expect(completionGroups.isEmpty)
    }

    @Test func `the event says which, how many and why`() {
        let completions = CompletionGroup(first: 17, last: 100, count: 84, reason: .finished, reading: reading("5"))
        let text = String(decoding: EventEncoder.payload(of: completions, name), as: UTF8.self)
        #expect(text.contains(#""animation":"100","first":"17","count":84,"finished":true,"reason":"finished""#))
    }
}
