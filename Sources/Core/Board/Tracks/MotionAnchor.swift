// When a motion begins, by the motion of another ticker or progress.

import Base
import Tween

/// The start or the end of the motion that another track runs.
package struct MotionAnchor: Hashable, Sendable {
    /// What clients call them.
    package enum Edge: String, Hashable, Sendable, CaseIterable {
        /// When the other sets out, its delay over.
        case with
        /// When the other is complete, its end delay included.
        case after
    }

    package let edge: Edge
    package let name: ResourceName
    /// Seconds after the edge; negative ones are before.
    package let offset: Double

    package init(_ edge: Edge, _ name: ResourceName, offset: Double = 0) {
        self.edge = edge
        self.name = name
        self.offset = offset
    }
}

extension Engine {
    /// Seconds before an update's own delay: its place in a batch, and what is left until the motion it begins by. What is
    /// known of that one now counts, whatever becomes of it.
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
    /// Seconds until an edge of its motion, negative where that has passed. At rest both are now.
    /// - Returns: nil where the edge doesn't come by itself.
    fileprivate func seconds(until edge: MotionAnchor.Edge, at now: Instant) -> Double? {
        guard let motion = run?.motion else { return 0 }
        switch edge {
        case .after: return motion.end?.seconds(since: now)
        case .with:
            let left = motion.delay - motion.elapsed(at: now)
            guard !motion.isPaused, motion.playback.rate > 0 else { return left > 0 ? nil : 0 }
            return left / motion.playback.rate
        }
    }
}
