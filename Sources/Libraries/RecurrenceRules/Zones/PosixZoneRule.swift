// POSIX rules such as `CET-1CEST,M3.5.0,M10.5.0/3`, found in the footers of zone files (RFC 9636, section 3.3.1). The hours
// of a change may reach days before or after its date.

import Base

/// The rule that applies forever from some time on.
struct PosixZoneRule: Sendable {
    /// Seconds east of UTC outside daylight saving time.
    private let standard: Int
    /// The other offset, and the yearly dates between which it applies.
    private var daylight: (offset: Int, start: Change, end: Change)?

    /// A date in every year, and seconds of that day on the clocks before the change.
    private struct Change: Sendable {
        enum Date: Sendable {
            /// `J60` is the first of March in every year: 29 February isn't counted.
            case julian(Int)
            /// From 0; 29 February is counted.
            case day(Int)
            /// Week 5 is the last such weekday.
            case week(month: Int, week: Int, weekday: Int)
        }

        var date: Date
        var second: Int

        func wall(in year: Int) -> Int {
            let first = CivilDate(year: year, month: 1, day: 1).dayNumber
            switch date {
            case .julian(let day):
                let isLeap = CivilDate.length(ofMonth: 2, year: year) == 29
                return (first + day - (isLeap && day >= 60 ? 0 : 1)) * 86_400 + second
            case .day(let day): return (first + day) * 86_400 + second
            case .week(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1).dayNumber
                let length = CivilDate.length(ofMonth: month, year: year)
                var day = (weekday - CivilDate.weekday(ofDay: first) + 7) % 7 + (week - 1) * 7
                if day >= length { day -= 7 }
                return (first + day) * 86_400 + second
            }
        }
    }

    /// Returns the offset at the end of the year before this one.
    func offset(before year: Int) -> Int { changes((year - 1)...(year - 1)).last?.offset ?? standard }

    /// Returns all changes of some years, in order. If one year's end coincides with the next one's start, nothing changes
    /// then.
    func changes(_ years: ClosedRange<Int>) -> [ZoneOffsets.Period] {
        guard let daylight else { return [] }
        var changes: [ZoneOffsets.Period] = []
        for year in years {
            let start = ZoneOffsets.Period(
                start: daylight.start.wall(in: year) - standard, offset: daylight.offset)
            let end = ZoneOffsets.Period(
                start: daylight.end.wall(in: year) - daylight.offset, offset: standard)
            changes += [end, start]
        }
        // With all-year daylight saving time, each end coincides with the next start, which wins.
        let sorted = changes.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        var kept: [ZoneOffsets.Period] = []
        for (_, change) in sorted {
            if kept.last?.start == change.start { kept.removeLast() }
            kept.append(change)
        }
        return kept
    }
}

// MARK: - Reading

extension PosixZoneRule {
    /// Parses a rule; nil for anything else. Two names without dates are rejected: their dates differed between systems.
    init?(_ text: some Collection<UInt8>) {
        var rest = Array(text)[...]
        guard Self.parseName(&rest), let west = Self.parseTime(&rest, hours: 24) else { return nil }
        standard = -west
        guard !rest.isEmpty else { return }
        guard Self.parseName(&rest) else { return nil }
        var offset = standard + 3_600
        if rest.first != UInt8(ascii: ",") {
            guard let west = Self.parseTime(&rest, hours: 24) else { return nil }
            offset = -west
        }
        guard let start = Self.parseChange(&rest), let end = Self.parseChange(&rest), rest.isEmpty else { return nil }
        daylight = (offset, start, end)
    }

    /// Takes letters, or letters, digits and signs in angle brackets.
    private static func parseName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        if rest.first == UInt8(ascii: "<") {
            rest.removeFirst()
            let name = rest.prefix {
                isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
            }
            rest.removeFirst(name.count)
            return name.count >= 3 && rest.popFirst() == UInt8(ascii: ">")
        }
        let name = rest.prefix(while: isLetter)
        rest.removeFirst(name.count)
        return name.count >= 3
    }

    private static func parseNumber(_ rest: inout ArraySlice<UInt8>, _ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest.removeFirst(digits.count)
        let number = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return range.contains(number) ? number : nil
    }

    private static func consume(_ letter: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes `[+-]hh[:mm[:ss]]`, in seconds.
    private static func parseTime(_ rest: inout ArraySlice<UInt8>, hours: Int) -> Int? {
        let sign = consume("-", &rest) ? -1 : 1
        if sign > 0 { _ = consume("+", &rest) }
        guard var seconds = parseNumber(&rest, 0...hours).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] where consume(":", &rest) {
            guard let number = parseNumber(&rest, 0...59) else { return nil }
            seconds += number * unit
        }
        return sign * seconds
    }

    /// Takes `,date[/time]`; the default is two o'clock.
    private static func parseChange(_ rest: inout ArraySlice<UInt8>) -> Change? {
        guard consume(",", &rest), let date = parseDate(&rest) else { return nil }
        guard consume("/", &rest) else { return Change(date: date, second: 7_200) }
        // A week in both directions, as in version 3 of the files.
        return parseTime(&rest, hours: 167).map { Change(date: date, second: $0) }
    }

    private static func parseDate(_ rest: inout ArraySlice<UInt8>) -> Change.Date? {
        if consume("J", &rest) { return parseNumber(&rest, 1...365).map { .julian($0) } }
        guard consume("M", &rest) else { return parseNumber(&rest, 0...365).map { .day($0) } }
        guard let month = parseNumber(&rest, 1...12), consume(".", &rest), let week = parseNumber(&rest, 1...5),
            consume(".", &rest), let weekday = parseNumber(&rest, 0...6)
        else { return nil }
        return .week(month: month, week: week, weekday: weekday)
    }
}
