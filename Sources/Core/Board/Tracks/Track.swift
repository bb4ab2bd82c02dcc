// One moving number: a ticker, or a progress with its maximum. Pure: every function takes the instant.

import Base
package import Labels
package import Tween

/// A motion that runs (or is paused) on a track. A class, so that a track is cheap to copy to answers, records and events:
/// most tracks of a large board have no run. Immutable: a change makes another run.
package final class Run: Hashable, Sendable {
    package let motion: Motion
    /// The motion of a progress' maximum, if it changes with this motion.
    package let maximum: MaximumChange?
    /// Identifies the motion in `complete`; unique on its track, also across restarts.
    package let animation: UInt64
    package let request: MotionRequest
    /// The start, exact where it is known: what an autoreverse shows at its end.
    package let origin: Position
    package let then: ActionList?
    package let otherwise: ActionList?
    /// Milestones that are not crossed yet.
    package let milestones: [ExactDecimal]
    /// Milestones that were crossed, or were where it began: an equal update may name them again.
    package let crossed: [ExactDecimal]
    /// The actions of its milestones, crossed ones included; nil if none has any.
    package let milestoneActions: MilestoneActions?
    /// The value at which milestones were last checked.
    package let lastValue: Double

    package init(
        motion: Motion, maximum: MaximumChange? = nil, animation: UInt64, request: MotionRequest, origin: Position,
        then: ActionList?, otherwise: ActionList?, milestones: [ExactDecimal], crossed: [ExactDecimal] = [],
        milestoneActions: MilestoneActions? = nil, lastValue: Double
    ) {
        self.motion = motion
        self.maximum = maximum
        self.animation = animation
        self.request = request
        self.origin = origin
        self.then = then
        self.otherwise = otherwise
        self.milestones = milestones
        self.crossed = crossed
        self.milestoneActions = milestoneActions
        self.lastValue = lastValue
    }

    /// Returns the same run with another motion and maximum.
    func with(motion: Motion, maximum: MaximumChange?) -> Run {
        Run(
            motion: motion, maximum: maximum, animation: animation, request: request, origin: origin, then: then,
            otherwise: otherwise, milestones: milestones, crossed: crossed, milestoneActions: milestoneActions,
            lastValue: lastValue)
    }

    /// Returns the same run with other milestones, checked at another value.
    func with(milestones: [ExactDecimal], crossed: [ExactDecimal], lastValue: Double) -> Run {
        with(milestones: milestones, crossed: crossed, milestoneActions, lastValue: lastValue)
    }

    /// Returns the same run with other milestones and actions of theirs.
    func with(
        milestones: [ExactDecimal], crossed: [ExactDecimal], _ actions: MilestoneActions?, lastValue: Double
    ) -> Run {
        Run(
            motion: motion, maximum: maximum, animation: animation, request: request, origin: origin, then: then,
            otherwise: otherwise, milestones: milestones, crossed: crossed, milestoneActions: actions,
            lastValue: lastValue)
    }

    /// Whether there is a milestone on the way to a value. Values before which there was none leave no trace: the ways to the
    /// next value, with and without them, have the same milestones.
    func reachesMilestone(_ value: Double, at now: Instant) -> Bool {
        let way = way(to: value, at: now)
        return milestones.contains { way.contains($0.double) }
    }

    /// Returns the range of the values on the way from the last value to another: also those at which the motion has turned in
    /// between. They may have been passed long ago; milestones among them are gone then.
    func way(to value: Double, at now: Instant) -> ClosedRange<Double> {
        var (low, high) = (min(lastValue, value), max(lastValue, value))
        motion.forEachTurn(until: now) { turn in
            low = min(low, turn)
            high = max(high, turn)
        }
        return low...high
    }

    /// Returns the same way by its turns, in the order in which they were shown.
    func turns(to value: Double, at now: Instant) -> [Double] {
        var turns = [lastValue]
        motion.forEachTurn(until: now) { turns.append($0) }
        return turns + [value]
    }

    /// Whether the run already does what an update asks for. One whose rate was changed doesn't: it may never arrive.
    func does(_ request: MotionRequest, then: ActionList?, otherwise: ActionList?) -> Bool {
        self.request == request && motion.playback.rate == request.rate && self.then == then
            && self.otherwise == otherwise
    }

    package static func == (left: Run, right: Run) -> Bool {
        left === right
            || left.motion == right.motion && left.maximum == right.maximum && left.animation == right.animation
                && left.request == right.request && left.then == right.then && left.otherwise == right.otherwise
                && left.origin == right.origin && left.milestones == right.milestones && left.crossed == right.crossed
                && left.milestoneActions == right.milestoneActions && left.lastValue == right.lastValue
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(motion)
        hasher.combine(animation)
    }
}

