// `format` to and from JSON: the table of the contract's names for a number format. It is read and written in the order of
// the cases. A test requires a row for every property of a format.

import Labels

/// A member of `format`.
enum FormatOption: String, CaseIterable {
    case locale, style, currency, unit, grouping, sign, currencyDisplay, currencySign, unitDisplay, notation,
        compactDisplay, minimumIntegerDigits, minimumDecimals, maximumDecimals, minimumSignificantDigits,
        maximumSignificantDigits, trailingZeros, rounding

    /// Visits the property of a format with its allowed values.
    func visit<Visitor: FormatVisitor>(
        _ format: inout NumberFormat, by visitor: inout Visitor
    ) throws(Visitor.Failure) {
        switch self {
        case .locale: try visitor.text(&format.locale, longest: 64)
        case .style: try visitor.choice(&format.style, usual: .decimal)
        case .currency: try visitor.text(&format.currency, longest: 8)
        case .unit: try visitor.text(&format.unit, longest: 64)
        case .grouping: try visitor.grouping(&format.grouping)
        case .sign: try visitor.choice(&format.sign, usual: .auto)
        case .currencyDisplay: try visitor.choice(&format.currencyDisplay, usual: .symbol)
        case .currencySign: try visitor.choice(&format.currencySign, usual: .standard)
        case .unitDisplay: try visitor.choice(&format.unitDisplay, usual: .short)
        case .notation: try visitor.choice(&format.notation, usual: .standard)
        case .compactDisplay: try visitor.choice(&format.compactDisplay, usual: .short)
        case .minimumIntegerDigits: try visitor.digits(&format.minimumIntegerDigits, in: 1...21)
        case .minimumDecimals: try visitor.digits(&format.minimumDecimals, in: NumberPlan.decimalRange)
        case .maximumDecimals: try visitor.digits(&format.maximumDecimals, in: NumberPlan.decimalRange)
        case .minimumSignificantDigits:
            try visitor.digits(&format.minimumSignificantDigits, in: AdaptiveDigits.significantRange)
        case .maximumSignificantDigits:
            try visitor.digits(&format.maximumSignificantDigits, in: AdaptiveDigits.significantRange)
        case .trailingZeros: try visitor.choice(&format.trailingZeros, usual: .auto)
        case .rounding: try visitor.choice(&format.rounding, usual: .halfExpand)
        }
    }

    /// Reads the member `format`.
    static func format(_ outer: inout FieldReader) throws(Problem) -> NumberFormat? {
        guard let node = outer.read("format") else { return nil }
        let fields = try FieldReader(outer.document, node, pointer: outer.pointer(to: "format"))
        var (format, reader) = (NumberFormat(), FormatReader(fields: fields))
        for option in allCases {
            reader.name = option.rawValue
            try option.visit(&format, by: &reader)
        }
        try reader.fields.finish()
        return format
    }

    /// - Parameter leavesOutUsual: Whether to omit options with their default value.
    static func append(_ format: NumberFormat, leavesOutUsual: Bool, to out: inout some FieldWriter) {
        var (format, value) = (format, FormatValue(leavesOutUsual: leavesOutUsual))
        for option in allCases {
            option.visit(&format, by: &value)
            switch value.written {
            case .none: break
            case .text(let text): out.member(option.rawValue, text)
            case .digits(let count): out.member(option.rawValue, count)
            }
        }
    }
}

/// An operation on an option, by the type of its value.
protocol FormatVisitor {
    associatedtype Failure: Error
    mutating func text(_ value: inout String, longest: Int) throws(Failure)
    mutating func text(_ value: inout String?, longest: Int) throws(Failure)
    mutating func digits(_ value: inout Int?, in range: ClosedRange<Int>) throws(Failure)
    /// - Parameter usual: The default value.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
        _ value: inout Choice, usual: Choice
    ) throws(Failure)
    mutating func grouping(_ value: inout NumberFormat.GroupingUse) throws(Failure)
}

/// Reads options. A missing option leaves the value unchanged.
private struct FormatReader: FormatVisitor {
    var fields: FieldReader
    /// The name of the option.
    var name = ""

    mutating func text(_ value: inout String, longest: Int) throws(Problem) {
        value = try fields.string(name, longest: longest) ?? value
    }

    mutating func text(_ value: inout String?, longest: Int) throws(Problem) {
        value = try fields.string(name, longest: longest)
    }

    mutating func digits(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem) {
        value = try fields.integer(name, in: range)
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
        _ value: inout Choice, usual: Choice
    ) throws(Problem) {
        value = try fields.choice(name, Choice.self) ?? value
    }

    /// Reads grouping: true for the locale's, false for none, or the name of another choice.
    mutating func grouping(_ value: inout NumberFormat.GroupingUse) throws(Problem) {
        guard let node = fields.read(name) else { return }
        if case .bool(let isGrouped) = node.content {
            value = isGrouped ? .auto : .never
        } else if case .string(let text) = node.content, let use = NumberFormat.GroupingUse(rawValue: text) {
            value = use
        } else {
            throw .field(fields.pointer(to: name), "must be true, false, auto, always, min2 or never")
        }
    }
}

/// Returns the JSON value of an option.
private struct FormatValue: FormatVisitor {
    enum Written {
        case none
        case text(String)
        case digits(Int)
    }

    let leavesOutUsual: Bool
    private(set) var written = Written.none

    init(leavesOutUsual: Bool) { self.leavesOutUsual = leavesOutUsual }

    mutating func text(_ value: inout String, longest: Int) { written = .text(value) }
    mutating func text(_ value: inout String?, longest: Int) { written = value.map(Written.text) ?? .none }
    mutating func digits(_ value: inout Int?, in range: ClosedRange<Int>) {
        written = value.map(Written.digits) ?? .none
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
        _ value: inout Choice, usual: Choice
    ) {
        written = leavesOutUsual && value == usual ? .none : .text(value.rawValue)
    }

    mutating func grouping(_ value: inout NumberFormat.GroupingUse) { choice(&value, usual: .auto) }
}
