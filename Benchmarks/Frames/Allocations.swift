// How often a body asks for memory, counted in the allocator itself.

import CAllocations

enum Allocations {
    /// Allocations of one call in the steady state, buffers having grown to their size before.
    static func perCall(calls: Int = 500, _ body: (Int) -> Void) -> Double {
        for call in 0..<calls { body(call) }
        let before = tweencast_allocations()
        for call in 0..<calls { body(call) }
        return Double(tweencast_allocations() - before) / Double(calls)
    }
}
