// A simulated world: what happens in it, in order, and by what chance. It has one thread and no clock but its own.

import Base
import RecurrenceRules

/// Time, chance, and what is about to happen.
final class World: @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Nanoseconds since the world began.
    private(set) var now: Int64 = 0
    let chance: RandomSource
    let history: History
    /// When each event happens. Those of one instant happen in the order in which they were planned.
    private var timetable = DueHeap<Int64>()
    private var events = SlotTable<() -> Void>()

    init(seed: UInt64, history: History) {
        chance = .seeded(seed)
        self.history = history
    }

    // MARK: - Time

    /// Plans what happens in so many nanoseconds.
    func after(_ nanoseconds: Int64, _ happen: @escaping () -> Void) { at(now + nanoseconds, happen) }

    /// Plans what happens at an instant, or now if that has passed.
    func at(_ time: Int64, _ happen: @escaping () -> Void) {
        timetable.set(events.insert(happen), due: max(time, now))
    }

    /// Lets happen what is planned up to an instant. An event may call it to wait, while others happen.
    func run(until end: Int64) {
        while let (event, time) = timetable.next(dueBy: end) {
            now = time
            events.remove(at: event)?()
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
}

extension Int64 {
    static func microseconds(_ count: Int64) -> Int64 { count * 1_000 }
    static func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }
    static func seconds(_ count: Int64) -> Int64 { count * 1_000_000_000 }
}
