// A label in ICU MessageFormat's common subset, with one number: {n}, {n, plural, =0 {…} one {…} other {…}} and #.
// All forms are laid out when the message is parsed; a frame picks one and writes bytes.

/// A message whose words follow its number.
struct PluralMessage: Hashable, Sendable {
    /// Static texts with the number between each two of them.
    struct Form: Hashable, Sendable {
        var texts: [[UInt8]] = [[]]
    }

    let rule: PluralRule
    /// By `PluralCategory.index`.
    let forms: [Form]
    /// Forms for exact values (`=0`), tried first.
    let exact: [(value: UInt64, form: Form)]

    init(parsing text: String, rule: PluralRule) throws(LabelError) {
        var parser = PluralMessageParser(text)
        let message = try parser.parse()
        self.rule = rule
        var forms: [Form] = []
        for category in PluralCategory.allCases { forms.append(message.form(.category(category))) }
        self.forms = forms
        exact = message.exactValues.map { value in
            // The exact form wins where there is one; other arguments of the message go by category.
            (value, message.form(.exact(value, rule.category(for: PluralOperands(i: value)))))
        }
    }

    private init(rule: PluralRule, forms: [Form], exact: [(value: UInt64, form: Form)]) {
        self.rule = rule
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
        func escaped(_ form: Form) -> Form { Form(texts: form.texts.map { JSONText.escaped($0) }) }
        return PluralMessage(rule: rule, forms: forms.map(escaped), exact: exact.map { ($0.value, escaped($0.form)) })
    }

    /// Bytes of all texts of its forms, and of the lists of them.
    var byteCounts: (texts: Int, lists: Int) {
        (forms + exact.map(\.form)).reduce((0, 0)) { sum, form in
            (form.texts.reduce(sum.0) { $0 + $1.count }, sum.1 + 64 + form.texts.count * 8)
        }
    }

    func append(_ value: Double, _ plan: NumberPlan, to bytes: inout [UInt8]) {
        let form = form(for: plan.operands(of: value), isNegative: value < 0)
        for index in form.texts.indices {
            if index > 0 { plan.append(value, to: &bytes) }
            bytes.append(contentsOf: form.texts[index])
        }
    }

    func append(_ value: ExactDecimal, _ plan: NumberPlan, to bytes: inout [UInt8]) {
        let form = form(for: plan.operands(of: value), isNegative: value.isNegative)
        for index in form.texts.indices {
            if index > 0 { plan.append(value, to: &bytes) }
            bytes.append(contentsOf: form.texts[index])
        }
    }

    /// The texts between which the number stands.
    func texts(for operands: PluralOperands, isNegative: Bool) -> [[UInt8]] {
        form(for: operands, isNegative: isNegative).texts
    }

    private func form(for operands: PluralOperands, isNegative: Bool) -> Form {
        if operands.t == 0, !isNegative || operands.i == 0 {
            for candidate in exact where candidate.value == operands.i { return candidate.form }
        }
        return forms[rule.category(for: operands).index]
    }

    static func == (left: PluralMessage, right: PluralMessage) -> Bool {
        left.rule == right.rule && left.forms == right.forms
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
