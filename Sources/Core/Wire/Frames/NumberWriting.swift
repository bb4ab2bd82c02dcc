// A number plan as JSON, for clients that write numbers themselves. Whatever is as in `en-US` is omitted.

import Board
import Labels
import Tween

/// Encodes number plans.
enum NumberWriting {
    /// Appends a plan's members.
    /// - Parameters:
    ///   - run: The motion whose values are written; only the compact forms that it can reach are included.
    ///   - isMessage: Whether the number is in a message, whose form is selected by its digits.
    static func append(_ plan: NumberPlan, of run: Run, isMessage: Bool, to json: inout JSONWriter) {
        // Significant digits replace decimals, except in a message, which selects its form by the number in full.
        let hasDecimals = isMessage || plan.compact?.isSignificant != true && plan.adaptive?.significant == nil
        if hasDecimals, plan.maximumDecimals > 0 {
            json.member("decimals", [plan.minimumDecimals, plan.maximumDecimals])
        }
        if plan.minimumIntegerDigits != 1 { json.member("integers", plan.minimumIntegerDigits) }
        if plan.shift != 0 { json.member("shift", plan.shift) }
        if plan.rounding != .halfExpand { json.member("rounding", plan.rounding.rawValue) }
        if plan.digits != .ascii { json.member("digits", plan.digits.name) }
        let hasPoint = plan.maximumDecimals > 0 || !plan.hasFixedPlaces
        if hasPoint, plan.decimalSeparator != Array(".".utf8) { json.member("point", text: plan.decimalSeparator) }
        if plan.grouping.primary > 0 {
            json.member("groups", [plan.grouping.primary, plan.grouping.secondary, plan.grouping.minimum])
            if plan.groupSeparator != Array(",".utf8) { json.member("separator", text: plan.groupSeparator) }
        }
        if let clock = plan.clock { json.member("clock", clock.rawValue) }
        let forms = CompactForm.reached(by: run, in: plan)
        let words = forms.isEmpty ? plan.plural.map { [$0] } ?? [] : forms.map(\.form.affixes)
        let own = words.isEmpty ? plan.affixes : common(to: words.flatMap(\.all))
        append(own, to: &json)
        if plan.marksNegativeZero { json.member("negativeZero", true) }
        if forms.isEmpty, let plural = plan.plural {
            json.name("words")
            append(plural, beside: own, to: &json)
        }
        if let compact = plan.compact {
            json.member("compact") {
                if compact.isSignificant { $0.member("digits", 2) }
                $0.list("forms") { for form in forms { append(form, beside: own, to: &$0) } }
            }
        }
        if let language = words.lazy.compactMap(\.rule.language).first {
            json.member("plural", language)
        }
        if let adaptive = plan.adaptive { append(adaptive, to: &json) }
    }

    private static func append(_ affixes: SignedAffixes, to json: inout JSONWriter) {
        let (positive, negative, zero) = (affixes.positive, affixes.negative, affixes.zero)
        if positive != .empty { json.member("positive", positive) }
        if negative != Affixes(prefix: Array("-".utf8) + positive.prefix, suffix: positive.suffix) {
            json.member("negative", negative)
        }
        if zero != positive { json.member("zero", zero) }
    }

    /// Appends what is between the digits and the plan's own affixes: the same for all numbers, or by plural category.
    private static func append(_ words: PluralAffixes, beside own: SignedAffixes, to json: inout JSONWriter) {
        let forms = words.byCategory
        if forms.count == 1, let only = forms.first { return append(word: only.affixes, beside: own, to: &json) }
        json.object { json in
            for form in forms {
                json.name(form.name)
                guard !form.standsAlone else {
                    json.object {
                        $0.member("alone", true)
                        append(form.affixes, to: &$0)
                    }
                    continue
                }
                append(word: form.affixes, beside: own, to: &json)
            }
        }
    }

    private static func append(word: SignedAffixes, beside own: SignedAffixes, to json: inout JSONWriter) {
        guard let inner = inner(word, in: own) else { return json.object { append(word, to: &$0) } }
        if inner.prefix.isEmpty { json.string(inner.suffix) } else { json.value(inner) }
    }

