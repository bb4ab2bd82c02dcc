// Reads stored records on every core, while the store still hands over others.

import Board
import OperatingSystem
import RecurrenceRules
import Storage
import Wire

/// Turns records into resources, in their order. Its owner adds portions and then finishes, or stops.
struct RecordReader {
    private struct Portion: Sendable {
        var resources: [Engine.Resource] = []
        var unreadable: [StoreFindings.Unreadable] = []
    }

    private let work: OrderedWork<[StoredRecord], Portion>

    /// Starts its threads.
    init(planner: any Planner, rules: any CalendarRules) {
        work = OrderedWork(name: "restore") {
            let renderings = RenderingCache(planner: planner)
            return { Self.read($0, renderings, rules) }
        }
    }

    /// Takes records in.
    func add(_ records: [StoredRecord]) { work.add(records) }

    /// Hands the resources over in portions, in the order of their records; what is no resource is left out.
    /// - Returns: The records that can't be read.
    func finish(into adopt: ([Engine.Resource]) -> Void) -> [StoreFindings.Unreadable] {
        var unreadable: [StoreFindings.Unreadable] = []
        work.finish { portion in
            adopt(portion.resources)
            unreadable += portion.unreadable
        }
        return unreadable
    }

    /// Ends its threads.
    func stop() { work.stop() }

    private static func read(_ records: [StoredRecord], _ renderings: RenderingCache, _ rules: any CalendarRules)
        -> Portion
    {
        var portion = Portion()
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
