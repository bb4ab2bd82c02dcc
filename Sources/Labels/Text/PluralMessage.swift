// A label in ICU MessageFormat's common subset, with one number: {n}, {n, plural, offset:1 =0 {…} one {…} other {…}} and #.
// All forms are laid out when the message is parsed; a frame picks one and writes bytes.

/// A message whose words follow its number.
struct PluralMessage: Hashable, Sendable {
    /// Static texts with the number between each two of them.
    struct Form: Hashable, Sendable {
        var texts: [[UInt8]] = [[]]
        /// For each number between two of them: whether it is the number less the offset.
        var shifts: [Bool] = []
    }

    let rule: PluralRule
    /// What is subtracted from the number where `#` stands for it, and before its category is looked for: `{n} like this` as
    /// `you and # others`.
    let offset: UInt64
    /// By `PluralCategory.index`.
    let forms: [Form]
    /// Forms for exact values (`=0`), tried first.
    let exact: [(value: UInt64, form: Form)]

    init(parsing text: String, rule: PluralRule) throws(LabelError) {
        var parser = PluralMessageParser(text)
        let message = try parser.parse()
        self.rule = rule
        offset = message.offset
        var forms: [Form] = []
        for category in PluralCategory.allCases { forms.append(message.form(.category(category))) }
        self.forms = forms
        exact = message.exactValues.map { value in
            // The exact form wins where there is one; other arguments of the message go by category.
            let shifted = value > message.offset ? value - message.offset : message.offset - value
            return (value, message.form(.exact(value, rule.category(for: PluralOperands(i: shifted)))))
        }
    }

    private init(rule: PluralRule, offset: UInt64, forms: [Form], exact: [(value: UInt64, form: Form)]) {
        self.rule = rule
        self.offset = offset
        self.forms = forms
        self.exact = exact
    }

    static func isMessage(_ text: String) -> Bool {
        // Most labels have no brace at all, and are looked through at once.
        guard text.utf8.contains(ASCII.openBrace) else { return false }
        // An argument is `{name, plural,`: of the braces before the first comma the last one is nearest to the second.
        var brace: Int?
        var argument: Int?
        var word: [UInt8] = []
        for (place, byte) in text.utf8.enumerated() {
            switch byte {
            case ASCII.openBrace:
                brace = place
            case ASCII.comma:
                if let argument, place - argument <= longestHead, word.elementsEqual("plural".utf8) { return true }
                (argument, brace, word) = (brace, nil, [])
            default:
                if byte != ASCII.space, word.count < longestHead { word.append(byte) }
            }
        }
        return false
    }

    /// The most bytes from an argument's brace to the comma behind its kind.
    private static let longestHead = 64

    func escapedForJSON() -> PluralMessage {
        func escaped(_ form: Form) -> Form {
            Form(texts: form.texts.map { JSONText.escaped($0) }, shifts: form.shifts)
        }
        return PluralMessage(
            rule: rule, offset: offset, forms: forms.map(escaped), exact: exact.map { ($0.value, escaped($0.form)) })
    }

    /// Bytes of all texts of its forms, and of the lists of them.
    var byteCounts: (texts: Int, lists: Int) {
        (forms + exact.map(\.form)).reduce((0, 0)) { sum, form in
            (form.texts.reduce(sum.0) { $0 + $1.count }, sum.1 + 96 + form.texts.count * 9)
        }
    }

    func append(_ value: Double, _ plan: NumberPlan, to bytes: inout [UInt8]) {
        let form = form(for: value, plan)
        for index in form.texts.indices {
            if index > 0 { plan.append(form.shifts[index - 1] ? shifted(value) : value, to: &bytes) }
            bytes.append(contentsOf: form.texts[index])
        }
    }

    func append(_ value: ExactDecimal, _ plan: NumberPlan, to bytes: inout [UInt8]) {
        let form = form(for: value, plan)
        for index in form.texts.indices {
            if index > 0 { plan.append(form.shifts[index - 1] ? shifted(value) : value, to: &bytes) }
            bytes.append(contentsOf: form.texts[index])
        }
    }

    func shifted(_ value: Double) -> Double { offset == 0 ? value : value - Double(offset) }

    /// One of so many digits that a difference would have more than can be held stays as it is.
    func shifted(_ value: ExactDecimal) -> ExactDecimal {
        offset == 0 ? value : value.adding(-ExactDecimal(Int(offset))) ?? value
    }

    /// The form for a number.
    func form(for value: Double, _ plan: NumberPlan) -> Form {
        form(for: plan.operands(of: value), isNegative: value < 0, shifted: plan.operands(of: shifted(value)))
    }

    /// The form for a number.
    func form(for value: ExactDecimal, _ plan: NumberPlan) -> Form {
        form(for: plan.operands(of: value), isNegative: value.isNegative, shifted: plan.operands(of: shifted(value)))
    }

    private func form(
        for operands: PluralOperands, isNegative: Bool, shifted: @autoclosure () -> PluralOperands
    ) -> Form {
        if operands.t == 0, !isNegative || operands.i == 0 {
            for candidate in exact where candidate.value == operands.i { return candidate.form }
        }
        return forms[rule.category(for: offset == 0 ? operands : shifted()).index]
    }

    static func == (left: PluralMessage, right: PluralMessage) -> Bool {
        left.rule == right.rule && left.offset == right.offset && left.forms == right.forms
            && left.exact.elementsEqual(right.exact) { $0.value == $1.value && $0.form == $1.form }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rule)
        hasher.combine(forms)
    }
}

extension NumberPlan {
    /// The plural operands of `value` as this plan shows it.
    func operands(of value: Double) -> PluralOperands {
        let magnitude = value.isFinite ? value.magnitude : 0
        if compact == nil, let adaptive, adaptive.exponent == nil {
            return digits(of: .double(magnitude), isNegative: value < 0).run.operands
        }
        return DecimalUnits(
            rounding: magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: value < 0
        ).run(in: self).operands
    }

    /// The plural operands of `value` as this plan shows it.
    func operands(of value: ExactDecimal) -> PluralOperands {
        if compact == nil, let adaptive, adaptive.exponent == nil {
            return digits(of: .exact(value.magnitude), isNegative: value.isNegative).run.operands
        }
        return DecimalUnits(
            rounding: value.coefficient.magnitude, scale: value.scale, places: maximumDecimals + shift, rule: rounding,
            isNegative: value.isNegative
        ).run(in: self).operands
    }
}
