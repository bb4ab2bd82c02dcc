// Rehearses actions on copies when a request brings them. Actions that can never work are rejected then, as the same update
// would be, instead of failing in a log when they are due. The board doesn't change, and nothing is published.

import Base
import Labels
import Tween

extension Engine {
    /// Rehearses actions and those nested in them. One action may create what a later one needs.
    /// - Parameter track: The state of a track that comes with the actions and is not placed yet.
    /// - Throws: `CommandError.invalid` naming the field. Nothing is rejected for the state of the moment, such as a running
    ///   motion, a full queue or a full board.
    func rehearse(
        _ actions: [PlacedAction], with track: Track? = nil, at now: Instant
    ) throws(CommandError) {
        // Changed tracks; nil for removed ones.
        var tracks: [ResourceName: Track?] = [:]
        if let track { tracks[track.name] = track }
        // Nested actions run after the whole list: when a motion ends or a delay is over.
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
                try definition.setWords(from: configuration.planner)
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
    /// Applies an update as if nothing were running or queued, and goes to its end.
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
