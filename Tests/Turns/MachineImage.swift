// A machine written down and read back.

import Base
import Board
import Machine
import RecurrenceRules

enum MachineImage {
    /// A snapshot's pieces.
    static func pieces(of machine: Machine) -> [(SnapshotPiece, [UInt8])] {
        var pieces: [(SnapshotPiece, [UInt8])] = []
        machine.writeSnapshot { pieces.append(($0, $1)) }
        return pieces
    }

    /// A machine that is read from the snapshot of another; written again that is the same.
    /// - Parameter empty: What it is read into.
    static func restored(
        _ machine: Machine, in empty: Machine, planner: any Planner, rules: any CalendarRules
    ) throws(ByteReader.Damage) -> Machine {
        let pieces = pieces(of: machine)
        var restored = empty
        let renderings = RenderingCache(planner: planner)
        for (piece, bytes) in pieces {
            switch piece {
            case .tracks, .schedules:
                restored.insert(try Machine.resources(bytes, renderings: renderings, rules: rules))
            default: try restored.read(piece, bytes, rules: rules)
            }
        }
        let again = Self.pieces(of: restored)
        precondition(again.map(\.0) == pieces.map(\.0) && again.map(\.1) == pieces.map(\.1), "it is another one")
        return restored
    }
}
