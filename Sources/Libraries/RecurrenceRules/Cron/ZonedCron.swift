// A cron expression in a time zone: finds instants correctly across changes of the zone's offset.
//
// An expression that says when (`30 2 * * *`): a time skipped by the clocks fires later by the gap; a time shown twice fires
// the first time. An expression that fires in every hour (`*/15 * * * *`) says how often: it follows the clocks, so its pace
// in elapsed time is kept. Unlike in Vixie cron and cronsim, the meaning decides and not a `*`: `*/30 2 * * *` and `0,30 2 *
// * *` are equal.

import Base
import Tween

/// Finds the instants of a cron expression.
struct ZonedCron: Sendable {
    let expression: CronExpression
    let zone: ZoneOffsets

    /// Returns the first instant strictly after another; nil if no `Instant` can hold it.
    func next(after instant: Instant) -> Instant? {
        var second = Int(instant.nanoseconds).dividedDown(by: 1_000_000_000) + 1
        var index = zone.index(at: second)
        var isFirst = true
        while true {
            let (candidate, limit) = candidate(in: index, from: second)
            if let candidate, candidate < limit { return Instant(second: candidate) }
            guard let candidate, index + 1 < zone.periods.count else { return nil }
            // There is no match between the end of this period and the candidate. The period after the first may repeat
            // clock times from before `second`.
            index = isFirst ? index + 1 : max(index + 1, zone.index(at: candidate - 2 * 86_400))
            second = zone.periods[index].start
            isFirst = false
        }
    }

    /// Returns the first match of a period at or after a second, as if the offset never changed again.
    /// - Returns: The match and the period's end. A match beyond the end doesn't count.
    private func candidate(in index: Int, from second: Int) -> (match: Int?, limit: Int) {
        let period = zone.periods[index]
        let limit = zone.end(of: index)
        let change = index == 0 ? 0 : period.offset - zone.periods[index - 1].offset
        if expression.saysHowOften || change == 0 { return (match(from: second, offset: period.offset), limit) }
        if change < 0 {
            // The clocks went back; the repeated times matched before.
            return (match(from: max(second, period.start - change), offset: period.offset), limit)
        }
        let shown = match(from: second, offset: period.offset)
        guard second < period.start + change,
            let skipped = match(from: second, offset: period.offset - change), skipped < period.start + change
        else { return (shown, limit) }
        return (min(shown ?? skipped, skipped), limit)
    }

    private func match(from second: Int, offset: Int) -> Int? {
        let minute = (second + offset + 59).dividedDown(by: 60)
        return expression.first(from: minute).map { $0 * 60 - offset }
    }
}

extension Instant {
    /// - Parameter second: Since 1970-01-01T00:00:00Z.
    /// - Returns: nil if an instant can't hold it.
    init?(second: Int, nanoseconds: Int = 0) {
        let (product, overflow) = second.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(nanoseconds)
        guard !overflow, !overflows else { return nil }
        self.init(nanoseconds: Int64(sum))
    }
}
