/// A number that counts how often it is compared: what an operation costs, on any machine.
struct Counted: Comparable, Sendable {
    /// Confined to one test, which runs on one thread.
    final class Counter: @unchecked Sendable {
        var comparisons = 0
    }

    let value: Int
    let counter: Counter

    static func < (left: Self, right: Self) -> Bool {
        left.counter.comparisons += 1
        return left.value < right.value
    }

    static func == (left: Self, right: Self) -> Bool {
        left.counter.comparisons += 1
        return left.value == right.value
    }
}
