// From records to a board: whole, in order, on however many threads.

import Base
import Board
import Labels
import Storage
import StorageSQLite
import Synchronization
import TestSupport
import Testing
import Tween
import Wire

@testable import Persistence

@Suite struct RestorationTests {
    /// Hands over the records it was given, a few at a time, and takes note of what is submitted.
    final class KeptStore: Store {
        let records: [StoredRecord]
        let events: [StoredEvents]
        let submitted = Mutex<[StoreChange]>([])

        init(_ records: [StoredRecord], events: [StoredEvents] = []) {
            (self.records, self.events) = (records, events)
        }

        func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
            for start in stride(from: 0, to: records.count, by: 37) {
                take(Array(records[start..<min(start + 37, records.count)]))
            }
            var contents = StoreContents()
            contents.events = events
            return contents
        }

        func submit(
            _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
        ) {
            submitted.withLock { $0 += changes }
        }
        func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {}
        var health: StoreHealth { StoreHealth() }
        func close() {}
    }

    private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
    private static let configuration = Engine.Configuration(planner: NoFormats())

    /// A board with tickers that end one after another, in another order than their names'.
    private static func records(_ count: Int) throws -> [StoredRecord] {
        var engine = Engine(configuration: configuration)
        var records: [StoredRecord] = []
        for number in 0..<count {
            var update = TrackUpdate()
            update.goal = .to(ExactDecimal(number + 1))
            update.length = .seconds(Double((number * 7_919) % count + 1))
            let name = ResourceName(.ticker, "t\(number)")
            _ = try engine.apply(.update(name, update), at: start)
            guard let track = engine.track(name) else { continue }
            records.append(StoredRecord(RecordName(.ticker, name.id), TrackRecord.contents(of: track)))
        }
        return records.sorted { $0.id < $1.id }
    }

    private static func restore(_ records: [StoredRecord], at now: Instant) throws -> Engine {
        try restore(from: KeptStore(records), at: now).engine
    }

    private static func restore(from store: any Store, at now: Instant) throws -> Restoration.Result {
        try Restoration.restore(
            from: store, configuration: configuration, rules: NoCalendar(),
            look: { StoreClock(boot: "run", uptime: now.nanoseconds - start.nanoseconds, instant: now) },
            report: { _, _ in })
    }

    @Test(arguments: [(3, true), (2, false), (4, false)])
    func `merged events continue the log, unless it went on without them`(first: Int64, isKept: Bool) throws {
        let logged = StoredEvents(epoch: "e", first: 1, last: 2, time: 5, bytes: [1])
        let merged = StoredEvents(epoch: "e", first: first, last: first + 1, time: 6, bytes: [10, 0, 10])
        let store = KeptStore([MergedEvents.record(of: merged)], events: [logged])
        let result = try Self.restore(from: store, at: Self.start)
        #expect(result.findings.isWhole && result.merged == (isKept ? merged : nil))
        #expect(result.contents.events.map(\.last) == (isKept ? [2, first + 1] : [2]))
    }

    @Test(arguments: ["", "e 1 2 3", "e 1 2\n", "e 0 2 3\n", "e 2 1 3\n", "e x 2 3\n"])
    func `a record that holds no merged events is set aside`(text: String) throws {
        let record = StoredRecord(kind: .setting, id: MergedEvents.settingID, body: Array(text.utf8))
        let result = try Self.restore(from: KeptStore([record]), at: Self.start)
        #expect(result.merged == nil && result.findings.unreadable.count == 1)
    }

    @Test func `a board knows where the copy ends from which it was restored, merged events included`() throws {
        let logged = StoredEvents(epoch: "e", first: 1, last: 2, time: 5, bytes: [1])
        let merged = StoredEvents(epoch: "e", first: 3, last: 4, time: 6, bytes: [10, 0, 10])
        let copy = KeptStore([MergedEvents.record(of: merged)], events: [logged])
        let findings = try Restoration.look(through: copy, planner: NoFormats(), rules: NoCalendar()).findings
        #expect(findings.lastEvent == 4)
        let end = CopyEnd(lastEvent: findings.lastEvent)
        #expect(try Self.restore(from: KeptStore([end.record]), at: Self.start).copyEnd == end)
        #expect(try Self.restore(from: copy, at: Self.start).copyEnd == nil)
    }

    @Test(arguments: ["", "x", "-1", "1 2"])
    func `a record that holds no end of a copy is set aside`(text: String) throws {
        let record = StoredRecord(kind: .setting, id: CopyEnd.settingID, body: Array(text.utf8))
        let result = try Self.restore(from: KeptStore([record]), at: Self.start)
        #expect(result.copyEnd == nil && result.findings.unreadable.count == 1)
    }

    @Test(arguments: [0, 1, 36, 37, 38, 5_000])
    func `motions that ended during the downtime complete in the order of their ends`(count: Int) throws {
        let later = Self.start.advanced(bySeconds: Double(count) + 2)
        var engine = try Self.restore(try Self.records(count), at: later)
        #expect(engine.trackCount == count)
        while !engine.advance(to: later) {}
        let ended = engine.drainEvents().compactMap { event -> Int? in
            guard case .complete(let name, let ending, _) = event, ending.reason == .finished else { return nil }
            return Int(name.id.dropFirst())
        }
        let expected = (0..<count).sorted { ($0 * 7_919) % count < ($1 * 7_919) % count }
        #expect(ended == expected)
    }

    @Test func `a board restored is the board that was stored`() throws {
        let records = try Self.records(500)
        let engine = try Self.restore(records, at: Self.start.advanced(bySeconds: 0.5))
        for record in records {
            let track = try #require(engine.track(ResourceName(.ticker, record.id)))
            #expect(TrackRecord.contents(of: track) == record.contents)
        }
    }

    @Test(arguments: [1, 9] as [UInt8])
    func `a record of another form is set aside with the reason`(form: UInt8) throws {
        let store = KeptStore([StoredRecord(kind: .ticker, id: "a", body: [form, 0])])
        _ = try Self.restore(from: store, at: Self.start)
        let reasons = store.submitted.withLock { changes in
            changes.map { change in if case .setAside(_, let reason, _) = change { reason } else { "" } }
        }
        #expect(reasons.count == 1 && reasons[0].contains("form \(form)"))
    }

    @Test func `unreadable records are set aside, and all others are restored`() throws {
        var records = try Self.records(3_000)
        let damaged = [0, 1_500, 2_999]
        for place in damaged { records[place].body = Array("{}".utf8) }
        records.append(StoredRecord(kind: .schedule, id: "s", body: [0xFF]))
        records.append(StoredRecord(kind: .delivery, id: "d", body: Array("[]".utf8)))
        let store = KeptStore(records)
        let result = try Self.restore(from: store, at: Self.start)
        #expect(result.engine.trackCount == 2_997 && result.engine.pendingSchedules == 0 && result.deliveries.isEmpty)
        let setAside = store.submitted.withLock { changes in
            changes.compactMap { change -> RecordName? in
                guard case .setAside(let name, let reason, _) = change, !reason.isEmpty else { return nil }
                return name
            }
        }
        let expected =
            damaged.map { RecordName(.ticker, records[$0].id) } + [
                RecordName(.schedule, "s"), RecordName(.delivery, "d"),
            ]
        #expect(Set(setAside) == Set(expected) && setAside.count == 5)
    }

    @Test func `checking a store finds its unreadable records and changes nothing`() throws {
        var records = try Self.records(300)
        for place in [7, 299] { records[place].body = Array("{}".utf8) }
        records += [
            StoredRecord(kind: .schedule, id: "s", body: [0xFF]), StoredRecord(kind: .delivery, id: "d", body: []),
            StoredRecord(kind: .ticker, id: "no id", body: records[0].body),
            StoredRecord(kind: .setting, id: "schedules", body: Array("pause".utf8)),
        ]
        let store = KeptStore(records)
        let findings = try Restoration.look(through: store, planner: NoFormats(), rules: NoCalendar()).findings
        #expect(findings.records == 304 && findings.unreadable.count == 6 && !findings.isWhole)
        let lines = findings.text.split(separator: "\n")
        #expect(lines[0] == "6 of 304 records can't be read:" && lines.count == 7)
        for name in ["ticker \(records[7].id): ", "ticker \(records[299].id): ", "schedule s: ", "webhook d: "] {
            #expect(lines.contains { $0.hasPrefix("  " + name) }, "\(name)")
        }
        let submitted = store.submitted.withLock { $0.count }
        #expect(submitted == 0)
        #expect(
            try Restoration.look(
                through: KeptStore(try Self.records(3)), planner: NoFormats(), rules: NoCalendar()
            ).findings.isWhole)
    }

    @Test(arguments: ["", "pause", "paused x", "paused 5 6", "\u{FFFD}aused 5"])
    func `an unreadable record of pause-all is set aside`(text: String) throws {
        let store = KeptStore([StoredRecord(kind: .setting, id: "schedules", body: Array(text.utf8))])
        #expect(try !Self.restore(from: store, at: Self.start).engine.schedulesPaused)
        let setAside = store.submitted.withLock { changes in
            changes.contains { if case .setAside(RecordName(.setting, "schedules"), _, _) = $0 { true } else { false } }
        }
        #expect(setAside)
    }

    @Test func `an unreadable record is quarantined once, and its resource can be created again`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        var records = try Self.records(10)
        let whole = records[3]
        records[3].body = Array("{".utf8)
        records[3].parts = [7: [1, 2, 3]]
        let first = try SQLiteStore(path: path)
        first.submit(records.map { .put($0) }) { _ in }
        first.close()

        let second = try SQLiteStore(path: path)
        #expect(try Self.restore(from: second, at: Self.start).engine.trackCount == 9)
        second.submit([.put(whole)]) { _ in }
        second.close()
        #expect(second.health.quarantined == 1)

        let third = try SQLiteStore(path: path)
        #expect(try Self.restore(from: third, at: Self.start).engine.trackCount == 10)
        #expect(third.health.quarantined == 1)
        third.close()
    }

    @Test func `large parts of records are restored with them`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        var engine = Engine(configuration: Self.configuration)
        let name = ResourceName(.ticker, "t")
        let note = #"[{"notify":"n","data":"\#(String(repeating: "x", count: 1_000))"}]"#
        for words in [#""duration":100"#, #""interrupt":"queue""#, #""interrupt":"queue""#] {
            let body = Array(#"{"to":1,\#(words),"then":\#(note)}"#.utf8)
            let update = try UpdateDecoder.update(body, kind: .ticker, role: .update)
            _ = try engine.apply(.update(name, update), at: Self.start)
        }
        let track = try #require(engine.track(name))
        let record = StoredRecord(RecordName(.ticker, "t"), TrackRecord.contents(of: track))
        #expect(record.parts.count == 3 && record.body.count < 1_000)
        let first = try SQLiteStore(path: path)
        first.submit([.put(record)]) { _ in }
        first.close()
        let second = try SQLiteStore(path: path)
        let again = try Self.restore(from: second, at: Self.start).engine
        second.close()
        #expect(again.track(name) == track)
    }

    @Test func `pause-all is restored although its record comes last`() throws {
        let records = try Self.records(100) + [Restoration.record(of: SchedulePause(isPaused: true, since: Self.start))]
        #expect(try Self.restore(records, at: Self.start).schedulesPaused)
    }
}
