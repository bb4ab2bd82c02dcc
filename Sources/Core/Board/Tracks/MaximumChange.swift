// A progress' maximum that moves to a new value. It follows the clock of the value's motion, because both make one picture.

package import Tween

/// A maximum that moves to a new value while its run lasts. A class, since few runs have one.
package final class MaximumChange: Hashable, Sendable {
    /// Has the playback of the run's motion, and never overshoots either end.
    package let motion: Motion

    package init(_ motion: Motion) { self.motion = motion }

    /// - Parameters:
    ///   - course: A one-way course, in the local time of the run's motion.
    ///   - playback: The playback of the run's motion.
    convenience init(from: Double, to: Double, course: Motion.Course, playback: Playback) {
        self.init(Motion(from: from, to: to, course: course, handover: 0, overshoot: .clamp, playback: playback))
    }

    /// Returns the same change with another playback.
    func following(_ playback: Playback) -> MaximumChange {
        MaximumChange(from: motion.from, to: motion.to, course: motion.course, playback: playback)
    }

    package static func == (left: MaximumChange, right: MaximumChange) -> Bool { left.motion == right.motion }

    package func hash(into hasher: inout Hasher) { hasher.combine(motion) }
}

extension Run {
    /// The instant after which the run only shows its end state; nil when that never comes.
    package var settled: Instant? {
        guard let own = motion.settled, let maximum else { return motion.settled }
        return maximum.motion.settled.map { max(own, $0) }
    }

    /// Seconds of local time left to the end that it runs towards, without the delay there; of an endless motion, those of
    /// a cycle. 0 when it has arrived.
    func remaining(at now: Instant) -> Double {
        let elapsed = motion.elapsed(at: now)
        if motion.playback.rate < 0 { return max(0, elapsed - motion.delay) }
        guard motion.endTime.isFinite else { return motion.cycleDuration }
        return max(0, motion.endTime - motion.course.endDelay - elapsed)
    }

    /// Returns a change of the maximum that lasts until the motion arrives, whichever way it runs.
    func change(ofMaximum shown: Double, to goal: Double, at now: Instant) -> MaximumChange {
        let easing = if case .easing(let easing) = request.curve { easing } else { Easing.cssEaseInOut }
        let isBackwards = motion.playback.rate < 0
        let timing = Timing(
            duration: remaining(at: now), delay: isBackwards ? motion.delay : motion.elapsed(at: now), easing: easing)
        return MaximumChange(
            from: isBackwards ? goal : shown, to: isBackwards ? shown : goal, course: .timed(timing),
            playback: motion.playback)
    }

    /// Seconds that the run moves, without delays.
    var span: Double { motion.endTime - motion.delay - motion.course.endDelay }

    /// Returns the same run with changed playback of its motion, and of its maximum with it.
    func playing(_ change: (inout Motion) -> Void) -> Run {
        var motion = motion
        change(&motion)
        return with(motion: motion, maximum: maximum?.following(motion.playback))
    }

    /// Returns the same run with another maximum.
    func with(maximum: MaximumChange?) -> Run { with(motion: motion, maximum: maximum) }
}

extension MotionRequest {
    /// Returns the course of a maximum that changes with this update: one way, even if the value goes back and forth.
    /// - Throws: `CommandError.invalid` naming `spring` if it never settles.
    func maximumCourse(duration: Double, distance: Double) throws(CommandError) -> Motion.Course {
        switch try course(duration: duration, halfUnit: distance.magnitude / 2_000, over: distance) {
        case .timed(let timing):
            return .timed(Timing(duration: timing.duration, delay: timing.delay, easing: timing.easing))
        case .spring(let spring, let delay, _, _, let threshold):
            return .spring(spring, delay: delay, endDelay: 0, threshold: threshold)
        }
    }
}
