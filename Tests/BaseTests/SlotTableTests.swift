// Places that are used again.

import Base
import TestSupport
import Testing

@Suite struct SlotTableTests {
    @Test func `a freed slot goes to the next value, and is free until then`() {
        var table = SlotTable<String>()
        #expect(table.insert("a") == 0)
        #expect(table.insert("b") == 1)
        #expect(table.remove(at: 0) == "a")
        #expect(table[0] == nil)
        #expect(table.remove(at: 0) == nil, "a slot is freed once")
        #expect(table.insert("c") == 0)
        #expect(table.slots == ["c", "b"])
    }

    @Test func `a slot that was never given holds nothing and changes nothing`() {
        var table = SlotTable<Int>()
        #expect(table[0] == nil)
        #expect(table[-1] == nil)
        #expect(table.remove(at: 7) == nil)
        #expect(table.update(3) { $0 += 1 } == nil)
        #expect(table.count == 0)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `random insertions and removals keep each value at its slot and the table dense`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = SlotTable<Int>()
        var known: [Int: Int] = [:]
        var most = 0
        for value in 0..<2_000 {
            if Bool.random(using: &random), let slot = known.keys.min() {
                #expect(table.remove(at: slot) == known.removeValue(forKey: slot))
            } else {
                known[table.insert(value)] = value
            }
            most = max(most, known.count)
            #expect(table.count == known.count)
        }
        for (slot, value) in known { #expect(table[slot] == value) }
        #expect(table.slots.count == most)
    }
}
