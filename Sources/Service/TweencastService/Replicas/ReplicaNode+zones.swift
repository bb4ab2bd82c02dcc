// The time zone version of a shared board. Replicas with different versions would compute different boards.

import Board
import Machine
import RecurrenceRules
import Replication
import Tween

extension ReplicaNode {
    /// Handles this machine's time zones after they were read again.
    func adopt(_ rules: any CalendarRules, at now: Instant) {
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

    /// Whether an entry changes the version. A new board's first one doesn't, nor do those of further replicas that were
    /// updated at the same time.
    /// - Parameter known: The version before; nil if there was none.
    static func isChange(from known: String?, to version: String) -> Bool { known.map { $0 != version } ?? false }

    /// Records the version that the log has set.
    /// - Parameter known: The version before; nil if there was none.
    func recordZones(_ version: String, after known: String?) {
        logClient.forgetZones()
        guard Self.isChange(from: known, to: version) else { return }
        Log.write(.clock, .info, "the board's time zones have changed", ["version": .text(version)])
    }
}
