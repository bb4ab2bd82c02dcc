// From what the store kept to a board that goes on where it would be.

import Board
import EventStream
import Storage
import Tween
import Wire

/// Builds a board from stored records.
enum Restoration {
    /// What a store kept, read.
    struct Result {
        var engine: Engine
        var deliveries: [Delivery]
        var contents: StoreContents
    }

    /// - Parameter now: Asked when everything has been read.
    /// - Throws: A store error naming the record that can't be read: better no start than a start without it.
    static func restore(
        from store: any Store, configuration: Engine.Configuration, rules: any CalendarRules, at now: () -> Instant
    ) throws(StoreError) -> Result {
        let reader = RecordReader(planner: configuration.planner, rules: rules)
        defer { reader.stop() }
        var trackCount = 0
        var scheduleCount = 0
        var others: [StoredRecord] = []
        let contents = try store.load { records in
            reader.add(records)
            for record in records {
                switch record.kind {
                case .ticker, .progress: trackCount += 1
                case .schedule: scheduleCount += 1
                case .setting, .delivery: others.append(record)
                }
            }
        }
        let setting = others.first { $0.kind == .setting && $0.id == settingID }
        var engine = Engine(
            configuration: configuration, schedulesPaused: setting.map(schedulesPaused) ?? false,
            trackCount: trackCount, scheduleCount: scheduleCount)
        let start = now()
        try reader.finish { engine.adopt($0, at: start) }
        return Result(engine: engine, deliveries: try deliveries(from: others), contents: contents)
    }

    /// The named events of earlier runs.
    /// - Throws: A store error when they can't be read.
    static func events(from contents: StoreContents, _ clock: ServiceClock) throws(StoreError) -> PastEvents {
        var past = PastEvents()
        for portion in contents.events {
            do throws(PastEvents.Damage) {
                try past.append(
                    portion.bytes, last: portion.last, epoch: portion.epoch,
                    at: clock.monotonic(of: Instant(nanoseconds: portion.time)))
            } catch {
                throw StoreError(.corrupt, "the events from \(portion.first) on")
            }
        }
        return past
    }

    /// Webhooks that were not taken yet, and those that were given up.
    /// - Throws: A store error naming the record that can't be read.
    private static func deliveries(from records: [StoredRecord]) throws(StoreError) -> [Delivery] {
        var deliveries: [Delivery] = []
        for record in records where record.kind == .delivery {
            do throws(Problem) {
                deliveries.append(try DeliveryRecord.delivery(record.id, body: record.body))
            } catch {
                throw StoreError(.corrupt, "webhook \(record.id): \(error.detail) \(error.pointer ?? "")")
            }
        }
        return deliveries
    }

    /// Reads a record.
    /// - Parameter faces: Where the face of a track is looked for.
    /// - Returns: nil for what is no resource.
    static func resource(
        _ record: StoredRecord, faces: FaceShelf, rules: any CalendarRules
    ) throws(StoreError) -> Engine.Resource? {
        guard let kind = ResourceKind(record.kind) else { return nil }
        let name = ResourceName(kind, record.id)
        do throws(Problem) {
            if kind == .schedule {
                return .schedule(try ScheduleRecord.schedule(name, body: record.body, rules: rules))
            }
            return .track(try TrackRecord.track(name, body: record.body, faces: faces))
        } catch {
            throw StoreError(.corrupt, "\(record.kind) \(record.id): \(error.detail) \(error.pointer ?? "")")
        }
    }

    private static let settingID = "schedules"
    private static let paused = Array("paused".utf8)

    /// The record of whether all schedules are paused.
    static func record(schedulesPaused: Bool) -> StoredRecord {
        StoredRecord(kind: .setting, id: settingID, body: schedulesPaused ? paused : Array("running".utf8))
    }

    static func schedulesPaused(_ record: StoredRecord) -> Bool { record.body.elementsEqual(paused) }
}
