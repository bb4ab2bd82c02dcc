// The book against the service's engine: the same rules at the same instants, the same firings.

import Base
import Board
import Foundation
import RecurrenceRules
import TestSupport
import Testing
import Tween

@testable import Schedules

@Suite struct EngineComparisonTests {
    /// Both of them, told the same.
    private struct Pair {
        var book = ScheduleBook<String>()
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        var now = Instant(Date(timeIntervalSince1970: 1_774_656_000))
        let calendar = ZonedCalendar()
        private var made = 0

        /// What the book tells, sorted: what comes at one instant has no order that both agree on.
        static func words(_ events: [ScheduleEvent<String>]) -> [String] {
            events.compactMap { event in
                switch event {
                case .scheduled(let id, _): "scheduled \(id)"
                case .fired(let firing): "fired \(firing.id) \(firing.count) \(firing.due.nanoseconds)"
                case .skipped(let id, let due, let next): "skipped \(id) \(due.nanoseconds) \(next?.nanoseconds ?? 0)"
                case .paused(let id): "paused \(id ?? "all")"
                case .resumed(let id): "resumed \(id ?? "all")"
                case .removed(let id, let reason): "removed \(id) \(reason)"
                }
            }.sorted()
        }

        /// What the engine tells, in the same words.
        mutating func engineWords() -> [String] {
            engine.drainEvents().compactMap { event in
                switch event {
                case .scheduled(let name, _): "scheduled \(name.id)"
                case .fired(let name, let due, let count): "fired \(name.id) \(count) \(due.nanoseconds)"
                case .skipped(let name, let due, let next):
                    "skipped \(name.id) \(due.nanoseconds) \(next?.nanoseconds ?? 0)"
                case .paused(let name): "paused \(name?.id ?? "all")"
                case .resumed(let name): "resumed \(name?.id ?? "all")"
                case .removed(let name, let reason): "removed \(name.id) \(reason)"
                default: nil
                }
            }.sorted()
        }

        /// Does one thing at random to both.
        /// - Returns: What the book tells.
        mutating func step(_ random: inout SeededRandom) throws -> [ScheduleEvent<String>] {
            let id = "s\(random.int(0...5))"
            let name = ResourceName(.schedule, id)
            switch random.int(0...11) {
            case 0...3:
                let rule = rule(&random)
                // Never the same twice: an identical one that waits would stay, where the book replaces it.
                made += 1
                let actions = ActionList(actions: [.notify(name: "\(made)", data: nil)], source: [])
                var definition = ScheduleDefinition(actions: actions, source: [])
                definition.plan = try rule.plan(by: calendar)
                let isTaken = (try? engine.apply(.schedule(name, definition), at: now)) != nil
                let events = try? book.schedule(rule, id, id: id, at: now)
                #expect(isTaken == (events != nil))
                return events ?? []
            case 4:
                _ = try? engine.apply(.pauseSchedule(name), at: now)
                return book.pause(id, at: now)
            case 5:
                _ = try? engine.apply(.resumeSchedule(name), at: now)
                return book.resume(id, at: now)
            case 6 where random.chance(0.5):
                _ = try engine.apply(book.isPaused ? .resumeAllSchedules : .pauseAllSchedules, at: now)
                return book.isPaused ? book.resumeAll(at: now) : book.pauseAll(at: now)
            case 7:
                _ = try? engine.apply(.remove(name), at: now)
                return book.cancel(id)
            case 8 where random.chance(0.2):
                book = try JSONDecoder().decode(ScheduleBook<String>.self, from: JSONEncoder().encode(book))
                return []
            default:
                now = now.advanced(bySeconds: random.pick([0, 0.5, 1, 7, 61, 3_600, 86_400, 900_000]))
                while !engine.advance(to: now) {}
                return book.advance(to: now)
            }
        }

        private func rule(_ random: inout SeededRandom) -> ScheduleRule {
            let start = Date(now)
            let zone = random.pick([nil, "Europe/Berlin", "America/New_York", "Asia/Kathmandu"])
            var rule: ScheduleRule =
                switch random.int(0...5) {
                case 0: .at(start.addingTimeInterval(random.double(-100...5_000)))
                case 1: .after(Double(random.int(0...100)))
                case 2: .every(random.pick([0.5, 2, 10, 3_600]))
                case 3:
                    .every(random.pick(["*/15 * * * *", "30 2 * * *", "0 9 * * MON-FRI", "@monthly"]), timeZone: zone)
                case 4: .every(random.pick(["P1D", "P1M", "P1DT12H"]), timeZone: zone ?? "UTC")
                default: .every("PT20M")
                }
            if random.chance(0.2) { rule = rule.starting(at: start.addingTimeInterval(random.double(-10...500))) }
            if random.chance(0.3) { rule = rule.skippingMissed() }
            if random.chance(0.2) { rule = rule.times(1) }
            if random.chance(0.2) { rule = rule.until(start.addingTimeInterval(random.double(0...100_000))) }
            return rule
        }
    }

    @Test(.tags(.random), arguments: Seeds.seeds([1, 2, 3]))
    func `book and server engine give the same firings for the same random rules`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var pair = Pair()
        var firings = 0
        for step in 0..<3_000 {
            let told = Pair.words(try pair.step(&random))
            let expected = pair.engineWords()
            try #require(told == expected, "seed \(seed), step \(step)")
            try #require(pair.book.nextDue == pair.engine.nextDue, "seed \(seed), step \(step)")
            firings += told.count { $0.hasPrefix("fired") }
        }
        #expect(firings > 300, "seed \(seed)")
    }
}
