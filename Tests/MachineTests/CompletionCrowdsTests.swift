// Many motions of one tick that no frame showed: the first one by one, the rest together, the last one always.

import Base
import Testing
import Tween
import Wire

@testable import Board
@testable import Machine

@Suite struct CompletionCrowdsTests {
    private let name = ResourceName(.ticker, "t")

    private func ending(_ animation: UInt64, _ reason: CompletionReason) -> Ending {
        Ending(animation: animation, reason: reason, at: Instant(nanoseconds: 0))
    }

    private func reading(_ text: String) -> Reading { Reading(value: .moving(0), text: Array(text.utf8)) }

    @Test(arguments: [CompletionReason.superseded, .finished])
    func `the first sixteen are told one by one, the rest in one`(reason: CompletionReason) throws {
        var crowds = CompletionGroups()
        let told = (1...100).filter { number in
            !crowds.exceeds(name, ending(UInt64(number), reason), reading("\(number)"))
        }
        #expect(told == Array(1...16))
        let crowd = try #require(crowds.takeAll().first?.1)
        #expect((crowd.first, crowd.last, crowd.count, crowd.reason) == (17, 100, 84, reason))
        #expect(crowd.reading.text == Array("100".utf8))
        #expect(crowds.takeAll().isEmpty)
        // The next tick begins anew.
        let isMerged = crowds.exceeds(name, ending(101, reason), reading("101"))
        #expect(!isMerged)
    }

    @Test func `crowds of two reasons are two events, in the order of their last motions`() {
        var crowds = CompletionGroups()
        for number in 1...50 {
            let reason: CompletionReason = number.isMultiple(of: 2) ? .superseded : .finished
            _ = crowds.exceeds(name, ending(UInt64(number), reason), reading("\(number)"))
        }
        let taken = crowds.take(name)
        #expect(taken.map(\.last) == [49, 50] && taken.map(\.count) == [17, 17])
        #expect(crowds.isEmpty)
    }

    @Test func `the event says which, how many and why`() {
        let crowd = CompletionGroup(first: 17, last: 100, count: 84, reason: .finished, reading: reading("5"))
        let text = String(decoding: EventEncoder.payload(of: crowd, name), as: UTF8.self)
        #expect(text.contains(#""animation":"100","first":"17","count":84,"finished":true,"reason":"finished""#))
    }
}
