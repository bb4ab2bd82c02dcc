// From what the store kept to a board that goes on where it would be.

package import Board
import Conversions
import Primitives
package import Recurrences
package import Storage
import Tween
import Wire

/// Builds a board from stored records.
package enum Restoration {
    /// What a store kept, read.
    package struct Result {
        package var engine: Engine
        package var deliveries: [Delivery]
        package var contents: StoreContents
        /// By how many nanoseconds the clock was set since the store was written. The engine is on the timeline before that,
        /// and is to be moved along.
        package var clockStep: Int64 = 0
    }

    /// A record that can't be read, and why.
    struct Unreadable: Hashable, Sendable {
        var name: RecordName
        var reason: String
    }

    /// Reads everything. A record that can't be read costs what it describes and no more: it is set aside.
    /// - Parameters:
    ///   - look: Looks at the clock when everything has been read.
    ///   - report: Takes what an operator should know.
    /// - Throws: A store error when the store itself can't be read.
    package static func restore(
        from store: any Store, configuration: Engine.Configuration, rules: any CalendarRules,
        look: () -> StoreClock, report: @escaping StoreReport
    ) throws(StoreError) -> Result {
        let reader = RecordReader(planner: configuration.planner, rules: rules)
        defer { reader.stop() }
        var trackCount = 0
        var scheduleCount = 0
        var others: [StoredRecord] = []
        var contents = try store.load { records in
            reader.add(records)
            for record in records {
                switch record.kind {
                case .resource(.ticker), .resource(.progress): trackCount += 1
                case .resource(.schedule): scheduleCount += 1
                case .setting, .delivery: others.append(record)
                }
            }
        }
        let setting = others.first { $0.kind == .setting && $0.id == settingID }
        var engine = Engine(
            configuration: configuration, schedulePause: setting.map(pause) ?? SchedulePause(),
            trackCount: trackCount, scheduleCount: scheduleCount)
        let present = look()
        let step = StoreClock.step(
            from: others.lazy.compactMap { StoreClock($0) }.first, contents.events, to: present)
        let start = present.instant.advanced(byNanoseconds: Int64(0).subtractingSaturated(step))
        for place in contents.events.indices {
            let time = contents.events[place].time.addingSaturated(step)
            contents.events[place].time = min(time, present.instant.nanoseconds)
        }
        var unreadable = reader.finish { engine.adopt($0, at: start) }
        let deliveries = deliveries(from: others, &unreadable)
        for stranger in contents.unknown {
            report("a record is set aside that this program doesn't know", stranger)
        }
        setAside(unreadable, in: store, at: present.instant, report)
        return Result(engine: engine, deliveries: deliveries, contents: contents, clockStep: step)
    }

    /// The most unreadable records that are told one by one.
    private static let mostTold = 20

    /// Has the store keep records away from the next start, and tells of them. Where it can't, they stay where they are and
    /// are found again.
    private static func setAside(
        _ records: [Unreadable], in store: any Store, at now: Instant, _ report: @escaping StoreReport
    ) {
        guard !records.isEmpty else { return }
        for record in records.prefix(mostTold) {
            report("a record can't be read and is set aside", "\(record.name.kind) \(record.name.id): \(record.reason)")
        }
        if records.count > mostTold { report("records can't be read and are set aside", "\(records.count) in all") }
        store.submit(records.map { .setAside($0.name, reason: $0.reason, time: now.nanoseconds) }) { result in
            guard case .failure(let error) = result else { return }
            report("what can't be read stays where it is", "\(error)")
        }
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
        guard case .resource(let kind) = record.kind else { return nil }
        let name = ResourceName(kind, record.id)
        do throws(Problem) {
            if kind == .schedule {
                return .schedule(try ScheduleRecord.schedule(name, record.contents, rules: rules))
            }
            return .track(try TrackRecord.track(name, record.contents, faces: faces, rules: rules))
        } catch {
            throw StoreError(.corrupt, reason(of: error))
        }
    }

    static let settingID = "schedules"

    /// The record of a ticker or a progress.
    package static func record(of track: Track) -> StoredRecord {
        StoredRecord(RecordName(.resource(track.name.kind), track.name.id), TrackRecord.contents(of: track))
    }

    package static func record(of schedule: Schedule) -> StoredRecord {
        StoredRecord(RecordName(.schedule, schedule.name.id), ScheduleRecord.contents(of: schedule))
    }

    /// The record of whether all schedules are paused: `paused`, with the Unix nanoseconds since when.
    package static func record(of pause: SchedulePause) -> StoredRecord {
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

/// Reads one record at a time.
package struct RecordReading: Sendable {
    private let planner: any Planner
    private let rules: any CalendarRules

    package init(planner: any Planner, rules: any CalendarRules) {
        self.planner = planner
        self.rules = rules
    }

    /// - Returns: nil for what is no resource.
    func resource(_ record: StoredRecord) throws(StoreError) -> Engine.Resource? {
        try Restoration.resource(record, faces: FaceShelf(planner: planner), rules: rules)
    }
}
