// A simulated world: what happens in it, in order, and by what chance. It has one thread and no clock but its own.

import Base

/// Time, chance, and what is about to happen.
final class World: @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    private struct Event {
        let time: Int64
        /// Events of one instant happen in the order in which they were planned.
        let order: UInt64
        let happen: () -> Void

        func precedes(_ other: Event) -> Bool { (time, order) < (other.time, other.order) }
    }

    /// Nanoseconds since the world began.
    private(set) var now: Int64 = 0
    let chance: RandomSource
    let history: History
    private var events: [Event] = []
    private var planned: UInt64 = 0

    init(seed: UInt64, history: History) {
        chance = .seeded(seed)
        self.history = history
    }

    // MARK: - Time

    /// Plans what happens in so many nanoseconds.
    func after(_ nanoseconds: Int64, _ happen: @escaping () -> Void) { at(now + nanoseconds, happen) }

    /// Plans what happens at an instant, or now if that has passed.
    func at(_ time: Int64, _ happen: @escaping () -> Void) {
        planned += 1
        events.append(Event(time: max(time, now), order: planned, happen: happen))
        rise(from: events.count - 1)
    }

    /// Lets happen what is planned up to an instant.
    func run(until end: Int64) {
        while let next = events.first, next.time <= end {
            removeFirst()
            now = next.time
            next.happen()
        }
        now = max(now, end)
    }

    // MARK: - Chance

    /// Whether something of this probability happens.
    func happens(_ probability: Double) -> Bool { chance.fraction() < probability }

    func pick<Element>(_ elements: [Element]) -> Element { elements[index(below: elements.count)] }

    func index(below count: Int) -> Int { chance.integer(in: 0...(count - 1)) }

    /// Returns nanoseconds within these bounds.
    func nanoseconds(_ range: ClosedRange<Int64>) -> Int64 {
        var source = chance
        return .random(in: range, using: &source)
    }

    // MARK: - The heap

    private func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard events[place].precedes(events[parent]) else { return }
            events.swapAt(place, parent)
            place = parent
        }
    }

    private func removeFirst() {
        events.swapAt(0, events.count - 1)
        events.removeLast()
        var place = 0
        while 2 * place + 1 < events.count {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            let least = right < events.count && events[right].precedes(events[left]) ? right : left
            guard events[least].precedes(events[place]) else { return }
            events.swapAt(place, least)
            place = least
        }
    }
}

extension Int64 {
    static func microseconds(_ count: Int64) -> Int64 { count * 1_000 }
    static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }
    static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }
}
