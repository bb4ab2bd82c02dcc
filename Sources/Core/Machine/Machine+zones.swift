// The rules of the time zones that schedules go by: an input like others, so that all who take the same turns go by the same.

import Board
package import RecurrenceRules
package import Tween

extension Machine {
    /// The version of the time zones' rules that it goes by; nil before the first is known.
    package var zoneVersion: String? { missingZones ?? engine.configuration.rules?.zoneVersion }

    /// Goes by other rules of the time zones from now on; where they aren't at hand by those that it has, which is not what
    /// others do.
    package mutating func follow(zones version: String, _ rules: (any CalendarRules)?, at now: Instant) {
        missingZones = rules == nil ? version : nil
        if let rules { engine.follow(rules, at: now) }
    }
}
