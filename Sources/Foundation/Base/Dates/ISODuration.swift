// Parses ISO 8601 durations such as P1M and PT1H30M. The length of a month or a day is up to the caller.

/// The amounts of a duration as written.
package struct ISODuration: Hashable, Sendable {
    /// Units in the order required.
    package enum Unit: Int, Hashable, Sendable, CaseIterable {
        case years, months, weeks, days, hours, minutes, seconds

        /// Seconds of one unit; nil if they depend on the date. A day has 24 hours.
        package var seconds: Double? {
            switch self {
            case .years, .months: nil
            case .weeks: 604_800
            case .days: 86_400
            case .hours: 3_600
            case .minutes: 60
            case .seconds: 1
            }
        }

        fileprivate init?(_ letter: Character, afterT isTime: Bool) {
            switch (letter, isTime) {
            case ("Y", false): self = .years
            case ("M", false): self = .months
            case ("W", false): self = .weeks
            case ("D", false): self = .days
            case ("H", true): self = .hours
            case ("M", true): self = .minutes
            case ("S", true): self = .seconds
            default: return nil
            }
        }
    }

    /// The amounts of the given units, at least 0; infinite for too many digits.
    package private(set) var amounts: [Unit: Double] = [:]

    /// Parses a duration: units in order, each at most once. The last may have decimals, at least one digit after a point or
    /// comma. Nil for any other text.
    package init?(parsing text: String) {
        guard text.first == "P", text.count > 1, text.last != "T" else { return nil }
        var rest = text.dropFirst()
        var isTime = false
        var last = -1
        while let first = rest.first {
            if first == "T", !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            guard let amount = Self.parseAmount(from: &rest), let letter = rest.popFirst(),
                let unit = Unit(letter, afterT: isTime), unit.rawValue > last, !amount.hasDecimals || rest.isEmpty
            else { return nil }
            amounts[unit] = amount.value
            last = unit.rawValue
        }
    }

    private static func parseAmount(from rest: inout Substring) -> (value: Double, hasDecimals: Bool)? {
        func parseDigits() -> Substring? {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest.removeFirst(digits.count)
            return digits.isEmpty ? nil : digits
        }
        guard let whole = parseDigits() else { return nil }
        guard rest.first == "." || rest.first == "," else { return Double(whole).map { ($0, false) } }
        rest.removeFirst()
        return parseDigits().flatMap { Double("\(whole).\($0)") }.map { ($0, true) }
    }

    /// The total seconds; nil if any part depends on the date.
    package var seconds: Double? {
        var total = 0.0
        for unit in Unit.allCases {
            guard let amount = amounts[unit] else { continue }
            guard let seconds = unit.seconds else { return nil }
            total += amount * seconds
        }
        return total
    }
}
