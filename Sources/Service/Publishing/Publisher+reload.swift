// Replaces the board while streams stay open: resources have other slots, some are gone or new, and published events may
// have been lost.

import Base
import Board
package import EventStream
package import Machine
package import Tween
import Wire

extension Publisher {
    /// Switches to another tick grid.
    package func adopt(_ grid: TickGrid) { self.grid = grid }

    /// Begins a new event log.
    /// - Parameter hasLost: Whether subscribers received events of earlier logs that were lost.
    package func beginEpoch(of machine: inout Machine, hasLost: Bool, at now: Instant) {
        hub.begin(epoch: machine.epoch, after: machine.pastEpochs, hasLost: hasLost)
        if hasLost { republish(&machine, at: now) }
    }

    /// Shows another board to all subscribers, after a `reset`.
    package func reload(_ past: PastEvents, of machine: inout Machine, at now: Instant) {
        hub.replacePast(by: past, epoch: machine.epoch, after: machine.pastEpochs, last: machine.lastEvent)
        republish(&machine, at: now)
    }

    /// Sends the current state to all subscribers, after a `reset`.
    private func republish(_ machine: inout Machine, at now: Instant) {
        due = DueResources()
        countdowns.removeAll()
        paceFrames.removeAll()
        for topic in hub.unbindAll() {
            let name = hub.name(of: topic)
            guard let kind = name.kind.resource, machine.engine.slot(of: ResourceName(kind, name.id)) == nil else {
                continue
            }
            release(topic)
        }
        for kind in ResourceKind.allCases {
            for name in machine.engine.names(of: kind) where hub.isWanted(TopicName(kind: .resource(kind), id: name.id))
            {
                attach(name, in: machine.engine)
                show(name, of: machine, at: now)
            }
        }
        trackSubscribers(of: &machine, at: now)
        hasUnsent = true
    }
}
