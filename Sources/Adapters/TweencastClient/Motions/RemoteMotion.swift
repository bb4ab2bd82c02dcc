// Motions of `mode=motion`, computed here: what they show at any time, without frames. docs/motions.md has the rules.

import FoundationEssentials
import Tween

/// A motion of a number on a server, as a function of time.
///
///     for try await item in client.items(of: [Topic(.ticker, "revenue")], motions) {
///         if case .event(let event) = item, let motion = RemoteMotion(event) { print(motion.value(at: 0.5)) }
///     }
///
/// Such events come on streams whose options have `sendsMotions`. Times are seconds since `start`, by the server's clock.
public struct RemoteMotion: Sendable {
    /// The instant from which times count, an RFC 3339 date.
    public let start: String
    /// Own seconds at the start.
    private let elapsed: Double
    private let motion: Motion
    private let maximum: Maximum
    private let range: ClosedRange<Double>
    /// The bounds of its end.
    private let clamp: ClosedRange<Double>
    /// Own seconds after the delay from which it stays at its target.
    private let arrival: Double

    private enum Maximum: Sendable {
        case none
        case constant(Double)
        /// - Parameter caps: The share of the maximum that a moving value stays below; nil if it isn't bound.
        case moving(Motion, caps: Double?)
    }

    /// - Returns: nil for another event, or one that isn't understood.
    public init?(_ event: StreamEvent) {
        struct Line: Decodable { let data: Contents }
        struct Contents: Decodable { let motion: MotionContents }
        guard event.name == "motion",
            let line = try? JSONDecoder().decode(Line.self, from: Data(event.json.utf8))
        else { return nil }
        self.init(line.data.motion)
    }

    /// - Parameter json: The `motion` of such an event.
    package init?(json: [UInt8]) {
        guard let contents = try? JSONDecoder().decode(MotionContents.self, from: Data(json)) else { return nil }
        self.init(contents)
    }

    private init?(_ contents: MotionContents) {
        let rate = contents.rate ?? 1
        start = contents.start
        elapsed = contents.elapsed ?? 0
        let playback = Playback(
            start: Instant(nanoseconds: 0), offset: elapsed, hold: contents.state == "paused" ? elapsed : nil,
            rate: rate)
        guard let motion = contents.course.motion(playback) else { return nil }
        self.motion = motion
        switch contents.maximum {
        case nil: maximum = .none
        case .constant(let number): maximum = .constant(number)
        case .moving(let course, let caps):
            guard let change = course.motion(playback) else { return nil }
            // A motion that starts at the maximum may show it; any other stays just below until it ends.
            let share = motion.from == change.from ? 1 : 1.0.nextDown
            maximum = .moving(change, caps: caps ? share : nil)
        }
        guard let range = Self.bounds(contents.range), let clamp = Self.bounds(contents.clamp) else { return nil }
        (self.range, self.clamp) = (range, clamp)
        arrival = contents.arrival ?? .infinity
    }

    private static func bounds(_ bounds: [Double?]?) -> ClosedRange<Double>? {
        let bounds = bounds ?? [nil, nil]
        guard bounds.count == 2 else { return nil }
        let (low, high) = (bounds[0] ?? -Double.greatestFiniteMagnitude, bounds[1] ?? .greatestFiniteMagnitude)
        return low <= high ? low...high : nil
    }

    /// Whether it is paused: its value stays as it is.
    public var isPaused: Bool { motion.isPaused }

    /// Returns the number that it shows.
    /// - Parameter seconds: Since the start.
    public func value(at seconds: Double) -> Double {
        let time = ownTime(seconds)
        if isSettled(time) { return min(max(motion.destination, clamp.lowerBound), clamp.upperBound) }
        let hasArrived = time - motion.delay >= arrival
        let value = hasArrived ? motion.to : motion.value(atOwnTime: time)
        let held = min(max(value, range.lowerBound), range.upperBound)
        guard case .moving(let change, let share?) = maximum else { return held }
        return min(held, share * shown(change, at: time))
    }

    /// Returns the maximum of a progress; nil for a ticker, and while it is unknown.
    /// - Parameter seconds: Since the start.
    public func maximum(at seconds: Double) -> Double? {
        switch maximum {
        case .none: nil
        case .constant(let number): number
        case .moving(let change, _):
            isSettled(ownTime(seconds)) ? change.to : shown(change, at: ownTime(seconds))
        }
    }

    /// Returns whether nothing changes any more.
    /// - Parameter seconds: Since the start.
    public func hasEnded(at seconds: Double) -> Bool { isSettled(ownTime(seconds)) }

    private func ownTime(_ seconds: Double) -> Double {
        isPaused ? elapsed : elapsed + seconds * motion.playback.rate
    }

    private func isSettled(_ time: Double) -> Bool {
        guard motion.isSettled(atOwnTime: time) else { return false }
        guard case .moving(let change, _) = maximum else { return true }
        return change.isSettled(atOwnTime: time)
    }

    private func shown(_ change: Motion, at time: Double) -> Double {
        min(max(change.value(atOwnTime: time), min(change.from, change.to)), max(change.from, change.to))
    }
}
