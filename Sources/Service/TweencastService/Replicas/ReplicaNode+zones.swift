// The time zone version of a shared board. Replicas with different versions would compute different boards.

import Board
import Machine
import RecurrenceRules
import Replication
import Tween

extension ReplicaNode {
    /// Handles this machine's time zones after they were read again.
    func follow(_ rules: any CalendarRules, at now: Instant) {
        if case .stopped(.zones(let version)) = logClient.status, rules.rules(version: version) != nil {
            reload(because: .zones)
        } else {
            askFor(zones: rules.zoneVersion)
        }
    }

    /// The rate counts on all replicas once the log says so.
    func setUpdateRate(_ rate: Int) {
        var settings = logClient.wantedSettings ?? core.machine.settings
        guard settings.updateRate != rate else { return }
        settings.updateRate = rate
        logClient.add(.settings(settings))
    }

    /// Requests this machine's version, unless the board uses it already.
    func askFor(zones version: String) {
        let isFollowed = version == core.machine.engine.configuration.rules?.zoneVersion
        if isFollowed || version.isEmpty { logClient.forgetZones() } else { logClient.add(.zones(version, nil)) }
    }

    /// Records the version that the log has set.
    func recordZones(_ version: String) {
        logClient.forgetZones()
        Log.write(.clock, .info, "the board's time zones have changed", ["version": .text(version)])
    }
}
