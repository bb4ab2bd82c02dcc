// The placeholders of a countdown: whole times, and counts of units.

/// A unit that a countdown counts, by its seconds.
enum CountdownUnit: Int, Hashable, Sendable, CaseIterable {
    case seconds = 1
    case minutes = 60
    case hours = 3_600
    case days = 86_400
}

/// A placeholder of a countdown.
enum CountdownField: TemplatePlaceholder {
    /// The time as a clock, or in words.
    case time(TimeSpan.Style)
    /// A count; nil for all seconds.
    /// - Parameter digits: Zeros are added up to this many.
    case count(CountdownUnit?, digits: Int)
    /// A count with a plural message.
    /// - Parameter source: The message as written, for parsing it again with another language's rules.
    case message(CountdownUnit?, source: String, PluralMessage)
    /// A count with its unit, found in a text.
    case written(CountdownUnit, WrittenUnit)
    /// A clock found in a text.
    case clock(NumberPlan)

    /// The digits up to which zeros may be added.
    private static let digits = 2...9

    /// The counted unit.
    var unit: CountdownUnit? {
        switch self {
        case .count(let unit, _), .message(let unit, _, _): unit
        case .written(let unit, _): unit
        case .time, .clock: nil
        }
    }

    static func read(_ text: String, at brace: Int) throws(LabelError) -> CountdownField {
        if text.contains(",") { return try message(text, at: brace) }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first.map(String.init), let placeholder = CountdownLabel.Placeholder(rawValue: name)
        else { throw LabelError(.unknownPlaceholder(String(text.prefix(40))), at: brace) }
        let counted = placeholder.counted
        guard parts.count == 2, let width = parts.last else {
            return counted.map { .count($0, digits: 1) } ?? .time(placeholder.style)
        }
        guard let counted, width.first == "0", width.utf8.allSatisfy(ASCII.isDigit), let digits = Int(width),
            Self.digits.contains(digits)
        else { throw LabelError(.malformedWidth(String(text.prefix(40))), at: brace) }
        return .count(counted, digits: digits)
    }

    /// Parses a plural message of a count, without its braces.
    private static func message(_ text: String, at brace: Int) throws(LabelError) -> CountdownField {
        let source = "{\(text)}"
        do throws(LabelError) {
            let message = try PluralMessage(parsing: source, language: "en")
            guard let placeholder = CountdownLabel.Placeholder(rawValue: message.name),
                let counted = placeholder.counted
            else { throw LabelError(.unknownPlaceholder(String(message.name.prefix(40))), at: 0) }
            return .message(counted, source: source, message)
        } catch {
            throw LabelError(error.reason, at: brace + error.offset)
        }
    }

    /// Returns the field with a language's plural rules.
    func speaking(_ language: String) -> CountdownField {
        guard case .message(let unit, let source, let message) = self else { return self }
        return .message(unit, source: source, (try? PluralMessage(parsing: source, language: language)) ?? message)
    }

    func escapedForJSON() -> CountdownField {
        switch self {
        case .message(let unit, let source, let message): .message(unit, source: source, message.escapedForJSON())
        case .written(let unit, let written): .written(unit, written.escapedForJSON())
        case .time, .count, .clock: self
        }
    }
}

extension CountdownLabel.Placeholder {
    /// The counted unit, with an inner nil for all seconds; nil for whole times.
    fileprivate var counted: CountdownUnit?? {
        switch self {
        case .clock, .remaining, .words: nil
        case .total: .some(nil)
        case .days: .days
        case .hours: .hours
        case .minutes: .minutes
        case .seconds: .seconds
        }
    }

    /// How a whole time is written.
    fileprivate var style: TimeSpan.Style {
        switch self {
        case .remaining: .units
        case .words: .words
        case .clock, .total, .days, .hours, .minutes, .seconds: .clock
        }
    }
}
