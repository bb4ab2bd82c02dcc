// Compiles a number format into a plan of bytes, once per format. CLDR's data are read from a few formatted samples, so that
// frames need neither Foundation nor ICU.

public import Labels

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compiles requested formats into plans for frames.
public enum NumberPlanCompiler {
    /// Returns the plan of a format. Slow (some tens of microseconds to milliseconds): for updates, never for frames.
    ///
    /// - Parameters:
    ///   - format: the requested format.
    ///   - decimals: a fixed number of decimals, which the format's own `minimumDecimals` and `maximumDecimals` override;
    ///     nil uses the style's default.
    /// - Throws: the field at fault.
    public static func plan(
        for format: NumberFormat, decimals: Int? = nil
    ) throws(NumberFormatError) -> NumberPlan {
        try compile(format).plan(decimals: decimals)
    }

    /// Reads a format's locale data. As slow as ``plan(for:decimals:)``; making plans from the result is fast.
    ///
    /// - Throws: the field at fault.
    public static func compile(_ format: NumberFormat) throws(NumberFormatError) -> CompiledNumberFormat {
        try FormatRules.check(format)
        var format = format
        format.locale = try LocaleTag.preferred(format.locale)
        let locale = LocaleTag.locale(format.locale)
        if format.style == .currency { format.currency = try currency(format.currency) }
        let sampler = FormatSampler(format: format, locale: locale)
        guard let digits = sampler.digits() else {
            throw NumberFormatError(.locale, "the numbering system of \"\(format.locale)\" is not decimal")
        }
        var plan = NumberPlan.plain(decimals: 0)
        plan.digits = digits
        plan.rounding = format.rounding
        plan.marksNegativeZero = marksNegativeZero(format)
        plan.shift = format.style == .percent ? 2 : 0
        plan.minimumIntegerDigits = format.minimumIntegerDigits ?? 1
        guard let samples = SampleSet(sampler, digits: digits) else {
            throw NumberFormatError(.locale, "no number format for \"\(format.locale)\"")
        }
        samples.apply(to: &plan)
        try applyWords(of: format, sampler, to: &plan)
        if format.currency == "JPY", format.locale.lowercased().hasPrefix("ja") { plan.widenYenSign() }
        applyGrouping(format, to: &plan)
        applyClock(format, to: &plan)
        plan.adaptive = try AdaptiveDigits(format, sampler, digits: digits)
        return CompiledNumberFormat(plan, of: format, defaults: defaults(of: format, samples))
    }

    /// As in ICU's accounting format, which marks even the smallest debt.
    private static func marksNegativeZero(_ format: NumberFormat) -> Bool {
        guard format.style == .currency, format.currencySign == .accounting else { return false }
        return format.sign == .auto || format.sign == .always
    }

    private static func currency(_ code: String?) throws(NumberFormatError) -> String {
        guard let code else { throw NumberFormatError(.currency, "the currency style needs a currency") }
        guard code.utf8.count == 3, code.utf8.allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }) else {
            throw NumberFormatError(.currency, "not an ISO 4217 code of three letters")
        }
        return code.uppercased()
    }

    /// Returns the default decimals of ECMA-402 (2025, SetNumberFormatDigitOptions): a currency's own digits only apply to
    /// standard notation. In compact notation the default of three applies once a minimum requires decimals.
    private static func defaults(of format: NumberFormat, _ samples: SampleSet) -> ClosedRange<Int> {
        switch format.style {
        case .percent: 0...0
        case .decimal, .unit, .compact, .clock, .duration: 0...3
        case .currency where format.notation != .standard: 0...3
        case .currency: samples.defaultDecimals...samples.defaultDecimals
        }
    }

    private static func applyWords(
        of format: NumberFormat, _ sampler: FormatSampler, to plan: inout NumberPlan
    ) throws(NumberFormatError) {
        let rule = PluralRule(language: format.locale)
        switch format.style {
        case .decimal where !format.isCompact: break
        case .percent, .clock, .duration: break
        case .currency where format.isCompact:
            plan.compact = CompactSampler(sampler: sampler, rule: rule, digits: plan.digits, affixes: plan.affixes)
                .table(.short, isSignificant: true)
        case .currency where format.currencyDisplay == .name:
            plan.plural = PluralSampler(rule: rule, digits: plan.digits) { value, isSigned in
                sampler.text(value, decimals: value == value.rounded() ? 0 : 1, isSigned: isSigned)
            }.affixes()
        case .currency: break
        case .unit where format.unit == "percent" && format.unitDisplay == .short:
            // The sign comes from the numbering system, as in the percent style.
            var percent = format
            percent.style = .percent
            SampleSet(FormatSampler(format: percent, locale: sampler.locale), digits: plan.digits)?.apply(to: &plan)
        case .unit:
            guard let name = format.unit else { throw NumberFormatError(.unit, "the unit style needs a unit") }
            guard let unit = WordPatterns.unit(name, format.unitDisplay, locale: format.locale) else {
                throw NumberFormatError(.unit, "not a unit that is known here")
            }
            plan.plural = unit.affixes(with: plan.affixes, signsOutside: false, rule: rule)
        case .compact, .decimal:
            plan.compact = CompactSampler(sampler: sampler, rule: rule, digits: plan.digits, affixes: plan.affixes)
                .table(format.compactDisplay, isSignificant: true)
        }
    }

    private static func applyClock(_ format: NumberFormat, to plan: inout NumberPlan) {
        guard format.style == .clock || format.style == .duration else { return }
        plan.clock = .hours
        // Digits without colons: `0:00:05` has five, `0:05` has three.
        plan.minimumIntegerDigits = format.style == .duration ? 5 : 3
    }

    private static func applyGrouping(_ format: NumberFormat, to plan: inout NumberPlan) {
        if LocaleTag.groupsByThrees(format) { plan.grouping = .thousands }
        switch format.grouping {
        case .auto:
            // ECMA-402 groups compact numbers from five digits on.
            if format.isCompact { plan.grouping.minimum = max(2, plan.grouping.minimum) }
        case .always: plan.grouping.minimum = 1
        case .min2: plan.grouping.minimum = 2
        case .never: plan.grouping = .none
        }
    }
}

extension NumberPlan {
    /// CLDR's yen sign in Japanese is U+FFE5; Foundation's data has U+00A5.
    fileprivate mutating func widenYenSign() {
        affixes = affixes.withWideYenSign
        compact = compact?.mapped(\.withWideYenSign)
    }
}

extension SignedAffixes {
    fileprivate var withWideYenSign: SignedAffixes {
        func widened(_ affixes: Affixes) -> Affixes {
            Affixes(
                prefix: Array(
                    String(decoding: affixes.prefix, as: UTF8.self).replacing("\u{A5}", with: "\u{FFE5}").utf8),
                suffix: affixes.suffix)
        }
        return SignedAffixes(positive: widened(positive), negative: widened(negative), zero: widened(zero))
    }
}
