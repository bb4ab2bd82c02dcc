// Changes of the whole board that this replica wants, until the log has them.

import Machine
import Replication

/// The newest wanted change of each kind. Whatever becomes of the connection, it is sent until it has come back.
struct BoardChanges {
    private enum Kind: CaseIterable {
        case settings, zones, epoch

        init?(_ content: LogContent) {
            switch content {
            case .settings: self = .settings
            case .zones: self = .zones
            case .epoch: self = .epoch
            case .turn, .clockSet: return nil
            }
        }
    }

    private struct Change {
        var content: LogContent
        /// The entry that is on its way; nil while none is.
        var name: EntryName?
    }

    private var wanted: [Kind: Change] = [:]

    /// The settings that are wanted and not in effect yet.
    var settings: MachineSettings? {
        if case .settings(let settings) = wanted[.settings]?.content { settings } else { nil }
    }

    /// The epoch whose lost events are not announced yet.
    var lostEpoch: String? {
        if case .epoch(_, let lost) = wanted[.epoch]?.content { lost } else { nil }
    }

    /// Adds a change, in place of an earlier one of its kind.
    mutating func add(_ content: LogContent) {
        guard let kind = Kind(content) else { return }
        wanted[kind] = Change(content: content)
    }

    /// Returns the changes that no entry carries, each for an entry of this name.
    mutating func drainUnsent(_ newName: () -> EntryName) -> [DraftEntry] {
        Kind.allCases.compactMap { kind in
            guard let change = wanted[kind], change.name == nil else { return nil }
            let name = newName()
            wanted[kind]?.name = name
            return DraftEntry(name, change.content.bytes)
        }
    }

    /// Forgets a change whose entry has come back.
    mutating func finish(_ name: EntryName) {
        for kind in Kind.allCases where wanted[kind]?.name == name { wanted[kind] = nil }
    }

    /// Keeps a change whose entry never came into the log.
    mutating func lose(_ name: EntryName) {
        for kind in Kind.allCases where wanted[kind]?.name == name { wanted[kind]?.name = nil }
    }

    /// Keeps all changes, since nothing is known of their entries.
    mutating func loseAll() {
        for kind in Kind.allCases { wanted[kind]?.name = nil }
    }

    /// Forgets the wanted time zones, or the wanted epoch.
    mutating func forgetZones() { wanted[.zones] = nil }
    mutating func forgetEpoch() { wanted[.epoch] = nil }
}
