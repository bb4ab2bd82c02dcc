// A motion as one event, for clients that interpolate themselves: its closed form, including what the engine computed for
// it, and how its values are written.

package import Board
import Labels
package import Tween

/// Encodes `motion` events.
package enum MotionEncoder {
    /// Returns the event's payload: a frame's members, the motion as a function of time, and how its values become text.
    package static func payload(of track: borrowing Track, at now: Instant) -> [UInt8] {
        let track = copy track
        var json = JSONWriter(capacity: usualBytes)
        json.object {
            $0.member("\(track.name.kind)", track.name.id)
            TrackEncoder.appendReading(track.reading(at: now), to: &$0)
            $0.member("target", track.target)
            guard let run = track.run else { return }
            $0.member("animation", quoted: run.animation)
            $0.member("motion") { append(run, of: track, at: now, to: &$0) }
            TextWriting.append(run, of: track, at: now, to: &$0)
        }
        return json.bytes
    }

    /// The size that is enough for nearly all events.
    private static let usualBytes = 640

    private static func append(_ run: Run, of track: Track, at now: Instant, to json: inout JSONWriter) {
        let (motion, playback) = (run.motion, run.motion.playback)
        json.member("state", motion.isPaused ? "paused" : "running")
        json.member("from", motion.from)
        json.member("to", motion.to)
        // Dates are cut to milliseconds, so `elapsed` is the own time at that earlier instant: the rest, times the rate, is
        // subtracted.
        let start = Instant(nanoseconds: playback.start.nanoseconds / 1_000_000 * 1_000_000)
        json.member("start", date: start)
        let elapsed = playback.hold ?? playback.offset - playback.start.seconds(since: start) * playback.rate
        json.member("elapsed", elapsed, unless: 0)
        json.member("rate", playback.rate, unless: 1)
        append(motion.course, of: motion, to: &json)
        append(motion.course.cycles, to: &json)
        append(motion.velocityMatch, of: motion.course, to: &json)
        if let keyframes = motion.keyframes { keyframes.append(to: &json) }
        appendRange(of: motion, track, at: now, to: &json)
        if motion.arrival.isFinite { json.member("arrival", motion.arrival) }
        appendMaximum(of: run, track, at: now, to: &json)
    }

    private static func append(_ course: Motion.Course, of motion: Motion, to json: inout JSONWriter) {
        json.member("duration", motion.cycleDuration)
        json.member("delay", motion.delay, unless: 0)
        json.member("endDelay", course.endDelay, unless: 0)
        switch course {
        case .timed(let timing):
            if motion.keyframes == nil { json.member("easing", timing.easing.description) }
        case .spring(let spring, _, _, _, _):
            json.member("spring") {
                $0.member("dampingRatio", spring.dampingRatio)
                $0.member("response", spring.response)
            }
            // For an easing, `launch` includes it.
            json.member("velocity", motion.handover, unless: 0)
        }
    }

    private static func append(_ cycles: Cycles, to json: inout JSONWriter) {
        if cycles.iterations.isInfinite {
            json.member("iterations", "forever")
        } else {
            json.member("iterations", cycles.iterations, unless: 1)
        }
        if cycles.direction != .normal { json.member("direction", cycles.direction.rawValue) }
        json.member("repeatDelay", cycles.repeatDelay, unless: 0)
    }

    /// Appends how the first cycle takes over the velocity.
    private static func append(_ velocityMatch: VelocityMatch, of course: Motion.Course, to json: inout JSONWriter) {
        guard velocityMatch.form != .none else { return }
        json.member("launch") { json in
            if case .timed(let timing) = course, velocityMatch.base != .easing {
                json.member("easing", velocityMatch.base(timing.easing).description)
            }
            switch velocityMatch.form {
            case .none: break
            case .chase(let excess): json.member("chase", excess)
            case .ramp(let share): json.member("ramp", share)
            case .swerve(let speed, let span): json.member("swerve", [speed, span])
            case .turn(let speed, let span): json.member("turn", [speed, span])
            }
        }
    }

    /// Appends the bounds of the motion's values, if any: those of `clamp`, and those of a progress, which shows nothing as
    /// done too early.
    private static func appendRange(of motion: Motion, _ track: Track, at now: Instant, to json: inout JSONWriter) {
        var (lower, upper) = (motion.range.lowerBound, motion.range.upperBound)
        if let maximum = track.maximum(at: now) {
            let bounds = track.progressBounds(of: maximum)
            lower = max(lower, bounds.lower)
            // If the maximum moves, this bound moves, too.
            if track.run?.maximum == nil { upper = min(upper, bounds.upper) }
        }
        append(lower, upper, as: "range", to: &json)
        // A progress may end beyond its own bounds. Only in the midst of a cycle could the end be beyond those of `clamp`.
        let iterations = motion.course.cycles.iterations
        if motion.overshoot != .allow, iterations.isFinite, iterations != iterations.rounded() {
            append(motion.range.lowerBound, motion.range.upperBound, as: "clamp", to: &json)
        }
    }

    private static func append(_ lower: Double, _ upper: Double, as name: String, to json: inout JSONWriter) {
        guard lower > -.greatestFiniteMagnitude || upper < .greatestFiniteMagnitude else { return }
        // JSON has null for a missing bound.
        json.member(
            name,
            [
                lower > -.greatestFiniteMagnitude ? lower : -.infinity,
                upper < .greatestFiniteMagnitude ? upper : .infinity,
            ])
    }

    /// Appends a progress' maximum: a number, or its motion by the same clock.
    private static func appendMaximum(of run: Run, _ track: Track, at now: Instant, to json: inout JSONWriter) {
        guard case .progress(let rendering) = track.rendering, case .value(let maximum) = rendering.maximum else {
            return
        }
        guard let change = run.maximum?.motion else { return json.member("maximum", maximum) }
        json.member("maximum") {
            $0.member("from", change.from)
            $0.member("to", change.to)
            append(change.course, of: change, to: &$0)
            let isHeld = track.progressBounds(of: change.value(at: now)).upper < .greatestFiniteMagnitude
            if isHeld { $0.member("caps", true) }
        }
    }
}

extension JSONWriter {
    /// Appends a number, unless it is the default.
    fileprivate mutating func member(_ name: String, _ value: Double, unless usual: Double) {
        if value != usual { member(name, value) }
    }

    /// Appends numbers; infinite ones are null.
    fileprivate mutating func member(_ name: String, _ numbers: [Double]) {
        list(name) { for number in numbers { $0.number(number) } }
    }
}
