// A progress' maximum on its way: with the value it makes what is shown, so it goes by the clock of the value's motion.

package import Tween

/// A maximum that goes over to a new one while its run goes on. A class, since few runs have one.
package final class MaximumChange: Hashable, Sendable {
    /// Never past either end, and with the playback of the run's motion.
    package let motion: Motion

    package init(_ motion: Motion) { self.motion = motion }

    /// - Parameters:
    ///   - course: One way, in the own time of the run's motion.
    ///   - playback: That of the run's motion.
    convenience init(from: Double, to: Double, course: Motion.Course, playback: Playback) {
        self.init(Motion(from: from, to: to, course: course, handover: 0, overshoot: .clamp, playback: playback))
    }

    /// The same change by another clock.
    func following(_ playback: Playback) -> MaximumChange {
        MaximumChange(from: motion.from, to: motion.to, course: motion.course, playback: playback)
    }

    package static func == (left: MaximumChange, right: MaximumChange) -> Bool { left.motion == right.motion }

    package func hash(into hasher: inout Hasher) { hasher.combine(motion) }
}

extension Run {
    /// From when on all that it shows is what its end shows; nil when that never comes.
    package var settled: Instant? {
        guard let own = motion.settled, let maximum else { return motion.settled }
        return maximum.motion.settled.map { max(own, $0) }
    }

    /// Seconds of own time that are left of the first way there; 0 when that is over.
    func remaining(at now: Instant) -> Double {
        let elapsed = motion.elapsed(at: now)
        guard motion.endTime.isFinite else { return motion.cycleDuration }
        return max(0, motion.endTime - request.endDelay - elapsed)
    }

    /// Seconds that its movement takes, delays not included.
    var span: Double { motion.endTime - motion.delay - request.endDelay }

    /// The same run with its motion's own time running otherwise, and its maximum's with it.
    func playing(_ change: (inout Motion) -> Void) -> Run {
        var motion = motion
        change(&motion)
        return with(motion: motion, maximum: maximum?.following(motion.playback))
    }

    /// The same run with another maximum.
    func with(maximum: MaximumChange?) -> Run { with(motion: motion, maximum: maximum) }
}

extension MotionRequest {
    /// The course of a maximum that changes with this update: one way, however often the value goes back and forth.
    /// - Throws: `CommandError.invalid` naming `spring` where it never settles.
    func maximumCourse(duration: Double, distance: Double) throws(CommandError) -> Motion.Course {
        switch try course(duration: duration, halfUnit: distance.magnitude / 2_000) {
        case .timed(let timing):
            return .timed(Timing(duration: timing.duration, delay: timing.delay, easing: timing.easing))
        case .spring(let spring, let delay, _, _, let threshold):
            return .spring(spring, delay: delay, endDelay: 0, threshold: threshold)
        }
    }
}
