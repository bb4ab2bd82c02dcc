// The version of the time zones that a shared board goes by: replicas that went by different ones would come to different boards.

import Board
import Machine
import RecurrenceRules
import Replication
import Tween

extension ReplicaNode {
    /// Takes the time zones of this machine, which have been read again.
    func follow(_ rules: any CalendarRules, at now: Instant) {
        if case .stopped(.zones(let version)) = gate.status, rules.rules(version: version) != nil {
            reload(because: .zones)
        } else {
            askFor(zones: rules.zoneVersion)
        }
    }

    /// Asks for a version that this machine has, unless the board goes by it already.
    func askFor(zones version: String) {
        let isFollowed = version == core.machine.engine.configuration.rules?.zoneVersion
        wantedZones = isFollowed || version.isEmpty ? nil : version
        repeatZones()
    }

    /// Writes the version to the log again: the entry may have been lost.
    func repeatZones() {
        guard let version = wantedZones, gate.status == .following else { return }
        gate.add(.zones(version, nil))
    }

    /// The log said which version holds.
    func recordZones(_ version: String) {
        wantedZones = nil
        Log.write(.clock, .info, "the board's time zones have changed", ["version": .text(version)])
    }
}
