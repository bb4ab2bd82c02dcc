// A number that decays: its position and velocity determine where it comes to rest.

package import Labels
import Tween

extension TrackUpdate {
    /// A velocity that decays, given instead of a target.
    package struct Decay: Hashable, Sendable {
        /// Units per second; nil continues with the number's current velocity, or with 0 where the update has a start or replaces
        /// the motion.
        package var velocity: Double?
        /// Seconds in which the velocity falls to 1/e.
        package var timeConstant: Double
        /// The bounds at which the number stops.
        package var minimum: ExactDecimal?
        package var maximum: ExactDecimal?

        package init(
            velocity: Double? = nil, timeConstant: Double = 0.325, minimum: ExactDecimal? = nil,
            maximum: ExactDecimal? = nil
        ) {
            (self.velocity, self.timeConstant, self.minimum, self.maximum) = (velocity, timeConstant, minimum, maximum)
        }

        fileprivate var curve: Tween.Decay {
            let all = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
            let low = minimum?.double ?? all.lowerBound
            return Tween.Decay(
                timeConstant: timeConstant, bounds: low...max(low, maximum?.double ?? all.upperBound))
        }

        /// Returns the value clamped to the bounds.
        fileprivate func held(_ value: ExactDecimal) -> ExactDecimal {
            let value = maximum.map { min($0, value) } ?? value
            return minimum.map { max($0, value) } ?? value
        }
    }
}

extension Track {
    /// Replaces an update's decay by its result: a target with the digits that are shown, and the spring that leads there.
    /// Returns any other update unchanged.
    /// - Throws: `CommandError.invalid` naming `decay`.
    func resolved(
        _ update: consuming TrackUpdate, planner: any Planner, at now: Instant
    ) throws(CommandError) -> TrackUpdate {
        guard case .decay(let decay) = update.goal else { return update }
        if update.interruption == .queue {
            throw .invalid(field: "decay", reason: "continues what is in motion, so `interrupt` can't be `queue`")
        }
        let start = update.from?.double ?? position(at: now).double
        let isContinued = update.from == nil && (update.interruption ?? .retarget) == .retarget
        // In units per second of its own time, as everything of a motion is.
        let rate = update.rate.map { $0 > 0 ? $0 : 1 } ?? 1
        let present = isContinued ? shownMotion(at: now)?.velocity(at: now) : nil
        let velocity = decay.velocity ?? (present ?? 0) / rate
        let curve = decay.curve
        let shown = try rendering.applying(as: rendering.spec.applying(in: update), for: target, planner: planner)
        let end = curve.target(from: start, velocity: velocity)
        guard let rest = ExactDecimal(end) ?? (end.magnitude < 1 ? .zero : nil),
            let target = decay.held(rest.rounded(to: shown.finestDecimals)).showing(shown.finestDecimals)
        else { throw .invalid(field: "decay", reason: "comes to rest at a number of more than 38 digits") }
        update.goal = .to(target)
        let share = velocity / (target.double - start)
        update.curve = .spring(
            .spring(
                curve.spring(from: start, to: target.double, velocity: velocity),
                initialVelocity: share.isFinite ? share : 0))
        // A decay has a duration and cycle of its own, whatever `PUT` set.
        (update.length, update.repeats, update.autoreverse, update.direction) = (nil, nil, nil, nil)
        return update
    }
}

extension Rendering {
    /// The maximum number of decimals that the number can show (not as a percentage).
    fileprivate var finestDecimals: Int {
        switch self {
        case .ticker(let rendering): rendering.plain.plan.finestDecimals
        case .progress(let rendering): rendering.plain.plan.finestDecimals
        }
    }
}

extension ExactDecimal {
    /// Returns the same number with at least this many decimals, padded with zeros; nil beyond 38 digits.
    func showing(_ decimals: Int) -> ExactDecimal? {
        ExactDecimal(coefficient: 0, scale: decimals)?.adding(self)
    }
}
