// When the clocks of a time zone change, as a table made once: looking at it takes no lock and no locale data.

import Base
import Tween

/// A zone's offsets from UTC over all instants that 64 bits of nanoseconds hold.
struct ZoneOffsets: Hashable, Sendable {
    /// A time without a change.
    struct Period: Hashable, Sendable {
        /// Its first second since 1970-01-01T00:00:00Z.
        var start: Int
        /// Seconds east of UTC.
        var offset: Int
    }

    /// In order; the first one starts before everything.
    let periods: [Period]

    static let utc = ZoneOffsets(first: 0, changes: [])

    /// - Parameters:
    ///   - first: The offset before the first change.
    ///   - changes: In the order of their starts; those that change nothing are left out.
    init(first: Int, changes: [Period]) {
        var periods = [Period(start: .min, offset: first)]
        for change in changes where change.offset != periods.last?.offset { periods.append(change) }
        self.periods = periods
    }

    /// The index of the period that holds a second.
    func index(at second: Int) -> Int {
        var (low, high) = (0, periods.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if periods[middle].start <= second { low = middle } else { high = middle }
        }
        return low
    }

    /// The second after a period's last.
    func end(of index: Int) -> Int { index + 1 < periods.count ? periods[index + 1].start : .max }

    /// Wall time at a second: seconds since 1970-01-01T00:00:00 on a clock in the zone.
    func wall(at second: Int) -> Int { second + periods[index(at: second)].offset }

    /// Seconds east of UTC at an instant.
    func offset(at instant: Instant) -> Int {
        periods[index(at: Int(instant.nanoseconds).dividedDown(by: 1_000_000_000))].offset
    }

    /// The second at which clocks in the zone show a wall time. Of two the first; where the clocks skipped it, the second
    /// at which they would have shown it: later by the gap on the clocks after the change.
    func second(atWall wall: Int) -> Int {
        // No place is further than a day from UTC, and no change is greater.
        var index = index(at: wall - 2 * 86_400)
        while index + 1 < periods.count, wall >= periods[index + 1].start + periods[index].offset { index += 1 }
        let isSkipped = index > 0 && wall < periods[index].start + periods[index].offset
        return wall - periods[isSkipped ? index - 1 : index].offset
    }
}
