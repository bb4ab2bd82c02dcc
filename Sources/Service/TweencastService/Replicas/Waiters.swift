// What waits for something that may never come. Time is an argument.

import Tween

/// Items in the order in which they began to wait, each for no longer than a timeout. Whoever adds them limits their
/// number.
struct Waiters<Item> {
    /// Seconds that an item waits at most.
    private let timeout: Double
    private var waiters: [(item: Item, deadline: Instant)] = []

    init(timeout: Double) { self.timeout = timeout }

    /// When the first item that counts has waited too long; nil if there is none.
    func deadline(of counts: (Item) -> Bool = { _ in true }) -> Instant? {
        waiters.first { counts($0.item) }?.deadline
    }

    mutating func add(_ item: Item, since: Instant) {
        waiters.append((item, deadline: since.advanced(bySeconds: timeout)))
    }

    /// Changes each item in place.
    mutating func update(_ change: (inout Item) -> Void) {
        for index in waiters.indices { change(&waiters[index].item) }
    }

    /// Removes and returns the first items, as long as they are ready or have waited too long.
    /// - Parameter now: Without it, none has waited too long.
    mutating func removeFirst(
        while isReady: (Item) -> Bool = { _ in false }, orLateAt now: Instant = Instant(nanoseconds: .min)
    ) -> [Item] {
        let count = waiters.prefix { isReady($0.item) || $0.deadline <= now }.count
        defer { waiters.removeFirst(count) }
        return waiters.prefix(count).map(\.item)
    }

    /// Removes and returns all items.
    mutating func drain() -> [Item] { removeFirst { _ in true } }

    /// Shifts the waiting times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for index in waiters.indices {
            waiters[index].deadline = waiters[index].deadline.advanced(byNanoseconds: nanoseconds)
        }
    }
}
