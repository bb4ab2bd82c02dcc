// Where a number was to go before: enough to draw how it came about, thinned as it ages.

package import Tween

/// The targets that a track had before its present one.
package struct TargetHistory: Hashable, Sendable {
    /// A target and since when it was that.
    package struct Point: Hashable, Sendable {
        /// Of the Unix epoch: what is kept is read back as it was, by every reader of JSON.
        package let milliseconds: Int64
        package let value: Double

        package init(milliseconds: Int64, value: Double) {
            self.milliseconds = milliseconds
            self.value = value
        }
    }

    /// The most targets that are kept besides the present one.
    package static let limit = 31
    /// Milliseconds that a target stands, or that have passed since the one before: of a feed that posts more often one a
    /// second is kept.
    private static let interval: Int64 = 1_000

    /// Those before, the eldest first.
    package private(set) var past: [Point]
    /// Since when the present target is that, in milliseconds of the Unix epoch.
    package private(set) var since: Int64

    /// - Parameter since: When the first target was set.
    package init(since: Instant) {
        past = []
        self.since = since.milliseconds
    }

    /// A history as it was kept.
    package init(past: [Point], since: Int64) {
        self.past = Array(past.suffix(Self.limit))
        self.since = since
    }

    /// Takes note that a target is over.
    mutating func end(_ value: Double, at now: Instant) {
        let milliseconds = now.milliseconds
        let stood = milliseconds &- since >= Self.interval
        if stood || past.last.map({ since &- $0.milliseconds >= Self.interval }) ?? true {
            if past.count >= Self.limit { thin(at: milliseconds) }
            past.append(Point(milliseconds: since, value: value))
        }
        since = milliseconds
    }

    /// Makes room where it is missed least: the neighbours of the point that goes are nearest to each other, for its age. So
    /// what is an hour old is kept by the minute when what is a minute old is kept by the second. The first stays.
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

    /// The history by a clock that was set; see `Engine.shiftTimeline`.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        let milliseconds = nanoseconds / 1_000_000
        since &+= milliseconds
        past = past.map { Point(milliseconds: $0.milliseconds &+ milliseconds, value: $0.value) }
    }
}

extension Instant {
    /// Whole milliseconds of the Unix epoch.
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
