// Reads every record of a store and builds the board's resources from them.

import Base
import Board
import RecurrenceRules
import Storage
import Wire

/// Reads a store once. The owner calls `load`, then `finish` or `stop`.
struct BoardReading {
    private let reader: RecordReader
    private(set) var trackCount = 0
    private(set) var scheduleCount = 0
    private(set) var pause = SchedulePause()
    private(set) var clock: StoreClock?
    private(set) var merged: StoredEvents?
    /// Where the copy ends from which the store was restored; nil if it was not.
    private(set) var copyEnd: CopyEnd?
    private(set) var deliveries: [Delivery] = []
    private(set) var findings = StoreFindings()

    /// Starts the reader's threads.
    init(planner: any Planner, rules: any CalendarRules) {
        reader = RecordReader(planner: planner, rules: rules)
    }

    /// Reads all records. Other threads go on parsing resources until `finish`.
    mutating func load(_ source: any RecordSource) throws(StoreError) -> StoreContents {
        let contents = try source.load { records in
            reader.add(records)
            for record in records { add(record) }
        }
        findings.records += contents.unknown.count
        findings.unknown = contents.unknown
        findings.lastEvent = max(contents.events.map(\.last).max() ?? 0, merged?.last ?? 0)
        return contents
    }

    private mutating func add(_ record: StoredRecord) {
        findings.records += 1
        do throws(StoreError) {
            switch record.kind {
            case .resource(.ticker), .resource(.progress): trackCount += 1
            case .resource(.schedule): scheduleCount += 1
            case .setting where record.id == StoreClock.settingID: clock = try StoreClock.read(record)
            case .setting where record.id == MergedEvents.settingID: merged = try MergedEvents.read(record)
            case .setting where record.id == CopyEnd.settingID: copyEnd = try CopyEnd.read(record)
            case .setting: pause = try Restoration.pause(record)
            case .delivery: deliveries.append(try Self.delivery(record))
            }
        } catch {
            findings.unreadable.append(
                StoreFindings.Unreadable(name: RecordName(record.kind, record.id), reason: error.cause))
        }
    }

    /// A webhook that is still to be delivered, or one that was given up.
    private static func delivery(_ record: StoredRecord) throws(StoreError) -> Delivery {
        do throws(Problem) {
            return try DeliveryRecord.delivery(record.id, body: record.body)
        } catch {
            throw StoreError(.corrupt, Restoration.reason(of: error))
        }
    }

    /// Passes the resources to `adopt` in portions, in the order of their records. Skips records that are not resources.
    mutating func finish(into adopt: ([Engine.Resource]) -> Void) {
        findings.unreadable = reader.finish(into: adopt) + findings.unreadable
    }

    /// Stops the reader's threads.
    func stop() { reader.stop() }
}
