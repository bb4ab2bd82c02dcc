// The start of a motion relative to the motion of another ticker or progress.

import Base
import Tween

/// The start or the end of another track's current motion.
package struct MotionAnchor: Hashable, Sendable {
    /// The raw values are the names in the API.
    package enum Edge: String, Hashable, Sendable, CaseIterable {
        /// The other motion starts, after its delay.
        case with
        /// The other motion completes, after its end delay.
        case after
    }

    package let edge: Edge
    package let name: ResourceName
    /// Seconds after the edge; negative values are before it.
    package let offset: Double

    package init(_ edge: Edge, _ name: ResourceName, offset: Double = 0) {
        self.edge = edge
        self.name = name
        self.offset = offset
    }
}

extension Engine {
    /// Returns the seconds before an update's own delay: its place in a batch, and the time until the anchor of its motion.
    /// The anchor's time is fixed now, even if the other motion changes later.
    func lead(of update: TrackUpdate, on name: ResourceName, at now: Instant) throws(CommandError) -> Double {
        guard let start = update.start else { return update.lead }
        let field = "start/\(start.edge)"
        guard start.name != name else {
            throw .invalid(field: field, reason: "must be another's; `interrupt: queue` waits for its own motion")
        }
        guard let other = track(start.name) else {
            throw .invalid(field: field, reason: "there is no \(start.name.kind) \(start.name.id)")
        }
        guard let seconds = other.seconds(until: start.edge, at: now) else {
            let edge = start.edge == .with ? "waits, held" : "has no end: it is held, or endless"
            throw .invalid(field: field, reason: "the motion of \(start.name.kind) \(start.name.id) \(edge)")
        }
        return update.lead + max(0, seconds + start.offset)
    }
}

extension Track {
    /// Returns the seconds until an edge of the track's motion, negative when it has passed. At rest both edges are now.
    /// - Returns: nil if the edge never comes without a command.
    fileprivate func seconds(until edge: MotionAnchor.Edge, at now: Instant) -> Double? {
        guard let motion = run?.motion else { return 0 }
        switch edge {
        case .after: return motion.end?.seconds(since: now)
        case .with:
            let (own, rate) = (motion.elapsed(at: now), motion.playback.rate)
            // One that runs backwards begins after its end delay.
            let left = rate < 0 ? own - (motion.endTime - motion.course.endDelay) : motion.delay - own
            guard !motion.isPaused, rate != 0 else { return left > 0 ? nil : 0 }
            return left / rate.magnitude
        }
    }
}
