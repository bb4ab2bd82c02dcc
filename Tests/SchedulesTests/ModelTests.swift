// The book against a model that is too simple to be wrong: a list that is looked through from one end to the other.

import Foundation
import TestSupport
import Testing
import Tween

@testable import Schedules

@Suite struct ModelTests {
    /// One schedule: all times in nanoseconds.
    private struct Item {
        var id: String
        var number: Int
        var due: Int64
        /// Nil where it fires once.
        var interval: Int64?
        var isDate: Bool
        /// Where its intervals are counted from that has a first date: all its instants are dates.
        var phase: Int64?
        var times: Int?
        var end: Int64?
        var skips: Bool
        var fired = 0
        var isPaused = false
        var left: Int64?

        /// The next instant after `now`, one interval after the other.
        func next(after now: Int64) -> Int64? {
            guard let interval, times.map({ fired < $0 }) ?? true else { return nil }
            var next = phase ?? due
            repeat { next += interval } while next <= now
            return end.map { next > $0 } ?? false ? nil : next
        }
    }

    private struct Model {
        var items: [Item] = []
        var isPaused = false
        var scheduled = 0

        var order: [Item] {
            items.filter { $0.left == nil }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
                + items.filter { $0.left != nil }.sorted { ($0.left ?? 0, $0.number) < ($1.left ?? 0, $1.number) }
        }

        mutating func put(_ item: Item, at now: Int64) {
            items.removeAll { $0.id == item.id }
            var item = item
            item.number = scheduled
            scheduled += 1
            if isPaused, !item.isDate { item.left = item.due - now }
            items.append(item)
        }

        /// Holds or releases one as the pauses say.
        mutating func settle(_ id: String, at now: Int64) -> [String] {
            guard let index = items.firstIndex(where: { $0.id == id }) else { return [] }
            if isPaused || items[index].isPaused {
                if !items[index].isDate, items[index].left == nil { items[index].left = max(0, items[index].due - now) }
                return []
            }
            if let left = items[index].left {
                items[index].due = now + left
                items[index].left = nil
            }
            let item = items[index]
            guard item.skips && item.due < now || item.due > item.end ?? .max else { return [] }
            guard let next = item.next(after: now) else {
                items.remove(at: index)
                return ["skipped \(id) \(item.due) nil", "removed \(id) skipped"]
            }
            items[index].due = next
            items[index].isDate = item.phase != nil
            return ["skipped \(id) \(item.due) \(next)"]
        }

        mutating func pause(_ isPaused: Bool, _ id: String, at now: Int64) -> [String] {
            guard let index = items.firstIndex(where: { $0.id == id }), items[index].isPaused != isPaused else {
                return []
            }
            items[index].isPaused = isPaused
            return [isPaused ? "paused \(id)" : "resumed \(id)"] + settle(id, at: now)
        }

        mutating func pauseAll(_ isPaused: Bool, at now: Int64) -> [String] {
            let ids = order.map(\.id)
            self.isPaused = isPaused
            return [isPaused ? "paused all" : "resumed all"] + ids.flatMap { settle($0, at: now) }
        }

        mutating func advance(to now: Int64) -> [String] {
            var lines: [String] = []
            while !isPaused, let item = order.first(where: { !$0.isPaused && $0.left == nil && $0.due <= now }),
                let index = items.firstIndex(where: { $0.id == item.id })
            {
                items[index].fired += 1
                lines.append("fired \(item.id) \(item.fired + 1) \(item.due)")
                if let next = items[index].next(after: now) {
                    items[index].due = next
                    items[index].isDate = item.phase != nil
                } else {
                    items.remove(at: index)
                    lines.append("removed \(item.id) completed")
                }
            }
            return lines
        }
    }

    /// Both of them, told the same.
    private struct Pair {
        var book = ScheduleBook<String>()
        var model = Model()
        var now: Int64 = 1_774_656_000_000_000_000
        var instant: Instant { Instant(nanoseconds: now) }