/// An update that waits for the running motion's end.
package struct WaitingUpdate: Hashable, Sendable {
    package var update: TrackUpdate
    package var target: ExactDecimal
    package var animation: UInt64

    package init(update: TrackUpdate, target: ExactDecimal, animation: UInt64) {
        self.update = update
        self.target = target
        self.animation = animation
    }
}

/// A ticker or a progress.
package struct Track: Hashable, Sendable {
    /// The maximum number of updates that may wait for a running motion.
    package static let maximumWaiting = 64
    /// The maximum size of the waiting updates in bytes; a single one may be larger.
    package static let maximumWaitingBytes = 256 * 1_024

    package let name: ResourceName
    /// Rises by one with every accepted change.
    package var revision: UInt64
    /// The defaults that `PUT` set for later updates; nil if there was none.
    @Boxed package var definition: TrackUpdate?
    package var rendering: Rendering
    /// Where the number rests or will rest, exactly.
    package private(set) var target: ExactDecimal
    /// The earlier targets.
    package var history: TargetHistory
    /// What is shown while nothing runs.
    package var rest: Position
    package var run: Run?
    package var waiting: [WaitingUpdate]
    /// The sequence number of the last update that had one.
    package var sequence: Int?
    package var cadence: CadenceEstimator
    /// Nil before a progress' first update, and for a ticker, which needs none of its 176 bytes.
    @Boxed private var observedPace: RateEstimator?
    /// The rate of a progress' updates, by seconds of the Unix epoch.
    package var pace: RateEstimator {
        get { observedPace ?? RateEstimator() }
        set { observedPace = newValue == RateEstimator() ? nil : newValue }
    }
    /// When a progress was paused, whether it moves or not; nil while it is not paused. A ticker only pauses its motion.
    package var pausedSince: Instant?
    /// Seconds from the last update, end or subscriber until removal; nil keeps the track.
    package var timeToLive: Double?
    /// The instant of the last update, end or departure of a subscriber, or of a start of the server.
    package var touched: Instant
    /// Whether this node has subscribers to its frames. Not stored.
    package var isWatched: Bool
    /// Whether any node has subscribers; then it does not expire. Not stored.
    package var hasSubscribers: Bool

    package init(name: ResourceName, rendering: Rendering, start: ExactDecimal, at now: Instant) {
        self.name = name
        self.rendering = rendering
        revision = 0
        target = start
        history = TargetHistory(since: now)
        rest = .exact(start)
        waiting = []
        cadence = CadenceEstimator()
        touched = now
        isWatched = false
        hasSubscribers = false
    }

    /// Sets where the number will rest from now on.
    mutating func aim(at target: ExactDecimal, from now: Instant) {
        let before = self.target.double
        self.target = target
        if target.double != before { history.end(before, at: now) }
        aimWaiting()
    }

    /// Returns it with another target.
    func aimed(at target: ExactDecimal) -> Track {
        var track = self
        track.target = target
        return track
    }

    /// Begins its time to live again. What falls due late, after a restart, doesn't set it back.
    mutating func touch(at now: Instant) { touched = max(touched, now) }

    /// The next instant at which something is due: the motion's end or expiry.
    package var due: Instant? {
        if let run { return run.motion.end }
        guard let timeToLive, !hasSubscribers else { return nil }
        return touched.advanced(bySeconds: timeToLive)
    }

    /// Whether its run has milestones that are not crossed yet.
    var hasMilestones: Bool { run?.milestones.isEmpty == false }

    /// Whether the values shown have reached a milestone that is not crossed yet.
    func reachesMilestone(at now: Instant) -> Bool {
        guard let run, !run.milestones.isEmpty else { return false }
        let value = value(at: now)
        let way = shown(run.way(to: value, at: now), reaching: value, at: now)
        return run.milestones.contains { way.contains($0.double) }
    }

    /// Removes the milestones that are crossed on the way to a value.
    /// - Returns: Their events and actions, in the order in which the number came to them.
    mutating func passMilestones(upTo value: Double, at now: Instant) -> PassedMilestones {
        guard let run, !run.milestones.isEmpty else { return .none }
        let turns = run.turns(to: value, at: now).dropLast().map { shown($0, at: now) } + [value]
        let milestones = MilestoneOrder(run.milestones, along: turns)
        self.run = run.with(milestones: milestones.ahead, crossed: run.crossed + milestones.crossed, lastValue: value)
        var passed = PassedMilestones()
        var last: ExactDecimal?
        for milestone in milestones.crossed {
            passed.events.append(.milestone(name, animation: run.animation, value: milestone))
            // A repeated milestone has one list of actions.
            if milestone != last, let actions = run.milestoneActions?.actions(at: milestone) {
                passed.actions.append(actions)
            }
            last = milestone
        }
        return passed
    }

    /// Removes the milestones that were crossed since the last tick, before the motion changes or ends.
    mutating func passMilestones(at now: Instant) -> PassedMilestones {
        hasMilestones ? passMilestones(upTo: value(at: now), at: now) : .none
    }

    /// Removes the milestones that are crossed if its motion is finished now.
    mutating func passMilestonesToEnd(at now: Instant) -> PassedMilestones {
        guard hasMilestones, let end = run?.motion.destination else { return .none }
        return passMilestones(at: now) + passMilestones(upTo: end, at: now)
    }

    /// Whether it, or its motion, is paused until it is resumed.
    var isPaused: Bool { pausedSince != nil || run?.motion.isPaused == true }

    /// Whether frames can differ from tick to tick.
    package var isMoving: Bool {
        guard let run else { return false }
        return !run.motion.isPaused
    }

    /// The motion to sample at each tick: it moves, and is watched or has milestones.
    var sampledMotion: Motion? { isMoving && (isWatched || hasMilestones) ? run?.motion : nil }

    /// Returns the unrounded value shown.
    package func value(at now: Instant) -> Double { position(at: now).double }

    /// Returns the value shown; exact at rest, before the start and after the arrival.
    package func position(at now: Instant) -> Position {
        guard let run else { return rest }
        return position(of: run, at: now)
    }

    private func position(of run: Run, at now: Instant) -> Position {
        guard let settled = run.motion.settled, now >= settled else {
            let value = run.motion.value(at: now)
            let shown = shown(value, at: now)
            // Before it moves, a number shows all its digits, as at its end, even those that a double can't hold.
            return value == run.motion.from && value == shown ? run.origin : .moving(shown)
        }
        return destination(of: run)
    }

    /// Clamps a motion's value to what is shown: a moving progress stays within its bounds.
    private func shown(_ value: Double, at now: Instant) -> Double {
        guard name.kind == .progress, let maximum = maximum(at: now) else { return value }
        return progressBounds(of: maximum).hold(value)
    }

    /// Clamps the values of a way likewise; the value that it leads to is shown whatever its bounds are.
    private func shown(
        _ way: ClosedRange<Double>, reaching value: Double, at now: Instant
    ) -> ClosedRange<Double> {
        let (low, high) = (shown(way.lowerBound, at: now), shown(way.upperBound, at: now))
        return min(low, value)...max(high, value)
    }

    /// Returns its motion if that is what is shown. A progress at a bound stands still, whatever its motion does.
    func shownMotion(at now: Instant) -> Motion? {
        guard let motion = run?.motion else { return nil }
        let value = motion.value(at: now)
        return shown(value, at: now) == value ? motion : nil
    }

    /// Returns where a run will rest, exactly if known; for an endless run, the end of its first cycle.
    func rest(of run: Run) -> ExactDecimal {
        switch destination(of: run) {
        case .exact(let value): value
        case .moving(let value): ExactDecimal(value) ?? run.request.target
        }
    }

    /// Returns where a run ends: exactly at its target or origin, or in between for a fractional repeat.
    package func destination(of run: Run) -> Position {
        let end = run.motion.destination
        if end == run.motion.to { return .exact(run.request.target) }
        if end == run.motion.from { return run.origin }
        return .moving(end)
    }
}
