// A store that was written by a clock that stands elsewhere now.

import Base
import Board
import Labels
import Storage
import TestSupport
import Testing
import Tween
import Wire

@testable import Persistence

@Suite struct StoreClockTests {
    private static let start = Instant(nanoseconds: 1_780_000_000_000_000_000)
    private static let hour: Int64 = 3_600_000_000_000

    private static func look(_ boot: String = "one", up seconds: Double, _ instant: Double, event: Int64 = 0)
        -> StoreClock
    {
        StoreClock(
            boot: boot, uptime: Int64(seconds * 1e9), instant: start.advanced(bySeconds: instant), lastEvent: event)
    }

    private static func events(_ number: Int64, at seconds: Double) -> [StoredEvents] {
        [
            StoredEvents(
                epoch: "e", first: number, last: number, time: start.advanced(bySeconds: seconds).nanoseconds, bytes: []
            )
        ]
    }

    /// A look that is stored, events, a look at the start, and by how many seconds the clock was set.
    private static let steps: [(StoreClock?, [StoredEvents], StoreClock, Double)] = [
        (nil, [], look(up: 5, 0), 0),
        (look(up: 5, 0), [], look(up: 65, 60), 0),
        (look(up: 5, 0), [], look(up: 65, 60.04), 0),
        // It stood ahead or behind, and the machine has run on.
        (look(up: 5, 7_200), [], look(up: 65, 60), -7_200),
        (look(up: 5, -86_400), [], look(up: 65, 60), 86_400),
        (look(up: 5, 60), [], look(up: 65, 60), -60),
        // Events tell how long it went on, and of another run of the machine nothing else does.
        (look("other", up: 5, 0), [], look(up: 65, 600), 0),
        (look("other", up: 5, 7_200), [], look(up: 65, 600), -6_600),
        (look("other", up: 5, 0, event: 3), events(4, at: 7_200), look(up: 65, 600), -6_600),
        (look("other", up: 5, 0, event: 4), events(4, at: 7_200), look(up: 65, 600), 0),
        (nil, events(4, at: 7_200), look(up: 65, 600), -6_600),
        (look("", up: 5, 0), [], look("", up: 65, 600), 0),
        // A time since the start that was set along with the clock tells nothing.
        (look(up: 7_205, 7_200), events(1, at: 7_230), look(up: 65, 60), -7_170),
        (look(up: 5, 0), events(1, at: 7_200), look(up: 65, 60), -7_140),
    ]

    @Test func `a clock reading has its run's epoch, and an old record without one is read`() throws {
        var clock = Self.look(up: 5, 0, event: 3)
        clock.epoch = "1a2b"
        #expect(try StoreClock.read(clock.record) == clock)
        clock.silentRuns = [EventID(epoch: "1", number: 0), EventID(epoch: "1a", number: 7)]
        #expect(try StoreClock.read(clock.record) == clock)
        let old = StoredRecord(kind: .setting, id: StoreClock.settingID, body: Array("1 2 3 4 boot".utf8))
        #expect(try StoreClock.read(old).epoch.isEmpty && StoreClock.read(old).boot == "boot")
    }

    @Test(arguments: steps)
    func `a clock step is found from the machine's uptime, or from events in the future`(
        known: StoreClock?, events: [StoredEvents], present: StoreClock, seconds: Double
    ) {
        #expect(StoreClock.step(from: known, events, to: present) == Int64(seconds * 1e9))
    }

    @Test func `a clock reading is restored from its record, and a malformed one is refused`() throws {
        let look = Self.look("3f-a", up: 5, 0, event: 7)
        #expect(try StoreClock.read(look.record) == look)
        var moved = look
        moved.shift = -7
        #expect(try StoreClock.read(moved.record) == moved)
        #expect(try StoreClock.read(Self.look("", up: 1, 2).record) == Self.look("", up: 1, 2))
        #expect(throws: StoreError.self) {
            try StoreClock.read(StoredRecord(kind: .setting, id: "clock", body: Array("1 2".utf8)))
        }
    }

    // MARK: - A board

    /// A motion of 100 s, an interval of 600 s, one that is held and a date, made by a clock that is wrong, a minute before
    /// it is set right.
    private static func records(wrongBy seconds: Double) throws -> [StoredRecord] {
        var engine = Engine(configuration: Engine.Configuration(planner: NoFormats()))
        let then = start.advanced(bySeconds: seconds)
        var update = TrackUpdate()
        update.goal = .to(ExactDecimal(100))
        update.length = .seconds(100)
        update.curve = .easing(.linear)
        _ = try engine.apply(.update(ResourceName(.ticker, "t"), update), at: then)
        for (id, json) in [
            ("i", #"{"every":600,"do":[{"notify":"n"}]}"#), ("h", #"{"in":60,"do":[{"notify":"n"}]}"#),
            ("d", #"{"at":"2096-01-31T09:00:00Z","do":[{"notify":"n"}]}"#),
        ] {
            let (_, definition) = try ScheduleDecoder.definition(Array(json.utf8), rules: NoCalendar())
            _ = try engine.apply(.schedule(ResourceName(.schedule, id), definition), at: then)
        }
        _ = try engine.apply(.pauseSchedule(ResourceName(.schedule, "h")), at: then)
        let names = engine.drainChanges()
        return names.compactMap { name in
            engine.track(name).map(Restoration.record(of:)) ?? engine.schedule(name).map(Restoration.record(of:))
        } + [look(up: 10, seconds).record]
    }

    @Test(arguments: [7_200.0, 864_000, -7_200, -864_000])
    func `a board restored after a minute is a minute later, whatever clock wrote it`(seconds: Double) throws {
        let store = RestorationTests.KeptStore(try Self.records(wrongBy: seconds))
        let now = Self.start.advanced(bySeconds: 60)
        var result = try Restoration.restore(
            from: store, configuration: Engine.Configuration(planner: NoFormats()), rules: NoCalendar(),
            look: { Self.look(up: 70, 60) }, report: { _, _ in })
        #expect(result.clockStep == Int64(seconds * -1e9))
        let moved = result.engine.shiftTimeline(byNanoseconds: result.clockStep, at: now)
        #expect(moved.motions == 1 && moved.intervals == 1 && moved.dates == 0)
        #expect(result.engine.track(ResourceName(.ticker, "t"))?.value(at: now) == 60)
        #expect(result.engine.schedule(ResourceName(.schedule, "i"))?.remaining(at: now) == 540)
        #expect(result.engine.schedule(ResourceName(.schedule, "h"))?.remaining(at: now) == 60)
        #expect(
            result.engine.schedule(ResourceName(.schedule, "d"))?.due == Instant(nanoseconds: 3_978_838_800_000_000_000)
        )
        #expect(result.engine.drainChanges().map(\.id).sorted() == ["i", "t"], "it is stored by the clock as it is")
    }
}
