// The earlier targets of a number: enough to draw a chart, thinned as they age.

package import Tween

/// The targets that a track had before its current one.
package struct TargetHistory: Hashable, Sendable {
    /// A target, and when it was set.
    package struct Point: Hashable, Sendable {
        /// Milliseconds of the Unix epoch: an integer that every JSON reader reads exactly.
        package let milliseconds: Int64
        package let value: Double

        package init(milliseconds: Int64, value: Double) {
            self.milliseconds = milliseconds
            self.value = value
        }
    }

    /// The number of targets that are kept in addition to the current one.
    package static let limit = 31
    /// A target is kept if it lasted this long or was set this long after the one before, in milliseconds. Faster feeds keep
    /// one target a second.
    private static let interval: Int64 = 1_000

    /// The earlier targets, oldest first.
    package private(set) var past: [Point]
    /// When the current target was set, in milliseconds of the Unix epoch.
    package private(set) var since: Int64

    /// - Parameter since: When the first target was set.
    package init(since: Instant) {
        past = []
        self.since = since.milliseconds
    }

    /// Restores a stored history.
    package init(past: [Point], since: Int64) {
        self.past = Array(past.suffix(Self.limit))
        self.since = since
    }

    /// Records that a target has been replaced.
    mutating func end(_ value: Double, at now: Instant) {
        let milliseconds = now.milliseconds
        let stood = milliseconds &- since >= Self.interval
        if stood || past.last.map({ since &- $0.milliseconds >= Self.interval }) ?? true {
            if past.count >= Self.limit { thin(at: milliseconds) }
            past.append(Point(milliseconds: since, value: value))
        }
        since = milliseconds
    }

    /// Removes the point that is missed least: the one whose neighbours are closest together relative to its age. So points
    /// an hour old are about a minute apart when points a minute old are a second apart. The first stays.
    private mutating func thin(at now: Int64) {
        var (place, least) = (1, Double.infinity)
        for index in past.indices.dropFirst() {
            let next = index + 1 < past.count ? past[index + 1].milliseconds : since
            let gap = Double(next &- past[index - 1].milliseconds)
            let share = gap / Double(max(1, now &- past[index].milliseconds))
            if share < least { (place, least) = (index, share) }
        }
        past.remove(at: place)
    }

    /// Shifts the history when the clock was set; see `Engine.shiftTimeline`.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        let milliseconds = nanoseconds / 1_000_000
        since &+= milliseconds
        past = past.map { Point(milliseconds: $0.milliseconds &+ milliseconds, value: $0.value) }
    }
}

extension Instant {
    /// Whole milliseconds of the Unix epoch.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
