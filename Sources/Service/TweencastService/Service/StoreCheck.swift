// Checks whether a start could read a store, and what it could not read. SQLite's own check doesn't parse records.

import EventStream
import Gateway
package import Persistence
import RecurrenceRules
package import Storage

/// Reads a store as a start does.
package enum StoreCheck {
    /// Returns what a start could and could not read.
    /// - Throws: An error if the store itself can't be read.
    package static func findings(in source: any RecordSource) throws(StoreError) -> StoreFindings {
        var (contents, findings) = try Restoration.look(
            through: source, planner: LocalePlanner(), rules: ZonedCalendar())
        findings.look(through: contents.events)
        return findings
    }
}

extension StoreFindings {
    /// Adds the named events that can't be read.
    mutating func look(through events: [StoredEvents]) {
        var past = PastEvents(maximumBytes: .max)
        portions += events.count
        for portion in events {
            do throws(PastEvents.Damage) {
                try past.append(portion.bytes, last: portion.last, epoch: portion.epoch, at: 0)
            } catch {
                unreadablePortions.append("named events up to number \(portion.last): damaged")
            }
        }
    }
}
