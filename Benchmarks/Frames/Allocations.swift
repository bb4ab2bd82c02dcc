// Counts memory allocations of a closure, in the allocator itself.

import CAllocations

enum Allocations {
    /// Returns the allocations of one call, after a run in which buffers grow to their final size.
    static func perCall(calls: Int = 500, _ body: (Int) -> Void) -> Double {
        for call in 0..<calls { body(call) }
        let before = tweencast_allocations()
        for call in 0..<calls { body(call) }
        // In hundredths, as the table has them.
        return (Double(tweencast_allocations() - before) / Double(calls) * 100).rounded() / 100
    }
}