    /// Returns the affixes that remain inside the plan's own; nil if the affixes do not contain those.
    private static func inner(_ affixes: SignedAffixes, in own: SignedAffixes) -> Affixes? {
        func inner(_ whole: Affixes, _ own: Affixes) -> Affixes? {
            guard whole.prefix.starts(with: own.prefix), whole.suffix.reversed().starts(with: own.suffix.reversed())
            else { return nil }
            return Affixes(
                prefix: Array(whole.prefix.dropFirst(own.prefix.count)),
                suffix: whole.suffix.dropLast(own.suffix.count))
        }
        guard let found = inner(affixes.positive, own.positive), found == inner(affixes.negative, own.negative),
            found == inner(affixes.zero, own.zero)
        else { return nil }
        return found
    }

    private static func append(_ form: CompactForm, beside own: SignedAffixes, to json: inout JSONWriter) {
        json.array {
            $0.number(Double(form.power))
            $0.number(Double(form.form.shift))
            append(form.form.affixes, beside: own, to: &$0)
        }
    }

    /// Returns the common beginning and end of all affixes, by sign; words are not split.
    private static func common(to forms: [SignedAffixes]) -> SignedAffixes {
        func shared(_ texts: [[UInt8]], atEnd: Bool) -> [UInt8] {
            func ordered(_ text: [UInt8]) -> [Unicode.Scalar] {
                let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
                return atEnd ? scalars.reversed() : scalars
            }
            guard let first = texts.first, texts.contains(where: { $0 != first }) else { return texts.first ?? [] }
            var shared = texts.dropFirst().reduce(ordered(first)) { shared, text in
                zip(shared, ordered(text)).prefix { $0 == $1 }.map(\.0)
            }
            while shared.last?.properties.isAlphabetic == true { shared.removeLast() }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: atEnd ? shared.reversed() : shared)
            return Array(String(view).utf8)
        }
        func affixes(_ sign: (SignedAffixes) -> Affixes) -> Affixes {
            let all = forms.map(sign)
            return Affixes(
                prefix: shared(all.map(\.prefix), atEnd: false), suffix: shared(all.map(\.suffix), atEnd: true))
        }
        return SignedAffixes(positive: affixes(\.positive), negative: affixes(\.negative), zero: affixes(\.zero))
    }

    private static func append(_ digits: AdaptiveDigits, to json: inout JSONWriter) {
        if let significant = digits.significant {
            json.member("significant", [significant.lowerBound, significant.upperBound])
        }
        if digits.stripsIfInteger { json.member("strips", true) }
        guard let exponent = digits.exponent else { return }
        json.member("exponent") {
            $0.member("step", exponent.step)
            $0.member("separator", text: exponent.separator)
            $0.member("minus", text: exponent.minus)
        }
    }
}

extension DigitSet {
    /// The zero, if the other digits follow it in Unicode as they nearly always do; otherwise all ten.
    fileprivate var name: String {
        let zero = text(of: 0)
        return zero.unicodeScalars.first.flatMap(DigitSet.init(zero:)) == self
            ? zero : String(decoding: bytes, as: UTF8.self)
    }
}

/// A form of compact notation, with the power of ten from which on it applies.
private struct CompactForm {
    var power: Int
    var form: CompactTable.Form

    /// Returns each form that differs from its predecessor, except those beyond the motion's reach.
    static func reached(by run: Run, in plan: NumberPlan) -> [CompactForm] {
        guard let table = plan.compact else { return [] }
        // Overshoot between two samples, and rounding up, stay far below a factor of two.
        let reach = 2 * run.motion.reach
        var (last, limit) = (plan.shift, 10.0)
        while reach >= limit, last < table.forms.count { (last, limit) = (last + 1, limit * 10) }
        var forms: [CompactForm] = []
        for (power, form) in table.forms.enumerated() where power <= last && form != forms.last?.form {
            forms.append(CompactForm(power: power, form: form))
        }
        return forms
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ numbers: [Int]) {
        list(name) { for number in numbers { $0.number(Double(number)) } }
    }

    fileprivate mutating func member(_ name: String, _ affixes: Affixes) {
        self.name(name)
        value(affixes)
    }

    fileprivate mutating func value(_ affixes: Affixes) {
        array {
            $0.string(affixes.prefix)
            $0.string(affixes.suffix)
        }
    }
}
