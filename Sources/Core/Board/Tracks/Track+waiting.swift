// Updates that wait for the end of the running motion, and of those before them.

import Base
import Labels
import Tween

extension Track {
    /// Adds an update to those that wait.
    /// - Parameter update: The update as it was sent. `PUT`'s defaults are filled in when it starts, as they are then.
    mutating func wait(_ update: TrackUpdate, _ request: MotionRequest) throws(CommandError) -> UpdateOutcome {
        guard !update.$start else {
            throw .invalid(field: "start", reason: "an update that waits begins when it is its turn")
        }
        let bytes = waiting.reduce(update.footprint) { $0.addingSaturated($1.update.footprint) }
        guard waiting.count < Self.maximumWaiting, bytes <= Self.maximumWaitingBytes || waiting.isEmpty else {
            throw .queueFull(waiting: waiting.count)
        }
        if request.animated { try request.checkRest(halfUnit: halfUnit) }
        revision += 1
        waiting.append(WaitingUpdate(update: update, target: request.target, animation: revision))
        return UpdateOutcome(animation: revision)
    }

    /// Starts an update that has waited. The caller drops this copy after an error.
    mutating func start(_ next: WaitingUpdate, planner: any Planner, at now: Instant) throws(CommandError) {
        let update = completed(next.update)
        let request = MotionRequest(update, target: next.target, kind: name.kind)
        try request.check()
        let before = self
        let asked = spec(after: update, for: next.target)
        rendering = try rendering.applying(as: asked, for: next.target, planner: planner)
        _ = try start(update, request: request, from: before.standing(at: now), at: now, animation: next.animation)
        if name.kind == .progress { observeStart(after: before, at: now) }
    }

    /// Removes and returns the first waiting update.
    mutating func removeFirstWaiting() -> WaitingUpdate? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Whether a queued update needs a motion of its own: others wait before it, the running motion has another target, or it
    /// has keyframes.
    func needsOwnMotion(_ request: MotionRequest, _ interruption: TrackUpdate.Interruption?) -> Bool {
        guard interruption == .queue else { return false }
        return !waiting.isEmpty || target != request.target || !request.waypoints.isEmpty
    }

    /// Where the number will rest after all updates so far.
    var lastRest: ExactDecimal { waiting.reduce(target) { rest($1, from: $0) } }

    /// Computes the targets of the waiting updates again: amounts and bounds go by where the number rests before them.
    mutating func aimWaiting() {
        var rest = target
        for index in waiting.indices {
            // A sum of more than 38 digits leaves the target that was accepted.
            if let goal = try? waiting[index].update.goal(from: rest) { waiting[index].target = goal }
            rest = self.rest(waiting[index], from: rest)
        }
    }

    private func rest(_ next: WaitingUpdate, from rest: ExactDecimal) -> ExactDecimal {
        MotionRequest(completed(next.update), target: next.target, kind: name.kind).rest(from: next.update.from ?? rest)
    }
}
