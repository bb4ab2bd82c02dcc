// A time zone's offsets as a precomputed table. Look-ups need no lock and no locale data.

import Base
import Tween

/// A zone's offsets from UTC over all instants that 64 bits of nanoseconds hold.
struct ZoneOffsets: Hashable, Sendable {
    /// A period without a change.
    struct Period: Hashable, Sendable {
        /// Its first second since 1970-01-01T00:00:00Z.
        var start: Int
        /// Seconds east of UTC.
        var offset: Int
    }

    /// In order; the first one has no beginning.
    let periods: [Period]

    static let utc = ZoneOffsets(first: 0, changes: [])

    /// - Parameters:
    ///   - first: The offset before the first change.
    ///   - changes: In order of their starts; those that change nothing are dropped.
    init(first: Int, changes: [Period]) {
        var periods = [Period(start: .min, offset: first)]
        for change in changes where change.offset != periods.last?.offset { periods.append(change) }
        self.periods = periods
    }

    /// Returns the index of the period that contains a second.
    func index(at second: Int) -> Int {
        var (low, high) = (0, periods.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if periods[middle].start <= second { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the second after a period's last.
    func end(of index: Int) -> Int { index + 1 < periods.count ? periods[index + 1].start : .max }

    /// Returns the wall time at a second: seconds since 1970-01-01T00:00:00 on a clock in the zone.
    func wall(at second: Int) -> Int { second + periods[index(at: second)].offset }

    /// Returns the seconds east of UTC at an instant.
    func offset(at instant: Instant) -> Int {
        periods[index(at: Int(instant.nanoseconds).dividedDown(by: 1_000_000_000))].offset
    }

    /// Returns the second at which clocks in the zone show a wall time. Of two, the first. A skipped time is computed with
    /// the offset before the change: the clocks then show it later by the gap.
    func second(atWall wall: Int) -> Int {
        // No zone is more than a day from UTC, and no change is larger.
        var index = index(at: wall - 2 * 86_400)
        while index + 1 < periods.count, wall >= periods[index + 1].start + periods[index].offset { index += 1 }
        let isSkipped = index > 0 && wall < periods[index].start + periods[index].offset
        return wall - periods[isSkipped ? index - 1 : index].offset
    }
}
