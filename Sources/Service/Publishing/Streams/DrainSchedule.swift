// The farewells of a server that drains: spread over the time it has, so that the servers that take its clients over
// don't get all of them at once.

import Base
import Board
import EventStream
import Tween

/// Streams that are to be ended, and when.
final class DrainSchedule: Timed {
    /// The share of the drain's time that they are spread over; the rest is for those that are slow to take theirs.
    private static let share = 0.8
    /// Seconds between two portions.
    private static let interval = 0.05
    /// Fewer streams than these in a portion are not worth a wait.
    private static let leastPortion = 20

    private var waiting: ArraySlice<StreamID> = []
    private var portion = 0
    private(set) var nextDue: Instant?
    /// When the last of them is told.
    private var end: Instant?

    /// Begins to say farewell.
    /// - Parameters:
    ///   - streams: In the order in which they go.
    ///   - seconds: The drain's time.
    func begin(_ streams: [StreamID], within seconds: Double, from now: Instant) {
        waiting = streams[...]
        let portions = max(1, seconds * Self.share / Self.interval)
        portion = max(Self.leastPortion, Int(saturating: (Double(streams.count) / portions).rounded(.up)))
        nextDue = streams.isEmpty ? nil : now
        end = now.advanced(bySeconds: Double(max(0, streams.count - 1) / portion) * Self.interval)
    }

    /// Milliseconds until the last is told; whoever comes back before then is told the same again.
    func rest(at now: Instant) -> Int { end.map { max(0, Int(saturating: $0.seconds(since: now) * 1_000)) } ?? 0 }

    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        nextDue = nextDue?.advanced(byNanoseconds: nanoseconds)
        end = end?.advanced(byNanoseconds: nanoseconds)
    }

    /// The streams whose turn it is.
    func take(at now: Instant) -> ArraySlice<StreamID> {
        guard let due = nextDue, due <= now else { return [] }
        let turn = waiting.prefix(portion)
        waiting = waiting.dropFirst(portion)
        nextDue = waiting.isEmpty ? nil : now.advanced(bySeconds: Self.interval)
        return turn
    }
}
