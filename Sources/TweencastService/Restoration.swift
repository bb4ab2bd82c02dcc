// From what the store kept to a board that goes on where it would be.

import Board
import Storage
import Tween
import Wire

/// Builds a board from stored records.
enum Restoration {
    /// - Throws: A store error naming the record that can't be read: better no start than a start without it.
    static func engine(
        from contents: StoreContents, configuration: Engine.Configuration, rules: any CalendarRules, at now: Instant
    ) throws(StoreError) -> Engine {
        var tracks: [Track] = []
        var schedules: [Schedule] = []
        var schedulesPaused = false
        for record in contents.records {
            do throws(Problem) {
                switch record.kind {
                case .ticker, .progress:
                    let name = ResourceName(record.kind == .ticker ? .ticker : .progress, record.id)
                    tracks.append(try TrackRecord.track(name, body: record.body, planner: configuration.planner))
                case .schedule:
                    let name = ResourceName(.schedule, record.id)
                    schedules.append(try ScheduleRecord.schedule(name, body: record.body, rules: rules))
                case .setting:
                    if record.id == "schedules" { schedulesPaused = record.body.elementsEqual(paused) }
                }
            } catch {
                throw StoreError(.corrupt, "\(record.kind) \(record.id): \(error.detail) \(error.pointer ?? "")")
            }
        }
        return Engine(
            configuration: configuration, tracks: tracks, schedules: schedules, schedulesPaused: schedulesPaused,
            at: now)
    }

    private static let paused = Array("paused".utf8)

    /// The record of whether all schedules are paused.
    static func record(schedulesPaused: Bool) -> StoredRecord {
        StoredRecord(kind: .setting, id: "schedules", body: schedulesPaused ? paused : Array("running".utf8))
    }
}
