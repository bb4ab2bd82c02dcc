// Ends the streams of a draining server, spread over the available time, so that the servers that take over its clients
// don't get all of them at once.

import Base
import Board
import EventStream
import Tween

/// Streams to end, and when.
final class DrainSchedule: Timed {
    /// The share of the drain's time over which the ends are spread; the rest is for clients that are slow to read theirs.
    private static let share = 0.8
    /// Seconds between two portions.
    private static let interval = 0.05
    /// The minimum portion: fewer streams are not worth a wait.
    private static let leastPortion = 20

    private var waiting: ArraySlice<StreamID> = []
    private var portion = 0
    private(set) var nextDue: Instant?
    /// When the last stream is ended.
    private var end: Instant?

    /// Begins to end streams.
    /// - Parameters:
    ///   - streams: The streams in the order of their ends.
    ///   - seconds: The drain's time.
    func begin(_ streams: [StreamID], within seconds: Double, from now: Instant) {
        waiting = streams[...]
        let portions = max(1, seconds * Self.share / Self.interval)
        portion = max(Self.leastPortion, Int(saturating: (Double(streams.count) / portions).rounded(.up)))
        nextDue = streams.isEmpty ? nil : now
        end = now.advanced(bySeconds: Double(max(0, streams.count - 1) / portion) * Self.interval)
    }

    /// Returns the milliseconds until the last stream is ended; a client that reconnects sooner gets `bye`
    /// again.
    func rest(at now: Instant) -> Int { end.map { max(0, Int(saturating: $0.seconds(since: now) * 1_000)) } ?? 0 }

    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        nextDue = nextDue?.advanced(byNanoseconds: nanoseconds)
        end = end?.advanced(byNanoseconds: nanoseconds)
    }

    /// Takes the streams that are due.
    func dequeue(at now: Instant) -> ArraySlice<StreamID> {
        guard let due = nextDue, due <= now else { return [] }
        // While something moves, the loop only wakes for ticks, which may be rarer than portions.
        let portions = 1 + Int(saturating: now.seconds(since: due) / Self.interval)
        let turn = waiting.prefix(portions.multipliedSaturated(by: portion))
        waiting = waiting.dropFirst(turn.count)
        nextDue = waiting.isEmpty ? nil : due.advanced(bySeconds: Double(portions) * Self.interval)
        return turn
    }
}
