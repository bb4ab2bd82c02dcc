// What a client asks of a ticker or a progress, field by field, as decoded and validated. Nothing here has been applied.

package import Labels
package import Tween

/// A requested change of a track. `nil` leaves a field at the track's own default, then at its kind's.
package struct TrackUpdate: Hashable, Sendable {
    /// Where the number should go.
    package enum Goal: Hashable, Sendable {
        /// The end value itself.
        case to(ExactDecimal)
        /// An amount added to the present target.
        case by(ExactDecimal)
        /// The end value, unless the present target is greater.
        case max(ExactDecimal)
        /// The end value, unless the present target is less.
        case min(ExactDecimal)
        /// One value after another, ending on the last.
        case along([Waypoint])
        /// Where its velocity takes it.
        case decay(Decay)
    }

    /// A value on the way: a keyframe as a client gives it.
    package struct Waypoint: Hashable, Sendable {
        package var target: ExactDecimal
        /// The share of the duration at which it is there, 0 to 1; the last is at 1.
        package var offset: Double
        /// How it goes there from the one before; nil is the update's easing.
        package var easing: Easing?

        package init(target: ExactDecimal, offset: Double, easing: Easing?) {
            (self.target, self.offset, self.easing) = (target, offset, easing)
        }
    }

    /// How long a motion takes.
    package enum Length: Hashable, Sendable {
        /// Seconds, 0 ≤ … ≤ `maximumSeconds`.
        case seconds(Double)
        /// The learnt gap between updates.
        case automatic
    }

    /// How the number gets there.
    package enum Curve: Hashable, Sendable {
        case easing(Easing)
        case spring(SpringSpecification)
    }

    /// What a running motion does when an update comes.
    package enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// Goes on from where it is, with the velocity it has.
        case retarget
        /// Stops where it is; the new motion starts there from rest.
        case replace
        /// Runs to its end first.
        case queue
        /// Keeps running; the update is refused.
        case reject
    }

    /// The fields that say how the number gets to its target. `PUT` fixes them for updates to come, a run is stored and
    /// shown with them; whoever has to know all of them switches over these, so that none is forgotten.
    package enum MotionField: String, Sendable, CaseIterable {
        case duration, delay, endDelay
        /// `easing` or `spring`.
        case curve
        case `repeat`, repeatDelay, autoreverse, direction, rate, clamp, animated, interrupt, milestones
    }

    /// The longest duration, delay, end delay and time to live, in seconds: 365 days.
    package static let maximumSeconds = 31_536_000.0
    /// The most keyframes of one update.
    package static let maximumKeyframes = 100
    /// The most milestones of one update.
    package static let maximumMilestones = 100

    package var goal: Goal?
    package var from: ExactDecimal?
    /// Its place in the sender's order: one that comes behind a later one changes nothing.
    package var sequence: Int?
    package var label: String?
    /// Ticker only: the text before and after the number, in place of a label's.
    package var prefix: String?
    package var suffix: String?
    package var index: Int?
    package var decimals: Int?
    @Boxed package var format: NumberFormat?
    package var length: Length?
    package var delay: Double?
    /// When the motion begins, by another one; `delay` is counted from then.
    @Boxed package var start: MotionAnchor?
    /// Seconds before `delay`, whoever fixes that: what its place in a batch comes to. An update that waits begins when it
    /// is its turn.
    package var lead = 0.0
    package var endDelay: Double?
    package var curve: Curve?
    /// Further cycles after the first; infinity is for ever.
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
    /// Seconds after the last update, end and listener until it is removed.
    package var timeToLive: Double?
    /// What the motion sets off that reaches its end.
    package var then: ActionList?
    /// What it sets off where it is cut off: superseded, cancelled or removed.
    package var otherwise: ActionList?
    /// Progress only.
    package var maximum: Maximum?
    /// Progress only: up to where it was done before the task began here, which says nothing of its pace.
    package var initial: ExactDecimal?
    /// Progress only: what is shown in place of the label while nobody knows the maximum.
    package var indeterminate: String?
    /// Progress only: JSON handed to viewers as it is.
    package var appearance: [UInt8]?
    /// The JSON this was decoded from, kept so that a waiting update can be stored as it came.
    package var source: [UInt8]

    package init(source: [UInt8] = []) {
        self.source = source
    }

    /// Takes what it leaves unsaid from what `PUT` fixed.
    mutating func inherit(from defaults: TrackUpdate) {
        for field in MotionField.allCases { inherit(field, from: defaults) }
        decimals = decimals ?? defaults.decimals
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
        case .milestones: milestones = milestones ?? defaults.milestones
        }
    }

    /// Whether an end of its motion sets anything off.
    package var hasActions: Bool { then != nil || otherwise != nil }

    /// Whether a rendering is as this leaves it: the decimals are given anew with each update, the rest stays where it is left
    /// unsaid.
    func leaves(_ rendering: Rendering) -> Bool {
        if moves, case .ticker(let rendering) = rendering, case .words = rendering.text { return false }
        return label == nil && prefix == nil && suffix == nil && index == nil && !$format && maximum == nil
            && initial == nil && indeterminate == nil && appearance == nil && decimals == rendering.decimals
    }

    /// Whether it says where the number goes, or where it sets out.
    var moves: Bool { goal != nil || from != nil }

    /// Whether its target is where a velocity comes to rest.
    var isDecay: Bool { if case .decay = goal { true } else { false } }

    /// It says how the number is shown and nothing of where it goes or how.
    package var isOfRenderingAlone: Bool {
        guard goal == nil, from == nil, !hasActions, !$start else { return false }
        var motion = TrackUpdate()
        for field in MotionField.allCases { motion.inherit(field, from: self) }
        return motion == TrackUpdate()
    }

    /// Where the number of a track goes whose last update takes, or will take, it to `present`.
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
        // Where it comes to rest is known when it sets out.
        case .decay, nil: return present
        }
    }

    /// Whether it is for a target that the present one is beyond already.
    func isBeaten(by present: ExactDecimal) -> Bool {
        switch goal {
        case .max(let value): value < present
        case .min(let value): value > present
        default: false
        }
    }

    /// The greatest sequence number: above it not every whole number is a JSON number to everybody.
    package static let maximumSequence = 9_007_199_254_740_991

    /// A progress' maximum.
    package enum Maximum: Hashable, Sendable {
        /// Above 0.
        case value(ExactDecimal)
        case indeterminate
    }
}

/// A spring as the contract's four forms give it.
package enum SpringSpecification: Hashable, Sendable {
    /// Its duration is the update's: the settling time to 0.001 of the distance.
    case settling(dampingRatio: Double, initialVelocity: Double)
    /// A spring that needs no duration; velocity 1 is the whole distance in one second.
    case spring(Spring, initialVelocity: Double)
}
