// Actions played through when they are taken, on copies: what can never work is refused then, as the same update would be,
// and not found in a log when it falls due. Nothing on the board changes by it, and nobody is told anything.

import Base
import Labels
import Tween

extension Engine {
    /// Plays actions through, and those that they hold. One action may make what a later one needs.
    /// - Parameter track: The state of a track that comes with the actions and isn't in place yet.
    /// - Throws: `CommandError.invalid` naming the field. What depends on the moment (a motion that runs, a queue or a board
    ///   that is full) refuses nothing.
    func rehearse(
        _ actions: [PlacedAction], with track: Track? = nil, at now: Instant
    ) throws(CommandError) {
        // Those that were changed; nil for those that were removed.
        var tracks: [ResourceName: Track?] = [:]
        if let track { tracks[track.name] = track }
        // What an action holds is carried out when its motion has ended, or its time has come: after all of its list.
        var actions = actions
        var next = 0
        while next < actions.count {
            let placed = actions[next]
            next += 1
            do throws(CommandError) {
                try rehearse(placed.action, on: &tracks, at: now)
            } catch {
                guard case .invalid(let inner, let reason) = error else { continue }
                throw .invalid(field: "\(placed.pointer)/\(inner)", reason: reason)
            }
            actions += placed.inner
        }
    }

    private func rehearse(
        _ action: Action, on tracks: inout [ResourceName: Track?], at now: Instant
    ) throws(CommandError) {
        switch action {
        case .command(.update(let name, let update)):
            var track: Track
            if let known = tracks[name] ?? self.track(name) {
                track = known
            } else {
                track = try newTrack(name, madeFor: update, at: now)
            }
            try track.rehearse(update, planner: configuration.planner, at: now)
            tracks[name] = track
        case .command(.schedule(let name, let definition)):
            do throws(CommandError) {
                var definition = definition
                try definition.takeWords(from: configuration.planner)
                _ = try Schedule(name: name, definition: definition, at: now)
            } catch {
                guard case .invalid(let field, let reason) = error else { throw error }
                throw .invalid(field: "schedule/\(field)", reason: reason)
            }
        case .command(.remove(let name)) where name.kind != .schedule: tracks[name] = .some(nil)
        case .command, .later, .notify, .webhook: break
        }
    }
}

extension Track {
    /// Takes an update as if nothing ran and nothing waited, and arrives at its end.
    fileprivate mutating func rehearse(
        _ update: TrackUpdate, planner: any Planner, at now: Instant
    ) throws(CommandError) {
        run = nil
        waiting = []
        _ = try self.update(update, planner: planner, at: now)
        run = nil
        rest = .exact(target)
    }
}
