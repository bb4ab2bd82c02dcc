// `format` from JSON and back: the contract's words for a number format.

import Labels

enum FormatDecoder {
    /// Takes the member `format`.
    static func format(_ outer: inout FieldReader) throws(Problem) -> NumberFormat? {
        guard let node = outer.take("format") else { return nil }
        var fields = try FieldReader(outer.document, node, pointer: outer.pointer(to: "format"))
        var format = NumberFormat()
        format.locale = try fields.string("locale", longest: 64) ?? format.locale
        format.style = try fields.choice("style", NumberFormat.Style.self) ?? format.style
        format.currency = try fields.string("currency", longest: 8)
        format.unit = try fields.string("unit", longest: 64)
        format.grouping = try grouping(&fields)
        format.sign = try fields.choice("sign", NumberFormat.SignDisplay.self) ?? format.sign
        format.currencyDisplay =
            try fields.choice("currencyDisplay", NumberFormat.CurrencyDisplay.self) ?? format.currencyDisplay
        format.currencySign = try fields.choice("currencySign", NumberFormat.CurrencySign.self) ?? format.currencySign
        format.unitDisplay = try fields.choice("unitDisplay", NumberFormat.Width.self) ?? format.unitDisplay
        format.notation = try fields.choice("notation", NumberFormat.Notation.self) ?? format.notation
        format.compactDisplay = try fields.choice("compactDisplay", NumberFormat.Width.self) ?? format.compactDisplay
        format.minimumIntegerDigits = try fields.integer("minimumIntegerDigits", in: 1...21)
        format.minimumDecimals = try fields.integer("minimumDecimals", in: NumberPlan.decimalRange)
        format.maximumDecimals = try fields.integer("maximumDecimals", in: NumberPlan.decimalRange)
        format.minimumSignificantDigits =
            try fields.integer("minimumSignificantDigits", in: AdaptiveDigits.significantRange)
        format.maximumSignificantDigits =
            try fields.integer("maximumSignificantDigits", in: AdaptiveDigits.significantRange)
        format.trailingZeros =
            try fields.choice("trailingZeros", NumberFormat.TrailingZeros.self) ?? format.trailingZeros
        format.rounding = try fields.choice("rounding", RoundingRule.self) ?? format.rounding
        try fields.finish()
        return format
    }

    /// True is as the locale has it, false is none; the finer choices go by name.
    private static func grouping(_ fields: inout FieldReader) throws(Problem) -> NumberFormat.GroupingUse {
        guard let node = fields.take("grouping") else { return .auto }
        switch node.content {
        case .bool(let isGrouped): return isGrouped ? .auto : .never
        case .string(let name):
            if let use = NumberFormat.GroupingUse(rawValue: name) { return use }
        default: break
        }
        throw .field(fields.pointer(to: "grouping"), "must be true, false, auto, always, min2 or never")
    }
}

enum FormatEncoder {
    /// - Parameter usual: What is as this format has it is left out; nil writes all.
    static func append(_ format: NumberFormat, unless usual: NumberFormat? = nil, to out: inout some FieldWriter) {
        out.member("locale", format.locale)
        append("style", format.style, unless: usual?.style, to: &out)
        if let currency = format.currency { out.member("currency", currency) }
        if let unit = format.unit { out.member("unit", unit) }
        append("grouping", format.grouping, unless: usual?.grouping, to: &out)
        append("sign", format.sign, unless: usual?.sign, to: &out)
        append("currencyDisplay", format.currencyDisplay, unless: usual?.currencyDisplay, to: &out)
        append("currencySign", format.currencySign, unless: usual?.currencySign, to: &out)
        append("unitDisplay", format.unitDisplay, unless: usual?.unitDisplay, to: &out)
        append("notation", format.notation, unless: usual?.notation, to: &out)
        append("compactDisplay", format.compactDisplay, unless: usual?.compactDisplay, to: &out)
        if let digits = format.minimumIntegerDigits { out.member("minimumIntegerDigits", digits) }
        if let decimals = format.minimumDecimals { out.member("minimumDecimals", decimals) }
        if let decimals = format.maximumDecimals { out.member("maximumDecimals", decimals) }
        if let digits = format.minimumSignificantDigits { out.member("minimumSignificantDigits", digits) }
        if let digits = format.maximumSignificantDigits { out.member("maximumSignificantDigits", digits) }
        append("trailingZeros", format.trailingZeros, unless: usual?.trailingZeros, to: &out)
        append("rounding", format.rounding, unless: usual?.rounding, to: &out)
    }

    private static func append<Choice: RawRepresentable<String> & Equatable>(
        _ name: String, _ choice: Choice, unless usual: Choice?, to out: inout some FieldWriter
    ) {
        if choice != usual { out.member(name, choice.rawValue) }
    }
}
