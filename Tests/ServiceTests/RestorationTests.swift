// From records to a board: whole, in order, on however many threads.

import Board
import Labels
import Storage
import Testing
import Tween
import Wire

@testable import TweencastService

@Suite struct RestorationTests {
    private struct NoCalendar: CalendarRules {
        func recurrence(_ text: String, zone: String?) throws(CommandError) -> CalendarRecurrence {
            throw .invalid(field: "every", reason: "no calendar here")
        }
    }

    /// Hands over the records it was given, a few at a time.
    private final class KeptStore: Store {
        let records: [StoredRecord]

        init(_ records: [StoredRecord]) { self.records = records }

        func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
            for start in stride(from: 0, to: records.count, by: 37) {
                take(Array(records[start..<min(start + 37, records.count)]))
            }
            return StoreContents()
        }

        func submit(
            _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
        ) {}
        func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {}
        var health: StoreHealth { StoreHealth() }
        func close() {}
    }

    private static let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
    private static let configuration = Engine.Configuration(planner: LocalePlanner())

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
            records.append(StoredRecord(kind: .ticker, id: name.id, body: TrackRecord.body(of: track)))
        }
        return records.sorted { $0.id < $1.id }
    }

    private static func restore(_ records: [StoredRecord], at now: Instant) throws -> Engine {
        try Restoration.restore(
            from: KeptStore(records), configuration: configuration, rules: NoCalendar(), at: { now }
        ).engine
    }

    @Test(arguments: [0, 1, 36, 37, 38, 5_000])
    func `what ended meanwhile completes in the order in which it ended`(count: Int) throws {
        let later = Self.start.advanced(bySeconds: Double(count) + 2)
        var engine = try Self.restore(try Self.records(count), at: later)
        #expect(engine.trackCount == count)
        while !engine.advance(to: later) {}
        let ended = engine.takeEvents().compactMap { event -> Int? in
            guard case .complete(let name, _, .finished, _, _) = event else { return nil }
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
            #expect(TrackRecord.body(of: track) == record.body)
        }
    }

    @Test func `a record that can't be read is named, wherever it stands`() throws {
        for place in [0, 1_500, 2_999] {
            var records = try Self.records(3_000)
            records[place].body = Array("{}".utf8)
            let error = #expect(throws: StoreError.self) { try Self.restore(records, at: Self.start) }
            #expect(error?.code == .corrupt && error?.cause.contains(records[place].id) == true)
        }
    }

    @Test func `whether all schedules are paused is known though its record comes last`() throws {
        let records = try Self.records(100) + [Restoration.record(schedulesPaused: true)]
        #expect(try Self.restore(records, at: Self.start).schedulesPaused)
    }
}
