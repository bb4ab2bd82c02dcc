// The farewells of a server that drains: spread over the time it has, so that the servers that take its clients over
// don't get all of them at once.

import Conversions
import EventStream
import Primitives
import Tween

/// Streams that are to be ended, and when.
struct Farewells {
    /// The share of the drain's time that they are spread over; the rest is for those that are slow to take theirs.
    private static let share = 0.8
    /// Seconds between two portions.
    private static let interval = 0.05
    /// Fewer streams than these in a portion are not worth a wait.
    private static let leastPortion = 20

    private var waiting: ArraySlice<StreamID> = []
    private var portion = 0
    private(set) var nextDue: Instant?

    init() {}

    /// - Parameter seconds: The drain's time.
    init(_ streams: [StreamID], within seconds: Double, from now: Instant) {
        waiting = streams[...]
        let portions = max(1, seconds * Self.share / Self.interval)
        portion = max(Self.leastPortion, Int(saturating: (Double(streams.count) / portions).rounded(.up)))
        nextDue = streams.isEmpty ? nil : now
    }

    /// The streams whose turn it is.
    mutating func take(at now: Instant) -> ArraySlice<StreamID> {
        guard let due = nextDue, due <= now else { return [] }
        let turn = waiting.prefix(portion)
        waiting = waiting.dropFirst(portion)
        nextDue = waiting.isEmpty ? nil : now.advanced(bySeconds: Self.interval)
        return turn
    }
}
