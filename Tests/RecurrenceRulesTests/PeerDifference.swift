// Where cronsim 2.8 and croniter 7.0 mean something else, each as a rule that says what may differ and no more.

import Tween

@testable import RecurrenceRules

/// What one of them does otherwise, on purpose or not.
enum PeerDifference: CaseIterable {
    /// It takes an expression for one that says how often where minute or hour begins with `*`; for us it is one that fires
    /// in every hour.
    case cronsimStar
    /// It takes a time that the clocks skip at the end of the gap; we take it later by the gap.
    case cronsimGap
    /// It steps by whole hours from the full hour or from midnight, and loses its way where a change leaves neither.
    case cronsimHours
    /// Asked between the two showings of a time, it starts again at the first.
    case cronsimRestart
    /// Where the clocks go back at no full hour, it goes back in time with them.
    case cronsimReturn
    /// As `cronsimStar`.
    case croniterStar
    /// As `cronsimGap`, for expressions that say how often, too, where midnight is skipped.
    case croniterGap
    /// It takes a time that the clocks show twice both times; we take the first, as Vixie cron and cronsim do.
    case croniterOverlap
    /// `5/2` as a day of the week ends with Saturday; ours ends with the Sunday that is 7, as cronsim's and Vixie's does.
    case croniterSunday
    /// `5L` may stand with no other day of the week, and narrows the day of the month instead of adding to it.
    case croniterLastWeekday
    /// A list that names every day restricts nothing; for us and cronsim only one that begins with `*` does not.
    case croniterEveryDay

    static let ofCronsim: [PeerDifference] = [
        .cronsimStar, .cronsimGap, .cronsimHours, .cronsimRestart, .cronsimReturn,
    ]
    static let ofCroniter = allCases.filter { !ofCronsim.contains($0) }

    /// Whether all that differs is what this rule lets differ.
    func explains(_ comparison: PeerComparison) -> Bool {
        let isPaced = comparison.isPaced
        switch self {
        case .cronsimStar, .croniterStar:
            return isPaced != comparison.firesHourly
                && comparison.agrees(outside: comparison.gaps + comparison.overlaps)
        case .cronsimGap: return !isPaced && comparison.agrees(outside: comparison.gaps)
        case .cronsimHours: return isPaced && comparison.agrees(outside: comparison.daysOfOddChanges)
        case .cronsimRestart:
            let now = comparison.start..<(comparison.start + 1)
            return !isPaced && comparison.overlaps.contains { $0.overlaps(now) }
                && comparison.own.starts(with: comparison.theirs.filter { $0 > comparison.start })
        case .cronsimReturn: return isPaced && comparison.theirs != comparison.theirs.sorted()
        case .croniterGap: return comparison.agrees(outside: comparison.gaps)
        case .croniterOverlap: return !isPaced && comparison.agrees(outside: comparison.gaps + comparison.overlaps)
        case .croniterSunday:
            return comparison.items(4).contains { item in
                let parts = item.split(separator: "/")
                guard parts.count == 2, let first = Int(parts[0]), let step = Int(parts[1]) else { return false }
                return (7 - first) % step == 0
            }
        case .croniterLastWeekday:
            return comparison.items(4).contains { $0.hasSuffix("L") }
                && (comparison.items(4).count > 1 || !comparison.fields[2].hasPrefix("*"))
        case .croniterEveryDay:
            let dates = try? CronField.dayOfMonth.values(comparison.fields[2])
            let weekdays = try? CronField.dayOfWeek.values(comparison.fields[4])
            return dates?.mask == 0xFFFF_FFFE || weekdays?.mask == 0x7F
        }
    }
}

/// Two lists of instants for one case.
struct PeerComparison {
    let fields: [Substring]
    let start: Int
    let zone: ZoneOffsets
    /// All up to the last one of theirs, at least; none where we refuse the expression.
    private(set) var own: [Int] = []
    let theirs: [Int]

    init(_ peerCase: PeerCase, _ zone: ZoneOffsets, _ theirs: [Int]) {
        fields = peerCase.expression.uppercased().split(separator: " ")
        start = peerCase.start
        self.zone = zone
        self.theirs = theirs
        guard let expression = try? CronExpression(parsing: peerCase.expression) else { return }
        let cron = ZonedCron(expression: expression, zone: zone)
        var instant = Instant(nanoseconds: Int64(start) * 1_000_000_000)
        while own.count < 5 || (own.count < 10_000 && own.last ?? 0 < theirs.last ?? 0),
            let next = cron.next(after: instant)
        {
            own.append(Int(next.nanoseconds / 1_000_000_000))
            instant = next
        }
    }

    /// Minute or hour begins with `*`.
    var isPaced: Bool { fields[0].hasPrefix("*") || fields[1].hasPrefix("*") }

    /// Whether it fires in every hour.
    var firesHourly: Bool { (try? CronField.hour.values(fields[1]))?.mask == 0xFF_FFFF }

    /// No difference at all.
    var agrees: Bool { Array(own.prefix(5)) == theirs }

    func items(_ field: Int) -> [Substring] { fields[field].split(separator: ",") }

    /// Whether nothing differs but within ranges.
    func agrees(outside ranges: [Range<Int>]) -> Bool {
        guard let last = theirs.last else { return false }
        func isOutside(_ instant: Int) -> Bool { !ranges.contains { $0.contains(instant) } }
        return own.filter { $0 <= last && isOutside($0) } == theirs.filter(isOutside)
    }

    private var changes: [(start: Int, before: Int, by: Int)] {
        zip(zone.periods, zone.periods.dropFirst()).map { ($1.start, $0.offset, $1.offset - $0.offset) }
    }

    /// As long after each change as the clocks skipped.
    var gaps: [Range<Int>] { changes.filter { $0.by > 0 }.map { $0.start..<($0.start + $0.by) } }

    /// As long after each change as the clocks went back.
    var overlaps: [Range<Int>] { changes.filter { $0.by < 0 }.map { $0.start..<($0.start - $0.by) } }

    /// The day after each change that is not one of whole hours at a full hour after midnight.
    var daysOfOddChanges: [Range<Int>] {
        changes.filter { change in
            let wall = change.start + change.before
            let midnight = (wall + 86_399) / 86_400 * 86_400
            return wall % 3_600 != 0 || change.by % 3_600 != 0
                || (wall..<max(wall, wall + change.by)).contains(midnight)
        }.map { $0.start..<($0.start + 86_400) }
    }
}
