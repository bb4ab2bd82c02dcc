// A board that takes another's place while streams go on: its resources are at other slots, some have gone and some have
// come, and what was told of the past may not have happened.

import Base
import Board
package import EventStream
package import Machine
package import Tween
import Wire

extension Publisher {
    /// Goes by another timetable of ticks from now on.
    package func follow(_ grid: TickGrid) { self.grid = grid }

    /// Numbers of events belong to a new log of them from now on.
    /// - Parameter hasLost: Of the ones before, listeners were told what isn't so.
    package func beginEpoch(of machine: inout Machine, hasLost: Bool, at now: Instant) {
        hub.begin(epoch: machine.epoch, after: machine.pastEpochs, hasLost: hasLost)
        if hasLost { showAnew(&machine, at: now) }
    }

    /// Shows another board to those who watch, and tells them so.
    package func reload(_ past: PastEvents, of machine: inout Machine, at now: Instant) {
        hub.replacePast(by: past, epoch: machine.epoch, after: machine.pastEpochs, last: machine.lastEvent)
        showAnew(&machine, at: now)
    }

    /// The state now, behind `reset`, for all who watch.
    private func showAnew(_ machine: inout Machine, at now: Instant) {
        due = DueResources()
        countdowns.removeAll()
        paceFrames.removeAll()
        for (topic, name) in topics.unbindAll() where machine.engine.slot(of: name) == nil {
            extras.forget(topic)
            hub.release(topic)
        }
        for kind in ResourceKind.allCases {
            for name in machine.engine.names(of: kind) where hub.isWanted(TopicName(kind: .resource(kind), id: name.id))
            {
                attach(name, in: machine.engine)
                show(name, of: machine, at: now)
            }
        }
        followSubscribers(of: &machine, at: now)
        hasUnsent = true
    }
}
