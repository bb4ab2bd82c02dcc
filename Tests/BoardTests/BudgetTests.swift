// The board's budget of bytes: kept exactly, and held against growth alone.

import Board
import Labels
import RecurrenceRules
import TestSupport
import Testing
import Tween

@Suite struct BudgetTests {
    private func engine(_ bytes: Int) -> Engine {
        var configuration = Engine.Configuration(planner: NoFormats())
        configuration.maximumBytes = bytes
        return Engine(configuration: configuration)
    }

    private func update(_ label: String) -> TrackUpdate {
        var update = TrackUpdate(source: Array(label.utf8))
        update.goal = .to(1)
        update.label = label
        update.length = .seconds(1)
        return update
    }

    private let now = Instant(nanoseconds: 0)

    @Test(arguments: [UInt64(1), 2, 3])
    func `the board's byte count equals the sum of its tickers and schedules after any commands`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var engine = engine(600_000)
        var refused = 0
        for round in 0..<3_000 {
            let id = "r\(random.int(0...60))"
            let label = "1 " + String(repeating: random.pick(["x", "\u{1}"]), count: random.int(0...3_000))
            let time = now.advanced(bySeconds: Double(round) / 60)
            do throws(CommandError) {
                switch random.int(0...7) {
                case 0: _ = try engine.apply(.remove(ticker(id)), at: time)
                case 1:
                    _ = try engine.apply(
                        .schedule(schedule(id), notifying(label) { $0.plan.recurrence = .interval(3) }), at: time)
                case 2: _ = try engine.apply(.remove(schedule(id)), at: time)
                case 3:
                    var waiting = update(label)
                    waiting.interruption = .queue
                    _ = try engine.apply(.update(ticker(id), waiting), at: time)
                case 4: _ = try engine.apply(.define(ticker(id), update(label)), at: time)
                default: _ = try engine.apply(.update(ticker(id), update(label)), at: time)
                }
            } catch {
                if case .boardOutOfMemory = error { refused += 1 }
            }
            engine.advance(to: time)
            guard round.isMultiple(of: 20) else { continue }
            let tracks = engine.tracks.reduce(0) { $0 + ($1?.footprint ?? 0) }
            let schedules = engine.schedules.reduce(0) { $0 + ($1?.footprint ?? 0) }
            #expect(engine.bytes == tracks + schedules)
        }
        #expect(refused > 0)
    }

    @Test func `over the budget growth is refused and changes nothing, and shrinking works`() throws {
        var engine = engine(40_000)
        let long = "1 " + String(repeating: "x", count: 4_000)
        var made = 0
        #expect(throws: CommandError.boardOutOfMemory(limit: 40_000)) {
            for number in 0..<100 {
                _ = try engine.apply(.update(ticker("t\(number)"), update(long)), at: now)
                made += 1
            }
        }
        #expect(made > 2 && engine.trackCount == made)
        let before = engine.bytes
        _ = engine.drainEvents()
        _ = engine.drainChanges()
        #expect(throws: CommandError.boardOutOfMemory(limit: 40_000)) {
            _ = try engine.apply(.update(ticker("t0"), update(String(repeating: long, count: 10))), at: now)
        }
        let heavy = notifying(long) { $0.source = [UInt8](repeating: 1, count: 9_000) }
        #expect(throws: CommandError.self) { try engine.apply(.schedule(schedule("s"), heavy), at: now) }
        #expect(engine.bytes == before && engine.drainEvents().isEmpty && engine.drainChanges().isEmpty)
        _ = try engine.apply(.update(ticker("t0"), update("1 coin")), at: now)
        #expect(engine.bytes < before)
        for number in 0..<made { _ = try engine.apply(.remove(ticker("t\(number)")), at: now) }
        #expect(engine.bytes == 0)
    }

    @Test func `stored tickers are restored even when they exceed the byte budget`() throws {
        var large = engine(.max)
        for number in 0..<50 {
            _ = try large.apply(
                .update(ticker("t\(number)"), update("1 " + String(repeating: "x", count: 1_000))), at: now)
        }
        var small = engine(10_000)
        small.adopt(large.tracks.compactMap { $0.map { .track($0) } }, at: now)
        #expect(small.trackCount == 50 && small.bytes == large.bytes)
    }

    @Test func `queued updates of a ticker are limited in bytes as well as in number`() throws {
        var script = EngineScript()
        try script.update("t") {
            $0.goal = .to(9)
            $0.length = .seconds(60)
        }
        var waiting = 0
        #expect(throws: CommandError.self) {
            for _ in 0..<Track.maximumWaiting {
                try script.update("t") {
                    $0.interruption = .queue
                    $0.source = [UInt8](repeating: 1, count: 60_000)
                }
                waiting += 1
            }
        }
        #expect(waiting == 4)
    }
}
