// One moving number: a ticker, or a progress with its maximum. Pure: every function takes the instant.

import Base
package import Labels
package import Tween

/// A motion that runs (or is paused) on a track. A class, so that a track is small and cheap to copy: it goes to answers,
/// records and events, and most tracks of a large board have none. It never changes: another is another run.
package final class Run: Hashable, Sendable {
    package let motion: Motion
    /// A progress' maximum, where it changes with this motion.
    package let maximum: MaximumChange?
    /// Names the motion in `complete`; unique on its track, also over restarts.
    package let animation: UInt64
    package let request: MotionRequest
    /// Where it set out, exactly where that is known: what an autoreverse shows at its end.
    package let origin: Position
    package let then: ActionList?
    package let otherwise: ActionList?
    /// Values not crossed yet.
    package let milestones: [ExactDecimal]
    /// The value milestones were last looked at.
    package let lastValue: Double

    package init(
        motion: Motion, maximum: MaximumChange? = nil, animation: UInt64, request: MotionRequest, origin: Position,
        then: ActionList?, otherwise: ActionList?, milestones: [ExactDecimal], lastValue: Double
    ) {
        self.motion = motion
        self.maximum = maximum
        self.animation = animation
        self.request = request
        self.origin = origin
        self.then = then
        self.otherwise = otherwise
        self.milestones = milestones
        self.lastValue = lastValue
    }

    /// The same run with another motion and maximum.
    func with(motion: Motion, maximum: MaximumChange?) -> Run {
        Run(
            motion: motion, maximum: maximum, animation: animation, request: request, origin: origin, then: then,
            otherwise: otherwise, milestones: milestones, lastValue: lastValue)
    }

    /// The same run with other milestones, looked at at another value.
    func with(milestones: [ExactDecimal], lastValue: Double) -> Run {
        Run(
            motion: motion, maximum: maximum, animation: animation, request: request, origin: origin, then: then,
            otherwise: otherwise, milestones: milestones, lastValue: lastValue)
    }

    /// Whether it is what an update asks for.
    func does(_ request: MotionRequest, then: ActionList?, otherwise: ActionList?) -> Bool {
        self.request == request && self.then == then && self.otherwise == otherwise
    }

    package static func == (left: Run, right: Run) -> Bool {
        left === right
            || left.motion == right.motion && left.maximum == right.maximum && left.animation == right.animation
                && left.does(right.request, then: right.then, otherwise: right.otherwise)
                && left.origin == right.origin && left.milestones == right.milestones
                && left.lastValue == right.lastValue
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
    /// The most updates that may wait for a running motion.
    package static let maximumWaiting = 64
    /// The most bytes that these take up; one alone may take more.
    package static let maximumWaitingBytes = 256 * 1_024

    package let name: ResourceName
    /// Rises by one with every accepted change.
    package var revision: UInt64
    /// What `PUT` fixed for updates to come; nil where nobody has.
    @Boxed package var definition: TrackUpdate?
    package var rendering: Rendering
    /// Where the number rests or will rest, exactly.
    package private(set) var target: ExactDecimal
    /// Where it went before.
    package var history: TargetHistory
    /// What is shown while nothing runs.
    package var rest: Position
    package var run: Run?
    package var waiting: [WaitingUpdate]
    /// The sequence number of the last update that had one.
    package var sequence: Int?
    package var cadence: CadenceEstimator
    /// How fast a progress' updates move along, in seconds of the Unix epoch; a ticker's sees nothing.
    package var pace: RateEstimator
    /// Since when a progress is paused, whether it moves or not; nil where it goes on. A ticker has nothing but its motion.
    package var pausedSince: Instant?
    /// Seconds after the last update, end and listener until it is removed; nil keeps it.
    package var timeToLive: Double?
    /// The last update, end or departure of a listener.
    package var touched: Instant
    /// Somebody listens here, who is shown its frames. Not stored.
    package var isWatched: Bool
    /// Somebody listens, here or elsewhere: then it is not removed for its age. Not stored.
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
        pace = RateEstimator()
        touched = now
        isWatched = false
        hasSubscribers = false
    }

    /// Sets where the number will rest from now on.
    mutating func aim(at target: ExactDecimal, from now: Instant) {
        let before = self.target.double
        self.target = target
        if target.double != before { history.end(before, at: now) }
    }

    /// The next instant at which something is due: the motion's end, or removal for age.
    package var due: Instant? {
        if let run { return run.motion.end }
        guard let timeToLive, !hasSubscribers else { return nil }
        return touched.advanced(bySeconds: timeToLive)
    }

    /// Whether its run has milestones that were not passed yet.
    var hasMilestones: Bool { run?.milestones.isEmpty == false }

    /// Takes off the milestones that are crossed on the way to a value.
    /// - Returns: What tells of them, in order.
    mutating func passMilestones(upTo value: Double) -> [BoardEvent] {
        guard let run, !run.milestones.isEmpty else { return [] }
        let (low, high) = (min(run.lastValue, value), max(run.lastValue, value))
        let crossed = run.milestones.filter { low <= $0.double && $0.double <= high }.sorted()
        let rest = run.milestones.filter { !(low <= $0.double && $0.double <= high) }
        self.run = run.with(milestones: rest, lastValue: value)
        return (value >= run.lastValue ? crossed : crossed.reversed()).map {
            .milestone(name, animation: run.animation, value: $0)
        }
    }

    /// The same for where it is now: what was crossed since the last tick counts when its motion changes or ends.
    mutating func passMilestones(at now: Instant) -> [BoardEvent] {
        hasMilestones ? passMilestones(upTo: value(at: now)) : []
    }

    /// Whether it, or its motion, is held until somebody resumes it.
    var isPaused: Bool { pausedSince != nil || run?.motion.isPaused == true }

    /// Whether frames can differ from tick to tick.
    package var isMoving: Bool {
        guard let run else { return false }
        return !run.motion.isPaused
    }

    /// The motion to be sampled each tick: it moves, and somebody watches or a milestone waits.
    var sampledMotion: Motion? { isMoving && (isWatched || hasMilestones) ? run?.motion : nil }

    /// The unrounded value shown.
    package func value(at now: Instant) -> Double {
        guard let run else { return rest.double }
        return shown(run.motion.value(at: now), at: now)
    }

    /// The value shown, exact where it is at rest, has yet to set out or has arrived.
    package func position(at now: Instant) -> Position {
        guard let run else { return rest }
        return position(of: run, at: now)
    }

    private func position(of run: Run, at now: Instant) -> Position {
        guard let settled = run.motion.settled, now >= settled else {
            let value = run.motion.value(at: now)
            // Before it moves a number shows all its digits, as at its end, however many a double has.
            return value == run.motion.from ? run.origin : .moving(shown(value, at: now))
        }
        return destination(of: run)
    }

    /// A motion's value as it is shown: a progress keeps within its bounds on the way.
    private func shown(_ value: Double, at now: Instant) -> Double {
        guard name.kind == .progress, let maximum = maximum(at: now) else { return value }
        return progressBounds(of: maximum).hold(value)
    }

    /// Its motion where that is what is shown. A progress that is held at a bound stands still there, wherever its motion is.
    func shownMotion(at now: Instant) -> Motion? {
        guard let motion = run?.motion else { return nil }
        let value = motion.value(at: now)
        return shown(value, at: now) == value ? motion : nil
    }

    /// Where a run will rest, exactly where that can be told; of one that never rests its first cycle's end.
    func rest(of run: Run) -> ExactDecimal {
        switch destination(of: run) {
        case .exact(let value): value
        case .moving(let value): ExactDecimal(value) ?? run.request.target
        }
    }

    /// Where a run ends: its target or origin exactly, or in between for a fractional repeat.
    package func destination(of run: Run) -> Position {
        let end = run.motion.destination
        if end == run.motion.to { return .exact(run.request.target) }
        if end == run.motion.from { return run.origin }
        return .moving(end)
    }
}
