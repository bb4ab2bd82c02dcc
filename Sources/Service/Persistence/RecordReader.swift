// Parses stored records on every core while the store is still loading others.

import Board
import OperatingSystem
import RecurrenceRules
import Storage
import Wire

/// Turns records into resources, in order. The owner adds records and then calls `finish` or `stop`.
struct RecordReader {
    private struct DecodedRecords: Sendable {
        var resources: [Engine.Resource] = []
        var unreadable: [StoreFindings.Unreadable] = []
    }

    private let work: OrderedWork<[StoredRecord], DecodedRecords>

    /// Starts the reader's threads.
    init(planner: any Planner, rules: any CalendarRules) {
        work = OrderedWork(name: "restore") {
            let renderings = RenderingCache(planner: planner)
            return { Self.read($0, renderings, rules) }
        }
    }

    func add(_ records: [StoredRecord]) { work.add(records) }

    /// Passes the resources to `adopt` in portions, in the order of their records. Skips records that are not resources.
    /// - Returns: The unreadable records.
    func finish(into adopt: ([Engine.Resource]) -> Void) -> [StoreFindings.Unreadable] {
        var unreadable: [StoreFindings.Unreadable] = []
        work.finish { portion in
            adopt(portion.resources)
            unreadable += portion.unreadable
        }
        return unreadable
    }

    /// Stops the reader's threads.
    func stop() { work.stop() }

    private static func read(_ records: [StoredRecord], _ renderings: RenderingCache, _ rules: any CalendarRules)
        -> DecodedRecords
    {
        var portion = DecodedRecords()
        portion.resources.reserveCapacity(records.count)
        for record in records {
            do throws(StoreError) {
                guard let resource = try Restoration.resource(record, renderings: renderings, rules: rules) else {
                    continue
                }
                portion.resources.append(resource)
            } catch {
                let name = RecordName(record.kind, record.id)
                portion.unreadable.append(StoreFindings.Unreadable(name: name, reason: error.cause))
            }
        }
        return portion
    }
}
