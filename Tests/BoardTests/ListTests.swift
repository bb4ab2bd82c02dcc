// Pages of tracks and schedules: whole, in order, and fitting together while things change.

import Base
import RecurrenceRules
import Testing
import Tween

@testable import Board

@Suite struct ListTests {
    @Test func `pages of tickers hold each ticker once, in the order of ids`() throws {
        var script = EngineScript()
        for number in (0..<25).reversed() {
            try script.update("t\(number)") { $0.goal = .to(1) }
            var update = TrackUpdate()
            update.goal = .to(1)
            try script.apply(.update(ResourceName(.progress, "p\(number)"), update))
        }
        var seen: [String] = []
        while case let page = script.engine.tracks(.ticker, after: seen.last, limit: 10), !page.isEmpty {
            seen += page.map(\.name.id)
        }
        #expect(seen == (0..<25).map { "t\($0)" }.sorted())
    }

    @Test func `paging through schedules misses none while some fire between the pages`() throws {
        var script = EngineScript()
        for number in 0..<30 {
            let second = Double((number * 7) % 30 + 1)
            try script.apply(
                .schedule(schedule("s\(number)"), notifying("N") { $0.plan.recurrence = .interval(second) }))
            if number >= 25 { try script.apply(.pauseSchedule(schedule("s\(number)"))) }
        }
        let first = script.engine.schedules(after: nil, limit: 10)
        let place = SchedulePlace(try #require(first.last))
        // The whole first page fires, and stands elsewhere by now.
        script.wait(until: 11)
        var rest: [Schedule] = []
        var last = place
        while case let page = script.engine.schedules(after: last, limit: 7), let end = page.last {
            rest += page
            last = SchedulePlace(end)
        }
        let seen = Set((first + rest).map(\.name.id))
        #expect(seen.count == 30)
        #expect(rest.suffix(5).allSatisfy { $0.remaining != nil })
        #expect(Set(rest.map(\.name.id)).count == rest.count)
    }

    @Test(arguments: ["tea@5", "tea@-5", "tea@60.5s", "a.b~c:d-1@1718000000000000000", "tea@0.0s"])
    func `a schedule's place in the list reads back as it was written`(text: String) {
        #expect(SchedulePlace(text)?.description == text)
    }

    @Test(arguments: [
        "", "tea", "@5", "tea@", "tea@x", "tea@-1s", "tea@nans", "t@ea@5", "te a@5", "tea@99999999999999999999",
    ])
    func `a malformed place in the list of schedules is rejected`(text: String) {
        #expect(SchedulePlace(text) == nil)
    }
}
