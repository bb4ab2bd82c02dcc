// Numbers that are given out again.

import Base
import TestSupport
import Testing

@Suite struct SlotNumbersTests {
    @Test func `the number freed last is given out next, and new ones follow on`() {
        var numbers = SlotNumbers()
        #expect((0..<3).map { _ in numbers.allocate() } == [0, 1, 2])
        numbers.free(0)
        numbers.free(1)
        #expect((0..<3).map { _ in numbers.allocate() } == [1, 0, 3])
        #expect(numbers.count == 4)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `random use gives no number twice and none above the most in use`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var numbers = SlotNumbers()
        var used: Set<Int> = []
        var most = 0
        for _ in 0..<2_000 {
            if Bool.random(using: &random), let slot = used.min() {
                used.remove(slot)
                numbers.free(slot)
            } else {
                #expect(used.insert(numbers.allocate()).inserted)
            }
            most = max(most, used.count)
            #expect(numbers.count == used.count)
            #expect(used.allSatisfy { $0 < most })
        }
    }
}
