// A client's update of a ticker or a progress, decoded and validated, but not applied.

package import Labels
package import Tween

/// A requested change of a track. `nil` leaves a field at the track's default, or else at the default of its kind.
package struct TrackUpdate: Hashable, Sendable {
    /// Where the number should go.
    package enum Goal: Hashable, Sendable {
        /// The end value itself.
        case to(ExactDecimal)
        /// An amount added to the current target.
        case by(ExactDecimal)
        /// The end value, unless the current target is greater.
        case max(ExactDecimal)
        /// The end value, unless the current target is less.
        case min(ExactDecimal)
        /// Several values in turn, ending on the last.
        case along([Waypoint])
        /// Where a decaying velocity takes it.
        case decay(Decay)
    }

    /// A keyframe as a client sends it.
    package struct Waypoint: Hashable, Sendable {
        package var target: ExactDecimal
        /// The share of the duration at which the value is reached, 0 to 1; 1 for the last.
        package var offset: Double
        /// The easing from the waypoint before; nil is the update's easing.
        package var easing: Easing?

        package init(target: ExactDecimal, offset: Double, easing: Easing?) {
            (self.target, self.offset, self.easing) = (target, offset, easing)
        }
    }

    /// The duration of a motion.
    package enum Length: Hashable, Sendable {
        /// Seconds, 0 ≤ … ≤ `maximumSeconds`.
        case seconds(Double)
        /// The learnt gap between updates.
        case automatic
    }

    /// How the number gets to its target.
    package enum Curve: Hashable, Sendable {
        case easing(Easing)
        case spring(SpringSpecification)
    }

    /// What a running motion does when an update arrives.
    package enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// Continues from where it is, with its velocity.
        case retarget
        /// Stops where it is; the new motion starts there from rest.
        case replace
        /// Runs to its end first.
        case queue
        /// Keeps running; the update is rejected.
        case reject
    }

    /// The fields that describe how the number gets to its target. `PUT` sets them for later updates, and a run is stored
    /// and shown with them. Code that handles all of them switches over this enum, so that none is forgotten.
    package enum MotionField: String, Sendable, CaseIterable {
        case duration, delay, endDelay
        /// `easing` or `spring`.
        case curve
        case `repeat`, repeatDelay, autoreverse, direction, rate, clamp, animated, interrupt, milestones
    }

    /// The maximum duration, delay, end delay and time to live, in seconds: 365 days.
    package static let maximumSeconds = 31_536_000.0
    /// The maximum number of keyframes of one update.
    package static let maximumKeyframes = 100
    /// The maximum number of milestones of one update.
    package static let maximumMilestones = 100

    package var goal: Goal?
    package var from: ExactDecimal?
    /// Its place in the order of all updates of the number; one that arrives after a later one changes nothing.
    package var sequence: Int?
    package var label: String?
    /// Ticker only: the text before and after the number, instead of a label's.
    package var prefix: String?
    package var suffix: String?
    package var index: Int?
    package var decimals: Int?
    @Boxed package var format: NumberFormat?
    package var length: Length?
    package var delay: Double?
    /// The start of the motion relative to another one; `delay` counts from there.
    @Boxed package var start: MotionAnchor?
    /// Seconds of the timeline before `delay` from its place in a batch, even if `PUT` set the delay. Ignored for an update that waits for
    /// a motion's end.
    package var lead = 0.0
    package var endDelay: Double?
    package var curve: Curve?
    /// Cycles after the first; may be infinity.
    package var repeats: Double?
    /// Seconds before each further cycle.
    package var repeatDelay: Double?
    package var autoreverse: Bool?
    package var direction: Direction?
    package var rate: Double?
    package var clamp: Overshoot?
    package var animated: Bool?
    package var interruption: Interruption?
    package var milestones: [ExactDecimal]?
    /// The actions of `milestones`; nil if none has any.
    @Boxed package var milestoneActions: MilestoneActions?
    /// Seconds from the last update, end or subscriber until removal.
    package var timeToLive: Double?
    /// Actions that run when the motion reaches its end.
    package var then: ActionList?
    /// Actions that run when the motion is superseded, cancelled or removed.
    package var otherwise: ActionList?
    /// Whether it has only its own actions, none of `PUT`. Milestones of `PUT` stay, as events.
    package var declinesActions = false
    /// Progress only.
    package var maximum: Maximum?
    /// Progress only: the amount that was done before the task began here, which says nothing about its pace.
    package var initial: ExactDecimal?
    /// Progress only: the text that replaces the label while the maximum is unknown.
    package var indeterminate: String?
    /// Progress only: JSON that viewers receive unchanged.
    package var appearance: [UInt8]?
    /// The JSON this was decoded from, kept so that a waiting update can be stored unchanged.
    package var source: [UInt8]

    package init(source: [UInt8] = []) {
        self.source = source
    }

    /// Fills in missing fields from the defaults of `PUT`.
    mutating func inherit(from defaults: TrackUpdate) {
        for field in MotionField.allCases { inherit(field, from: defaults) }
        decimals = decimals ?? defaults.decimals
        if !declinesActions { then = then ?? defaults.then }
    }

    private mutating func inherit(_ field: MotionField, from defaults: TrackUpdate) {
        switch field {
        case .duration: length = length ?? defaults.length
        case .delay: delay = delay ?? defaults.delay
        case .endDelay: endDelay = endDelay ?? defaults.endDelay
        case .curve: curve = curve ?? defaults.curve
        case .repeat: repeats = repeats ?? defaults.repeats
        case .repeatDelay: repeatDelay = repeatDelay ?? defaults.repeatDelay
        case .autoreverse: autoreverse = autoreverse ?? defaults.autoreverse
        case .direction: direction = direction ?? defaults.direction
        case .rate: rate = rate ?? defaults.rate
        case .clamp: clamp = clamp ?? defaults.clamp
        case .animated: animated = animated ?? defaults.animated
        case .interrupt: interruption = interruption ?? defaults.interruption
        case .milestones:
            guard milestones == nil else { return }
            milestones = defaults.milestones
            if !declinesActions { _milestoneActions = defaults._milestoneActions }
        }
    }

    /// Whether an end of its motion, or a milestone on its way, runs actions.
    package var hasActions: Bool { then != nil || otherwise != nil || $milestoneActions }

    /// Whether the update leaves a rendering unchanged. Decimals are set again by each update; other fields persist when omitted.
    func keeps(_ rendering: Rendering) -> Bool {
        if moves, case .ticker(let rendering) = rendering, case .words = rendering.text { return false }
        return label == nil && prefix == nil && suffix == nil && index == nil && !$format && maximum == nil
            && initial == nil && indeterminate == nil && appearance == nil && decimals == rendering.decimals
    }

    /// Whether it sets a target or a start.
    var moves: Bool { goal != nil || from != nil }

    /// Whether its target is where a velocity comes to rest.
    var isDecay: Bool { if case .decay = goal { true } else { false } }

    /// Whether it only changes how the number is shown.
    package var isOfRenderingAlone: Bool {
        guard goal == nil, from == nil, !hasActions, !$start else { return false }
        var motion = TrackUpdate()
        for field in MotionField.allCases { motion.inherit(field, from: self) }
        return motion == TrackUpdate()
    }

    /// Whether it says where the number goes, and nothing else.
    package var isOfGoalAlone: Bool {
        var plain = TrackUpdate(source: source)
        (plain.goal, plain.lead) = (goal, lead)
        return plain == self
    }

    /// Returns the target of this update for a track whose last update leads to `present`.
    /// - Throws: `CommandError.invalid` naming `by`.
    func goal(from present: ExactDecimal) throws(CommandError) -> ExactDecimal {
        switch goal {
        case .to(let value): return value
        case .by(let amount):
            guard let sum = present.adding(amount) else {
                throw .invalid(field: "by", reason: "the sum would have more than 38 digits")
            }
            return sum
        case .max(let value): return max(value, present)
        case .min(let value): return min(value, present)
        case .along(let waypoints):
            let decimals = waypoints.reduce(0) { max($0, $1.target.scale) }
            return waypoints.last.map { $0.target.showing(decimals) ?? $0.target } ?? present
        // The target of a decay is computed when it starts.
        case .decay, nil: return present
        }
    }

    /// Whether `max` or `min` keeps the current target, because it is already beyond this one.
    func isBeaten(by present: ExactDecimal) -> Bool {
        switch goal {
        case .max(let value): value < present
        case .min(let value): value > present
        case .to, .by, .along, .decay, nil: false
        }
    }

    /// The maximum sequence number, 2^53 - 1: above it not every integer is exact in every JSON reader.
    package static let maximumSequence = 9_007_199_254_740_991

    /// A progress' maximum.
    package enum Maximum: Hashable, Sendable {
        /// 0 or more.
        case value(ExactDecimal)
        case indeterminate
    }
}

/// A spring in one of the API's four forms.
package enum SpringSpecification: Hashable, Sendable {
    /// A spring whose duration is the update's: the settling time to 0.001 of the distance.
    case settling(dampingRatio: Double, initialVelocity: Double)
    /// A spring that needs no duration; velocity 1 is the whole distance in one second.
    case spring(Spring, initialVelocity: Double)
}
