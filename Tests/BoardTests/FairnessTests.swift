// More due than is carried out: how much one advance does, and whose turn it is then.

import Board
import Labels
import RecurrenceRules
import TestSupport
import Testing
import Tween

@Suite struct FairnessTests {
    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

    private func tick(_ number: Int) -> Instant { at(Double(number) / 60) }

    private func engine() -> Engine { Engine(configuration: Engine.Configuration(planner: NoFormats())) }

    /// Every hundredth of a second as many notifications as a list holds, each of 1.9 KB.
    private var flood: ScheduleDefinition {
        let data = [UInt8](repeating: UInt8(ascii: "1"), count: 1_900)
        let notices = [Action](repeating: .notify(name: "flood", data: data), count: ActionList.maximumCount)
        var definition = ScheduleDefinition(actions: ActionList(actions: notices, source: []), source: [])
        definition.plan.recurrence = .interval(0.01)
        return definition
    }

    private func bytes(of events: [BoardEvent]) -> Int {
        events.reduce(0) { sum, event in
            if case .notification(_, let data, _) = event { sum + (data?.count ?? 0) } else { sum }
        }
    }

    @Test func `an advance emits at most its byte budget of notifications plus the list it has begun`() throws {
        var engine = engine()
        for number in 0..<108 { _ = try engine.apply(.schedule(schedule("b\(number)"), flood), at: at(0)) }
        _ = engine.drainEvents()
        let isDone = engine.advance(to: at(1))
        let told = bytes(of: engine.drainEvents())
        #expect(!isDone)
        #expect(told <= engine.configuration.maximumWorkPerAdvance * 16 + 32 * 1_900)
    }

    /// How many of a hundred overdue schedules with a full list each fire in one advance.
    private func firings(of action: Action, source: Int = 0) throws -> Int {
        var engine = engine()
        let actions = [Action](repeating: action, count: ActionList.maximumCount)
        var definition = ScheduleDefinition(
            actions: ActionList(actions: actions, source: [UInt8](repeating: 0, count: source)), source: [])
        definition.plan.recurrence = .interval(0.01)
        for number in 0..<100 { _ = try engine.apply(.schedule(schedule("b\(number)"), definition), at: at(0)) }
        engine.advance(to: at(1))
        return engine.drainEvents().count { if case .fired = $0 { true } else { false } }
    }

    @Test func `an advance fires fewer schedules, the longer their action lists are`() throws {
        var update = TrackUpdate()
        update.goal = .by(1)
        update.length = .seconds(1)
        #expect(try firings(of: .notify(name: "n", data: nil)) == 12)
        #expect(try firings(of: .update(ticker("t"), update)) == 7)
        // Long lists of keyframes, labels or further actions.
        #expect(try firings(of: .update(ticker("t"), update), source: 16_000) == 5)
    }

    @Test func `one schedule and the end of a motion are on time beside 108 flooding schedules`() throws {
        var engine = engine()
        for number in 0..<108 { _ = try engine.apply(.schedule(schedule("b\(number)"), flood), at: at(0)) }
        _ = try engine.apply(
            .schedule(schedule("honest"), notifying("honest") { $0.plan.recurrence = .interval(1) }), at: at(0))
        var latest = 0.0
        for second in 0..<20 {
            var update = TrackUpdate()
            update.goal = .to(ExactDecimal(second + 1))
            update.length = .seconds(0.5)
            let start = at(Double(second) + 0.25)
            var started = false
            var ended: Instant?
            for number in second * 60..<(second + 1) * 60 {
                let now = tick(number)
                if !started, now >= start {
                    _ = try engine.apply(.update(ticker("t"), update), at: now)
                    started = true
                }
                engine.advance(to: now)
                for event in engine.drainEvents() {
                    if case .fired(schedule("honest"), let due, _) = event {
                        latest = max(latest, now.seconds(since: due))
                    }
                    if case .complete(ticker("t"), let ending, _) = event, ending.reason == .finished { ended = now }
                }
            }
            let end = try #require(ended)
            #expect(end <= start.advanced(bySeconds: 0.5 + 4.0 / 60))
        }
        #expect(latest <= 4.0 / 60)
    }

    @Test func `flooding schedules share the firings evenly`() throws {
        var engine = engine()
        for number in 0..<50 { _ = try engine.apply(.schedule(schedule("b\(number)"), flood), at: at(0)) }
        for number in 1...600 { engine.advance(to: tick(number)) }
        let fired = (0..<50).map { engine.schedule(schedule("b\($0)"))?.fired ?? 0 }
        let least = try #require(fired.min())
        let most = try #require(fired.max())
        #expect(least > 10 && most - least <= 2)
    }

