// A motion as one event, for clients that interpolate by themselves: the way from now to its end as sampled points.

package import Board
import Conversions
import Labels
package import Tween

/// Writes `motion` events.
package enum MotionEncoder {
    /// The greatest distance between the points' polyline and the motion, as a share of its distance.
    package static let tolerance = 2e-4
    /// The most points of one event.
    static let maximumPoints = 512

    /// The event's payload: what a frame holds, and the motion with its curve as a CSS `linear()` over its duration.
    package static func payload(of track: borrowing Track, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("\(track.name.kind)", track.name.id)
            TrackEncoder.appendReading(track.reading(at: now), to: &$0)
            $0.member("target", raw: track.target.description.utf8)
            guard let run = track.run else { return }
            $0.member("animation", String(run.animation))
            $0.member("motion") { append(run.motion, at: now, to: &$0) }
        }
        return json.bytes
    }

    private static func append(_ motion: Motion, at now: Instant, to json: inout JSONWriter) {
        // Dates carry milliseconds: the points begin at a whole one.
        let start = Instant(nanoseconds: now.nanoseconds / 1_000_000 * 1_000_000)
        let end = motion.settled ?? start.advanced(bySeconds: horizon)
        let duration = motion.isPaused ? 0 : max(0, end.seconds(since: start))
        let from = motion.value(at: start)
        let distance = motion.value(at: end) - from
        // A motion that ends where it is (there and back) is told in units.
        let scale = distance == 0 ? max(abs(motion.to - motion.from), 1) : distance
        json.member("state", motion.isPaused ? "paused" : "running")
        json.member("from", from)
        json.member("to", from + scale)
        json.member("start", Timestamp.text(start))
        json.member("duration", duration)
        json.member("fraction", 0.0)
        // A motion without an end is told for a while; the service tells on before that has passed.
        if motion.settled == nil, !motion.isPaused { json.member("until", Timestamp.text(end)) }
        json.name("easing")
        let points = samples(of: duration) { (motion.value(at: start.advanced(bySeconds: $0)) - from) / scale }
        json.string(text(points).utf8)
    }

    /// Seconds that a motion without an end is told for.
    package static let horizon = 60.0

    private struct Point {
        /// Share of the duration.
        var input: Double
        var output: Double
    }

    /// Points whose polyline stays within the tolerance, found by halving where it does not.
    private static func samples(of duration: Double, _ value: (Double) -> Double) -> [Point] {
        func point(_ input: Double) -> Point { Point(input: input, output: value(input * duration)) }
        var done = [point(0)]
        // Halves that are still to be looked at, the nearest last. Sixteen to begin with, so that no swing hides between
        // two points that happen to lie alike.
        var waiting = (1...16).reversed().map { point(Double($0) / 16) }
        while let next = waiting.last, let last = done.last {
            let isSplit = done.count + waiting.count < maximumPoints && next.input - last.input > 1e-6
            let quarters = [0.25, 0.5, 0.75].map { point(last.input + (next.input - last.input) * $0) }
            let error =
                quarters.map { quarter in
                    let share = (quarter.input - last.input) / (next.input - last.input)
                    return abs(quarter.output - (last.output + (next.output - last.output) * share))
                }.max() ?? 0
            if isSplit, error > tolerance {
                waiting.append(quarters[1])
            } else {
                done.append(next)
                waiting.removeLast()
            }
        }
        return done
    }

    private static func text(_ points: [Point]) -> String {
        let stops = points.map { "\(rounded($0.output, 1e7)) \(rounded($0.input * 100, 1e6))%" }
        return "linear(" + stops.joined(separator: ", ") + ")"
    }

    /// Enough digits for the tolerance, and no exponent that a stylesheet could not read.
    private static func rounded(_ value: Double, _ scale: Double) -> String {
        var bytes: [UInt8] = []
        let scaled = (value * scale).rounded() / scale
        if abs(scaled) < 1e-4 {
            // Doubles below that print with an exponent.
            let units = Int64(saturating: (scaled * scale).rounded())
            let digits = String(units.magnitude)
            let places = scale == 1e7 ? 7 : 6
            let zeros = String(repeating: "0", count: max(0, places - digits.count))
            return units == 0 ? "0" : (units < 0 ? "-0." : "0.") + zeros + digits
        }
        NumberText.append(scaled, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
