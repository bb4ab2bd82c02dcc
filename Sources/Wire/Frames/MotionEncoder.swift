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

    /// The event's payload: what a frame holds, the motion with its curve as a CSS `linear()` over its duration, and how a
    /// ticker's number is written.
    package static func payload(of track: borrowing Track, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("\(track.name.kind)", track.name.id)
            TrackEncoder.appendReading(track.reading(at: now), to: &$0)
            $0.member("target", track.target)
            guard let run = track.run else { return }
            $0.member("animation", quoted: run.animation)
            $0.member("motion") { append(run, of: copy track, at: now, to: &$0) }
            if case .ticker(let face) = track.face { NumberWriting.append(face, to: &$0) }
        }
        return json.bytes
    }

    private static func append(_ run: Run, of track: Track, at now: Instant, to json: inout JSONWriter) {
        let motion = run.motion
        // Dates carry milliseconds: the points begin at a whole one.
        let start = Instant(nanoseconds: now.nanoseconds / 1_000_000 * 1_000_000)
        let end = run.settled ?? start.advanced(bySeconds: horizon)
        let duration = motion.isPaused ? 0 : max(0, end.seconds(since: start))
        json.member("state", motion.isPaused ? "paused" : "running")
        // A motion that ends where it is (there and back) is told in units.
        let unit = max(abs(motion.to - motion.from), 1)
        // Along keyframes it may go far, and end nearby.
        let least = motion.keyframes?.extent(from: motion.from) ?? 0
        let way = Way(start: start, duration: duration, unit: max(unit, least), least: least) {
            track.position(at: $0).double
        }
        json.member("from", way.from)
        json.member("to", way.from + way.scale)
        json.member("start", date: start)
        json.member("duration", duration)
        json.member("fraction", 0.0)
        // A motion without an end is told for a while; the service tells on before that has passed.
        if motion.settled == nil, !motion.isPaused { json.member("until", date: end) }
        json.member("easing", raw: text(way.points))
        guard let change = run.maximum?.motion, change.value(at: start) != change.to else { return }
        json.member("maximum") {
            let way = Way(start: start, duration: duration, unit: 1) { change.value(at: $0) }
            $0.member("from", way.from)
            $0.member("to", way.from + way.scale)
            $0.member("easing", raw: text(way.points))
        }
    }

    /// How a number goes, as points of a curve from one value to another.
    private struct Way {
        var from: Double
        /// What an output of 1 stands for.
        var scale: Double
        var points: [Point]

        /// - Parameters:
        ///   - unit: The scale of one that ends where it begins.
        ///   - least: The least scale of all.
        init(start: Instant, duration: Double, unit: Double, least: Double = 0, _ value: (Instant) -> Double) {
            let from = value(start)
            let distance = value(start.advanced(bySeconds: duration)) - from
            let scale = distance == 0 ? unit : distance.magnitude < least ? least : distance
            points = samples(of: duration) { (value(start.advanced(bySeconds: $0)) - from) / scale }
            (self.from, self.scale) = (from, scale)
        }
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
        var last = point(0)
        var done = [last]
        // Halves that are still to be looked at, the nearest last. Sixteen to begin with, so that no swing hides between
        // two points that happen to lie alike.
        var waiting = (1...16).reversed().map { point(Double($0) / 16) }
        while let next = waiting.last {
            let span = next.input - last.input
            if done.count + waiting.count < maximumPoints, span > 1e-6 {
                func middle(_ share: Double) -> (point: Point, error: Double) {
                    let found = point(last.input + span * share)
                    return (found, abs(found.output - (last.output + (next.output - last.output) * share)))
                }
                let half = middle(0.5)
                if max(half.error, middle(0.25).error, middle(0.75).error) > tolerance {
                    waiting.append(half.point)
                    continue
                }
            }
            done.append(next)
            last = next
            waiting.removeLast()
        }
        return done
    }

    /// A JSON string with a CSS `linear()`.
    private static func text(_ points: [Point]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(points.count * 24)
        bytes.append(contentsOf: "\"linear(".utf8)
        for (index, point) in points.enumerated() {
            if index > 0 { bytes.append(contentsOf: ", ".utf8) }
            append(point.output, scale: 10_000_000, to: &bytes)
            bytes.append(UInt8(ascii: " "))
            append(point.input * 100, scale: 1_000_000, to: &bytes)
            bytes.append(UInt8(ascii: "%"))
        }
        bytes.append(contentsOf: ")\"".utf8)
        return bytes
    }

    /// Enough digits for the tolerance, and no exponent that a stylesheet could not read.
    /// - Parameter scale: A power of ten: parts of one that are told.
    private static func append(_ value: Double, scale: UInt64, to bytes: inout [UInt8]) {
        let scaled = (value * Double(scale)).rounded()
        guard abs(scaled) < 1e15 else { return NumberText.append(value, to: &bytes) }
        let units = Int64(saturating: scaled)
        if units < 0 { bytes.append(UInt8(ascii: "-")) }
        var (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: scale)
        NumberText.append(Int64(clamping: whole), to: &bytes)
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        while rest > 0 {
            (whole, rest) = (rest * 10).quotientAndRemainder(dividingBy: scale)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole))
        }
    }
}
