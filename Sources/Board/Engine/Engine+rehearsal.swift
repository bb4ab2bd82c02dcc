// Actions played through when they are taken, on copies: what can never work is refused then, as the same update would be,
// and not found in a log when it falls due. Nothing on the board changes by it, and nobody is told anything.

import Labels
import Tween

extension Engine {
    /// Plays a list of actions through, and the lists that these hold. One action may make what a later one needs.
    /// - Parameters:
    ///   - field: The list's own field, such as `do`.
    ///   - track: The state of a track that comes with the list and isn't in place yet.
    /// - Throws: `CommandError.invalid` naming the field in the list. What depends on the moment (a motion that runs, a
    ///   queue or a board that is full) refuses nothing.
    func rehearse(
        _ actions: ActionList, field: String, with track: Track? = nil, at now: Instant
    ) throws(CommandError) {
        var tracks: [ResourceName: Track] = [:]
        if let track { tracks[track.name] = track }
        // A list within is carried out when its motion has ended: after all of the list that holds it.
        var lists = [(actions: actions.actions, field: field)]
        var next = 0
        while next < lists.count {
            let list = lists[next]
            next += 1
            for (index, action) in list.actions.enumerated() {
                guard case .update(let name, let update) = action else { continue }
                do throws(CommandError) {
                    var track: Track
                    if let known = tracks[name] ?? self.track(name) {
                        track = known
                    } else {
                        track = try newTrack(name, madeFor: update, at: now)
                    }
                    try track.rehearse(update, planner: configuration.planner, at: now)
                    tracks[name] = track
                } catch {
                    guard case .invalid(let inner, let reason) = error else { continue }
                    throw .invalid(field: "\(list.field)/\(index)/\(inner)", reason: reason)
                }
                if let then = update.then { lists.append((then.actions, "\(list.field)/\(index)/then")) }
            }
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
