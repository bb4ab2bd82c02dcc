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

    /// A record that can't be read, and why.
    struct Unreadable: Hashable, Sendable {
        var name: RecordName
        var reason: String
    }

    /// Reads everything. A record that can't be read costs what it describes and no more: it is set aside.
    /// - Parameter now: Asked when everything has been read.
    /// - Throws: A store error when the store itself can't be read.
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
            configuration: configuration, schedulePause: setting.map(pause) ?? SchedulePause(),
            trackCount: trackCount, scheduleCount: scheduleCount)
        let start = now()
        var unreadable = reader.finish { engine.adopt($0, at: start) }
        let deliveries = deliveries(from: others, &unreadable)
        for stranger in contents.unknown {
            Log.write(.store, "\(stranger) is nothing this program knows: it was set aside")
        }
        setAside(unreadable, in: store, at: start)
        return Result(engine: engine, deliveries: deliveries, contents: contents)
    }

    /// The most unreadable records that are told one by one.
    private static let mostTold = 20

    /// Has the store keep records away from the next start, and tells of them. Where it can't, they stay where they are and
    /// are found again.
    private static func setAside(_ records: [Unreadable], in store: any Store, at now: Instant) {
        guard !records.isEmpty else { return }
        for record in records.prefix(mostTold) {
            Log.write(.store, "\(record.name.kind) \(record.name.id) can't be read and is set aside: \(record.reason)")
        }
        if records.count > mostTold { Log.write(.store, "\(records.count) records can't be read and are set aside") }
        store.submit(records.map { .setAside($0.name, reason: $0.reason, time: now.nanoseconds) }) { result in
            guard case .failure(let error) = result else { return }
            Log.write(.store, "what can't be read stays where it is: \(error)")
        }
    }

    /// The named events of earlier runs. Those that can't be read are left out: their numbers show the gap, and whoever
    /// waits for one of them is told that something is missing.
    static func events(from contents: StoreContents, _ clock: ServiceClock) -> PastEvents {
        var past = PastEvents()
        var damaged = 0
        for portion in contents.events {
            do throws(PastEvents.Damage) {
                try past.append(
                    portion.bytes, last: portion.last, epoch: portion.epoch,
                    at: clock.monotonic(of: Instant(nanoseconds: portion.time)))
            } catch {
                damaged += 1
            }
        }
        if damaged > 0 {
            Log.write(.store, "\(damaged) portions of events can't be read: who waits for them is told of a gap")
        }
        return past
    }

    /// Webhooks that were not taken yet, and those that were given up.
    private static func deliveries(from records: [StoredRecord], _ unreadable: inout [Unreadable]) -> [Delivery] {
        var deliveries: [Delivery] = []
        for record in records where record.kind == .delivery {
            do throws(Problem) {
                deliveries.append(try DeliveryRecord.delivery(record.id, body: record.body))
            } catch {
                unreadable.append(Unreadable(name: RecordName(record.kind, record.id), reason: reason(of: error)))
            }
        }
        return deliveries
    }

    private static func reason(of problem: Problem) -> String { "\(problem.detail) \(problem.pointer ?? "")" }

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
                return .schedule(try ScheduleRecord.schedule(name, record.contents, rules: rules))
            }
            return .track(try TrackRecord.track(name, record.contents, faces: faces))
        } catch {
            throw StoreError(.corrupt, reason(of: error))
        }
    }

    private static let settingID = "schedules"

    /// The record of whether all schedules are paused: `paused`, with the Unix nanoseconds since when.
    static func record(of pause: SchedulePause) -> StoredRecord {
        let state = pause.isPaused ? "paused" : "running"
        let body = pause.since.map { "\(state) \($0.nanoseconds)" } ?? state
        return StoredRecord(kind: .setting, id: settingID, body: Array(body.utf8))
    }

    static func pause(_ record: StoredRecord) -> SchedulePause {
        let words = String(decoding: record.body, as: UTF8.self).split(separator: " ")
        return SchedulePause(
            isPaused: words.first == "paused",
            since: words.count > 1 ? Int64(words[1]).map { Instant(nanoseconds: $0) } : nil)
    }
}

extension StoredRecord {
    init(_ name: RecordName, _ contents: RecordContents) {
        self.init(kind: name.kind, id: name.id, body: contents.body, parts: contents.parts)
    }

    var contents: RecordContents { RecordContents(body: body, parts: parts) }
}
