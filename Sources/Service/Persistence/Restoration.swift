// Restores a board from the store, so that it continues where it would be by now.

package import Base
package import Board
package import RecurrenceRules
package import Storage
import Tween
import Wire

/// Builds a board from stored records.
package enum Restoration {
    /// The contents of a store, parsed.
    package struct Result {
        package var engine: Engine
        package var deliveries: [Delivery]
        package var contents: StoreContents
        package var findings: StoreFindings
        /// Merged events that the last run has not logged; the contents' events end with them. They must be logged before
        /// others are.
        package var merged: StoredEvents?
        /// Where the copy ends from which the store was restored; nil if it was not.
        package var copyEnd: CopyEnd?
        /// The last run's name in the ids of its events; empty if unknown.
        package var lastEpoch = ""
        /// Runs before that of which no event is stored.
        package var silentRuns: [EventID] = []
        /// Nanoseconds by which the clock was set since the store was written. The engine is still on the timeline before
        /// that step and must be shifted.
        package var clockStep: Int64 = 0
        /// Nanoseconds by which the clock was set in total before that.
        package var clockShift: Int64 = 0
    }

    /// Reads everything. An unreadable record is set aside, and only its own resource is lost.
    /// - Parameters:
    ///   - look: Reads the clock; called after everything has been read.
    ///   - report: Receives what an operator should know.
    /// - Throws: An error if the store itself can't be read.
    package static func restore(
        from store: any Store, configuration: Engine.Configuration, rules: any CalendarRules,
        look: () -> StoreClock, report: @escaping StoreReport
    ) throws(StoreError) -> Result {
        let result = try read(store, configuration: configuration, rules: rules, look: look)
        for stranger in result.contents.unknown {
            report("an unknown kind of record was set aside", stranger)
        }
        setAside(result.findings.unreadable, in: store, at: look().instant, report)
        return result
    }

    /// Reads everything and changes nothing.
    package static func read(
        _ source: any RecordSource, configuration: Engine.Configuration, rules: any CalendarRules,
        look: () -> StoreClock
    ) throws(StoreError) -> Result {
        var reading = BoardReading(planner: configuration.planner, rules: rules)
        defer { reading.stop() }
        var contents = try reading.load(source)
        // If the log goes on without them, they were published, but the store could not note that.
        let merged = reading.merged.flatMap { merged in
            merged.bytes.isEmpty || merged.first - 1 != contents.events.last?.last ?? 0 ? nil : merged
        }
        if let merged { contents.events.append(merged) }
        var engine = Engine(
            configuration: configuration, schedulePause: reading.pause, trackCount: reading.trackCount,
            scheduleCount: reading.scheduleCount)
        let present = look()
        let step = StoreClock.step(from: reading.clock, contents.events, to: present)
        let shift = reading.clock?.shift ?? 0
        let start = present.instant.advanced(byNanoseconds: Int64(0).subtractingSaturated(step))
        for place in contents.events.indices {
            let time = contents.events[place].time.addingSaturated(shift).addingSaturated(step)
            contents.events[place].time = min(time, present.instant.nanoseconds)
        }
        reading.finish { engine.adopt($0, at: start) }
        return Result(
            engine: engine, deliveries: reading.deliveries, contents: contents, findings: reading.findings,
            merged: merged, copyEnd: reading.copyEnd, lastEpoch: reading.clock?.epoch ?? "",
            silentRuns: reading.clock?.silentRuns ?? [], clockStep: step, clockShift: shift)
    }

    /// Checks which records a start could read, and keeps none of them.
    package static func look(
        through source: any RecordSource, planner: any Planner, rules: any CalendarRules
    ) throws(StoreError) -> (contents: StoreContents, findings: StoreFindings) {
        var reading = BoardReading(planner: planner, rules: rules)
        defer { reading.stop() }
        let contents = try reading.load(source)
        reading.finish { _ in }
        return (contents, reading.findings)
    }

    /// The most unreadable records that are reported one by one.
    private static let mostLogged = 20

    /// Reports unreadable records and has the store keep them out of the next start. If the store can't, they stay in place
    /// and are found again.
    private static func setAside(
        _ records: [StoreFindings.Unreadable], in store: any Store, at now: Instant, _ report: @escaping StoreReport
    ) {
        guard !records.isEmpty else { return }
        for record in records.prefix(mostLogged) {
            report("an unreadable record was set aside", "\(record.name.kind) \(record.name.id): \(record.reason)")
        }
        if records.count > mostLogged { report("records can't be read and are set aside", "\(records.count) in all") }
        store.submit(records.map { .setAside($0.name, reason: $0.reason, time: now.nanoseconds) }) { result in
            guard case .failure(let error) = result else { return }
            report("unreadable records left in place", "\(error)")
        }
    }

    static func reason(of problem: Problem) -> String { "\(problem.detail) \(problem.pointer ?? "")" }

    /// Parses a record.
    /// - Parameter renderings: The cache for the renderings of tracks.
    /// - Returns: The resource; nil if the record is not one.
    static func resource(
        _ record: StoredRecord, renderings: RenderingCache, rules: any CalendarRules
    ) throws(StoreError) -> Engine.Resource? {
        guard case .resource(let kind) = record.kind else { return nil }
        // No request could name it.
        guard ResourceName.isValid(id: record.id) else { throw StoreError(.corrupt, "its id is invalid") }
        let name = ResourceName(kind, record.id)
        do throws(Problem) {
            if kind == .schedule {
                return .schedule(try ScheduleRecord.schedule(name, record.contents, rules: rules))
            }
            return .track(try TrackRecord.track(name, record.contents, renderings: renderings, rules: rules))
        } catch {
            throw StoreError(.corrupt, reason(of: error))
        }
    }

    static let settingID = "schedules"

    /// Returns the record of a ticker or a progress.
    package static func record(of track: Track) -> StoredRecord {
        StoredRecord(RecordName(.resource(track.name.kind), track.name.id), TrackRecord.contents(of: track))
    }

    package static func record(of schedule: Schedule) -> StoredRecord {
        StoredRecord(RecordName(.schedule, schedule.name.id), ScheduleRecord.contents(of: schedule))
    }

    /// Returns the record of whether all schedules are paused: `paused` or `running`, with the Unix nanoseconds since when.
    package static func record(of pause: SchedulePause) -> StoredRecord {
        let state = pause.isPaused ? "paused" : "running"
        let body = pause.since.map { "\(state) \($0.nanoseconds)" } ?? state
        return StoredRecord(kind: .setting, id: settingID, body: Array(body.utf8))
    }

    /// - Throws: `corrupt` unless `record(of:)` could have made it.
    static func pause(_ record: StoredRecord) throws(StoreError) -> SchedulePause {
        let words = String(decoding: record.body, as: UTF8.self).split(separator: " ")
        let since = words.count == 2 ? Int64(words[1]).map { Instant(nanoseconds: $0) } : nil
        guard record.id == settingID, let state = words.first, ["paused", "running"].contains(state),
            words.count == 1 || since != nil
        else { throw StoreError(.corrupt, "it is not a setting") }
        return SchedulePause(isPaused: state == "paused", since: since)
    }
}

extension StoredRecord {
    init(_ name: RecordName, _ contents: RecordContents) {
        self.init(kind: name.kind, id: name.id, body: contents.body, parts: contents.parts)
    }

    var contents: RecordContents { RecordContents(body: body, parts: parts) }
}

/// Parses one record at a time.
package struct RecordReading: Sendable {
    private let planner: any Planner
    private let rules: any CalendarRules

    package init(planner: any Planner, rules: any CalendarRules) {
        self.planner = planner
        self.rules = rules
    }

    /// - Returns: The resource; nil if the record is not one.
    func resource(_ record: StoredRecord) throws(StoreError) -> Engine.Resource? {
        try Restoration.resource(record, renderings: RenderingCache(planner: planner), rules: rules)
    }
}
