/// A number that counts how often it is compared, which measures an operation's cost independently of the machine.
package struct Counted: Comparable, Sendable {
    /// Unchecked because it is confined to one test, which runs on one thread.
    package final class Counter: @unchecked Sendable {
        package var comparisons = 0

        package init() {}
    }

    package let value: Int
    package let counter: Counter

    package init(value: Int, counter: Counter) {
        self.value = value
        self.counter = counter
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.counter.comparisons += 1
        return left.value < right.value
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.counter.comparisons += 1
        return left.value == right.value
    }
}
