// The time zone rules of schedules. They are an input, so that all replicas use the same.

import Board
package import RecurrenceRules
package import Tween

extension Machine {
    /// The version of the time zone rules that all replicas use, even if this one lacks them; nil before the first is known.
    package var requiredZoneVersion: String? { missingZones ?? engine.configuration.rules?.zoneVersion }

    /// Switches to other time zone rules. If they aren't available, it keeps its old rules, and so differs from other replicas.
    package mutating func adopt(zones version: String, _ rules: (any CalendarRules)?, at now: Instant) {
        missingZones = rules == nil ? version : nil
        if let rules { engine.adopt(rules, at: now) }
    }
}