    @Test func `motions that restart themselves at their ends leave room for schedules' firings`() throws {
        var engine = engine()
        let data = [UInt8](repeating: UInt8(ascii: "1"), count: 1_900)
        // An end of no time tells a list and starts the next, at the shortest pace of actions.
        func loop(_ id: String, _ depth: Int) -> TrackUpdate {
            var update = TrackUpdate()
            update.goal = .by(1)
            update.length = .seconds(0)
            var actions = [Action](repeating: .notify(name: "n", data: data), count: 31)
            if depth > 0 { actions.append(.update(ticker(id), loop(id, depth - 1))) }
            update.then = ActionList(actions: actions, source: [])
            return update
        }
        for number in 0..<60 { _ = try engine.apply(.update(ticker("l\(number)"), loop("l\(number)", 7)), at: at(0)) }
        _ = try engine.apply(
            .schedule(schedule("honest"), notifying("honest") { $0.plan.first = .after(0.02) }), at: at(0))
        var number = 1
        while engine.pendingSchedules > 0, number < 100 {
            engine.advance(to: tick(number))
            number += 1
        }
        #expect(number <= 6)
    }

    /// The order in which many motions end that are overdue, those with long lists first.
    private func ends(watching: Bool) throws -> [ResourceName] {
        var engine = engine()
        let told = [Action](repeating: .notify(name: "n", data: nil), count: 16)
        for number in 0..<3_000 {
            var update = TrackUpdate()
            update.goal = .to(1)
            update.length = .seconds(0.5 + Double(number) / 10_000)
            if number < 2_000 { update.then = ActionList(actions: told, source: []) }
            _ = try engine.apply(.update(ticker("t\(number)"), update), at: at(0))
        }
        _ = engine.drainEvents()
        for _ in 0..<3 { engine.advance(to: at(1)) }
        if watching { for slot in 0..<3_000 { engine.setWatched(true, slot: slot) } }
        while !engine.advance(to: at(1)) {}
        return engine.drainEvents().compactMap { if case .complete(let name, _, _) = $0 { name } else { nil } }
    }

    @Test func `a subscriber on one replica does not change the order in which overdue motions end`() throws {
        let order = try ends(watching: false)
        #expect(try order.count == 3_000 && ends(watching: true) == order)
    }

    @Test func `the fair timetable forgets past charges once no slot is overdue`() {
        var table = FairTimetable()
        for slot in 0..<4 { table.set(slot, due: at(Double(slot))) }
        table.queueUp(dueBy: at(9), limit: 3) { _ in 10 }
        let first = table.next(dueBy: at(9))
        #expect(first?.slot == 0)
        table.charge(0, 100)
        table.set(0, due: at(0))
        table.queueUp(dueBy: at(9), limit: 10) { _ in 10 }
        var order: [Int] = []
        while let (slot, _) = table.next(dueBy: at(9)) { order.append(slot) }
        #expect(order == [1, 2, 3, 0])
        table.catchUp()
        for slot in 0..<4 { table.set(slot, due: at(Double(slot))) }
        table.queueUp(dueBy: at(9), limit: 10) { _ in 10 }
        order = []
        while let (slot, _) = table.next(dueBy: at(9)) { order.append(slot) }
        #expect(order == [0, 1, 2, 3])
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `the fair timetable returns each due slot exactly once`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = FairTimetable()
        var expected: [Int: Instant] = [:]
        for _ in 0..<5_000 {
            let slot = random.int(0...99)
            switch random.int(0...5) {
            case 0:
                table.set(slot, due: nil)
                expected[slot] = nil
            case 1...3:
                let due = at(random.double(0...100))
                table.set(slot, due: due)
                expected[slot] = due
            case 4: table.queueUp(dueBy: at(random.double(0...100)), limit: random.int(0...20)) { _ in 10 }
            default:
                let now = at(random.double(0...100))
                guard let (slot, due) = table.next(dueBy: now) else { continue }
                #expect(expected.removeValue(forKey: slot) == due)
                table.charge(slot, random.int(0...9))
            }
            if let first = table.first { #expect(expected.values.contains(first)) } else { #expect(expected.isEmpty) }
        }
        while let (slot, due) = table.next(dueBy: at(1_000)) { #expect(expected.removeValue(forKey: slot) == due) }
        #expect(expected.isEmpty)
    }
}
