// Texts that a format wrote inside a label, for tests that read them again.

import Foundation
import Labels
import Locales
import TestSupport

/// A number's text by its own format, with a label's text around it.
struct OwnText: Sendable, CustomStringConvertible {
    let format: NumberFormat
    /// The plan that wrote it, and the one that reads it: labels are read before their decimals are known.
    let plan: NumberPlan
    private let reading: NumberPlan
    let value: ExactDecimal
    let around: (before: String, behind: String)
    /// Which of the label's numbers it is.
    let index: Int

    var text: String { text(of: value) }
    var description: String { "\(text.debugDescription) of \(value) in \(format)" }

    /// A label's text before and after its number, and which number that is.
    private static let surroundings = [
        ("", "", 0), ("Saldo: ", " left", 0), ("(now ", "), later more", 0), ("7 days: ", "; 3 more.", 1),
        ("الرصيد: ", " اليوم", 0),
        ("残高 ", "、前日比", 0), ("Q: \u{2068}", "\u{2069}!", 0),
    ]

    /// Returns a label's text with a value in it.
    func text(of value: ExactDecimal) -> String { around.before + plan.text(of: value) + around.behind }

    /// Returns what is wrong with how a label reads its format's own text; nil if nothing is.
    func fault() throws -> String? {
        var label = try TickerLabel(text, index: index, format: format, plan: reading)
        label.adopt(plan, of: format)
        guard let number = label.number else { return "no number" }
        // A number whose digits depend on its size may have one: 1.49 thousand is `1K`.
        let near =
            plan.hasFixedPlaces || plan.clock != nil ? plan.halfUnit : max(plan.halfUnit, value.magnitude.double / 3)
        guard abs(number.double - value.double) <= near * 1.000001 else { return "read as \(number)" }
        for other in [number, -number, ExactDecimal(0), ExactDecimal(8), ExactDecimal(-4_321)] {
            let (shown, wanted) = (label.text(of: other), text(of: other))
            guard shown == wanted else {
                return "\(other) is \(shown.debugDescription), not \(wanted.debugDescription)"
            }
        }
        return nil
    }

    /// Returns the texts of some values in a format; none if Foundation or CLDR has no such format.
    static func texts(_ format: NumberFormat, _ random: inout SeededRandom) -> [OwnText] {
        guard let compiled = try? NumberPlanCompiler.compile(format) else { return [] }
        let plan = compiled.plan(decimals: random.pick([nil, nil, 0, 1, 3]))
        let exact = random.pick(["1", "2", "5", "1234.5", "1234567.25", "98765", "0.42", "-0.07"])
        let values = ["0", "3", "-100", "-1234.5", exact, "\(random.int(-9_999_999...9_999_999))"].compactMap {
            ExactDecimal(parsing: $0)
        }
        return values.compactMap { value in
            let (before, behind, index) = random.pick(surroundings)
            let own = OwnText(
                format: format, plan: plan, reading: compiled.plan(decimals: nil), value: value,
                around: (before, behind),
                index: index)
            return own.canBeRead ? own : nil
        }
    }

    /// Whether the text says what it is.
    private var canBeRead: Bool {
        let written = plan.text(of: value)
        // Words that stand for a number, as in the Arabic `two days`.
        guard written.unicodeScalars.contains(where: { $0.properties.numericType == .decimal }) else { return false }
        // A debt of less than a cent is `($0.00)` in accounts: its digits are those of zero.
        if value.isNegative, format.sign == .never || written == plan.text(of: .zero) { return false }
        return !plan.hasAmbiguousWord
    }

    /// Returns a format of some kind in a locale.
    static func format(in locale: String, _ random: inout SeededRandom) -> NumberFormat {
        var format = NumberFormat(locale: locale, style: random.pick(NumberFormat.Style.allCases))
        format.sign = random.chance(0.7) ? .auto : random.pick(NumberFormat.SignDisplay.allCases)
        if random.chance(0.1) { format.grouping = random.pick(NumberFormat.GroupingUse.allCases) }
        switch format.style {
        case .currency:
            format.currency = random.pick(currencies)
            format.currencyDisplay = random.pick(NumberFormat.CurrencyDisplay.allCases)
            format.currencySign = random.pick(NumberFormat.CurrencySign.allCases)
        case .unit:
            format.unit = random.pick(units)
            format.unitDisplay = random.pick([.short, .long])
        case .compact: format.compactDisplay = random.pick([.short, .long])
        case .decimal, .percent, .clock, .duration: break
        }
        if random.chance(0.2) { format.notation = random.pick(NumberFormat.Notation.allCases) }
        if random.chance(0.1) { format.trailingZeros = .stripIfInteger }
        return format
    }

    /// Every locale of CLDR.
    static let locales = Locale.availableIdentifiers.map { $0.replacing("_", with: "-") }.sorted()
    static let currencies = [
        "USD", "EUR", "CHF", "JPY", "XOF", "GBP", "ILS", "INR", "EGP", "BRL", "CVE", "PAB", "KWD", "NOK",
    ]
    static let units = [
        "celsius", "kilometer", "kilometer-per-hour", "day", "hour", "byte", "percent", "liter-per-minute", "degree",
        "foot",
        "mile-per-gallon", "kilogram", "second", "megabit-per-second", "acre",
    ]
}

extension NumberPlan {
    /// Whether its compact notation has one text for two sizes: CLDR's lakhs in Sindhi, and no word for one thousand in Venetian.
    var hasAmbiguousWord: Bool {
        var shifts: [Affixes: Int] = [:]
        for form in compact?.forms ?? [] {
            for affixes in form.affixes.all.map(\.positive) {
                if shifts.updateValue(form.shift, forKey: affixes) ?? form.shift != form.shift { return true }
            }
        }
        return false
    }
}