        /// Does one thing at random to both.
        /// - Returns: What each tells.
        mutating func step(_ random: inout SeededRandom) throws -> (book: [String], model: [String]) {
            let id = "s\(random.int(0...5))"
            switch random.int(0...11) {
            case 0...3:
                return try schedule(id, &random)
            case 4...5:
                let pauses = random.chance(0.5)
                let events = pauses ? book.pause(id, at: instant) : book.resume(id, at: instant)
                return (words(events), model.pause(pauses, id, at: now))
            case 6 where random.chance(0.5):
                let pauses = !model.isPaused
                let events = pauses ? book.pauseAll(at: instant) : book.resumeAll(at: instant)
                return (words(events), model.pauseAll(pauses, at: now))
            case 7:
                let isThere = model.items.contains { $0.id == id }
                model.items.removeAll { $0.id == id }
                return (words(book.cancel(id)), isThere ? ["removed \(id) cancelled"] : [])
            case 8:
                let restored = try JSONDecoder().decode(ScheduleBook<String>.self, from: JSONEncoder().encode(book))
                #expect(restored == book)
                book = restored
                return ([], [])
            default:
                now += random.pick([0, 1, 290, 500, 1_000, 7_000, 61_000]) * 1_000_000
                return (words(book.advance(to: instant)), model.advance(to: now))
            }
        }

        private mutating func schedule(_ id: String, _ random: inout SeededRandom) throws -> ([String], [String]) {
            let interval = Int64(random.pick([10, 250, 1_000, 3_000])) * 1_000_000
            let wait = Int64(random.int(0...9)) * 1_000_000_000
            var item = Item(id: id, number: 0, due: now + wait, isDate: false, skips: false)
            var rule: ScheduleRule
            switch random.int(0...4) {
            case 0: rule = .after(Double(wait) / 1e9)
            case 1:
                rule = .at(Date(Instant(nanoseconds: item.due)))
                item.isDate = true
            case 2:
                rule = .every(Double(interval) / 1e9)
                (item.interval, item.due) = (interval, now + interval)
            case 3:
                item.due -= 5_000_000_000
                rule = .every(Double(interval) / 1e9).starting(at: Date(Instant(nanoseconds: item.due)))
                (item.interval, item.isDate) = (interval, true)
                item.phase = Instant(Date(Instant(nanoseconds: item.due))).nanoseconds
            default:
                rule = .every(Double(interval) / 1e9).starting(after: Double(wait) / 1e9)
                item.interval = interval
            }
            // A date has the nanoseconds of its double.
            if item.isDate { item.due = max(now, Instant(Date(Instant(nanoseconds: item.due))).nanoseconds) }
            if random.chance(0.3) { (rule, item.skips) = (rule.skippingMissed(), true) }
            if item.interval != nil, random.chance(0.3) { (rule, item.times) = (rule.times(3), 3) }
            if random.chance(0.2) {
                let end = Date(Instant(nanoseconds: item.due + 5_000_000_000))
                (rule, item.end) = (rule.until(end), Instant(end).nanoseconds)
            }
            let events = try book.schedule(rule, "N", id: id, at: instant)
            model.put(item, at: now)
            return (words(events), ["scheduled \(id)"])
        }

        private func words(_ events: [ScheduleEvent<String>]) -> [String] {
            events.map { event in
                switch event {
                case .scheduled(let id, _): "scheduled \(id)"
                case .fired(let firing): "fired \(firing.id) \(firing.count) \(firing.due.nanoseconds)"
                case .skipped(let id, let due, let next):
                    "skipped \(id) \(due.nanoseconds) \(next.map { "\($0.nanoseconds)" } ?? "nil")"
                case .paused(let id): "paused \(id ?? "all")"
                case .resumed(let id): "resumed \(id ?? "all")"
                case .removed(let id, let reason): "removed \(id) \(reason)"
                }
            }
        }
    }

    @Test(.tags(.random), arguments: Seeds.seeds([1, 2, 3]))
    func `a book gives the events of a simple list model, in the same order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var pair = Pair()
        var firings = 0
        for step in 0..<5_000 {
            let told = try pair.step(&random)
            try #require(told.book == told.model, "seed \(seed), step \(step)")
            try #require(pair.book.entries.map(\.id) == pair.model.order.map(\.id), "seed \(seed), step \(step)")
            firings += told.book.count { $0.hasPrefix("fired") }
        }
        #expect(firings > 500, "seed \(seed)")
    }
}
