// A label in ICU MessageFormat with one number: {n}, {n, number}, {n, plural, offset:1 =0 {…} one {…} other {…}}, {n,
// selectordinal, one {#st} … other {#th}} and #. All forms are prepared when the message is parsed; a frame picks one and
// writes bytes.

/// A message whose words depend on its number.
struct PluralMessage: Hashable, Sendable {
    /// Static texts, with the number between each two.
    struct Form: Hashable, Sendable {
        var texts: [[UInt8]] = [[]]
        /// For each number: whether the offset is subtracted from it.
        var shifts: [Bool] = []
    }

    /// The argument's name.
    let name: String
    let rule: PluralRule
    /// Nil without ordinals.
    let ordinal: OrdinalRule?
    /// Whether words depend on the count, so that forms depend on its category too.
    let isCardinal: Bool
    /// Subtracted from the number for `#` and for its category: `{n} like this` as `you and # others`.
    let offset: UInt64
    /// By `PluralCategory.index` of the count; with ordinals, each of these by that of the rank.
    let forms: [Form]
    /// Forms for exact values (`=0`), checked first.
    let exact: [(value: UInt64, form: Form)]

    /// - Parameter language: The language whose rules pick a form.
    init(parsing text: String, language: String) throws(LabelError) {
        var parser = PluralMessageParser(text)
        let message = try parser.parse()
        let (rule, ordinal) = (PluralRule(language: language), OrdinalRule(language: language))
        name = message.name
        self.rule = rule
        self.ordinal = message.hasOrdinals ? ordinal : nil
        isCardinal = message.hasCardinals
        offset = message.offset
        var forms: [Form] = []
        for category in PluralCategory.allCases {
            guard message.hasOrdinals else {
                forms.append(message.form(.init(count: category)))
                continue
            }
            for rank in PluralCategory.allCases { forms.append(message.form(.init(count: category, rank: rank))) }
        }
        self.forms = forms
        exact = message.exactValues.map { value in
            // An exact form takes precedence; the message's other arguments use the category.
            let shifted = value > message.offset ? value - message.offset : message.offset - value
            let operands = PluralOperands(i: shifted)
            let choice = PluralMessageTree.Choice(
                exact: value, count: rule.category(for: operands), rank: ordinal.category(for: operands))
            return (value, message.form(choice))
        }
    }

    /// Creates a text without a number: one form for all.
    init(words: String) {
        name = ""
        rule = .none
        ordinal = nil
        isCardinal = false
        offset = 0
        forms = PluralCategory.allCases.map { _ in Form(texts: [Array(words.utf8)]) }
        exact = []
    }

    private init(_ other: PluralMessage, forms: [Form], exact: [(value: UInt64, form: Form)]) {
        name = other.name
        rule = other.rule
        ordinal = other.ordinal
        isCardinal = other.isCardinal
        offset = other.offset
        self.forms = forms
        self.exact = exact
    }

    /// Returns whether a text has an argument: `{name}`, or `{name, kind` with anything after it. Other braces and quoted
    /// ones are text; but a text without a number that begins an argument was meant as a message.
    static func isMessage(_ text: String) -> Bool {
        // Fast path: most labels have no brace.
        guard text.utf8.contains(ASCII.openBrace) else { return false }
        var parser = PluralMessageParser(text)
        switch parser.firstArgument() {
        case .found: return true
        case .begun:
            var scanner = NumberScanner(text)
            return scanner.next() == nil
        case .none: return false
        }
    }

    /// The forms by name: exact values first, as `=0`, then one for each category that differs from `other`; with both kinds
    /// of words one for each pair, as `one-few`.
    var named: [(name: String, form: Form)] {
        let other = forms.last ?? Form()
        var named = exact.map { (name: "=\($0.value)", form: $0.form) }
        for (index, form) in forms.enumerated() where form != other {
            let name = name(of: index)
            if named.contains(where: { $0.name == name }) { continue }
            named.append((name: name, form: form))
        }
        return named + [(name: PluralCategory.other.rawValue, form: other)]
    }

    private func name(of index: Int) -> String {
        guard ordinal != nil else { return PluralCategory.allCases[index].rawValue }
        let count = PluralCategory.allCases.count
        let rank = PluralCategory.allCases[index % count].rawValue
        return isCardinal ? "\(PluralCategory.allCases[index / count].rawValue)-\(rank)" : rank
    }

    func escapedForJSON() -> PluralMessage {
        func escaped(_ form: Form) -> Form {
            Form(texts: form.texts.map { JSONText.escaped($0) }, shifts: form.shifts)
        }
        return PluralMessage(self, forms: forms.map(escaped), exact: exact.map { ($0.value, escaped($0.form)) })
    }

    /// Bytes of the texts of all forms, and of their lists.
    var byteCounts: (texts: Int, lists: Int) {
        (forms + exact.map { $0.form }).reduce((0, 0)) { sum, form in
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

    /// Returns the number less the offset, or the number itself if the difference has too many digits.
    func shifted(_ value: ExactDecimal) -> ExactDecimal {
        offset == 0 ? value : value.adding(-ExactDecimal(Int(offset))) ?? value
    }

    /// Returns the form for a number.
    func form(for value: Double, _ plan: NumberPlan) -> Form {
        form(for: plan.operands(of: value), isNegative: value < 0, shifted: plan.operands(of: shifted(value)))
    }

    /// Returns the form for a number.
    func form(for value: ExactDecimal, _ plan: NumberPlan) -> Form {
        form(for: plan.operands(of: value), isNegative: value.isNegative, shifted: plan.operands(of: shifted(value)))
    }

    private func form(
        for operands: PluralOperands, isNegative: Bool, shifted: @autoclosure () -> PluralOperands
    ) -> Form {
        if operands.t == 0, !isNegative || operands.i == 0 {
            for candidate in exact where candidate.value == operands.i { return candidate.form }
        }
        let shown = offset == 0 ? operands : shifted()
        let count = rule.category(for: shown).index
        guard let ordinal else { return forms[count] }
        return forms[count * PluralCategory.allCases.count + ordinal.category(for: shown).index]
    }

    static func == (left: PluralMessage, right: PluralMessage) -> Bool {
        left.rule == right.rule && left.ordinal == right.ordinal && left.offset == right.offset
            && left.forms == right.forms
            && left.exact.elementsEqual(right.exact) { $0.value == $1.value && $0.form == $1.form }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rule)
        hasher.combine(forms)
    }
}

extension NumberPlan {
    /// Returns the plural operands of `value` as this plan shows it.
    func operands(of value: Double) -> PluralOperands {
        let magnitude = value.isFinite ? value.magnitude : 0
        if compact == nil, let adaptive, adaptive.exponent == nil {
            return digits(of: .double(magnitude), isNegative: value < 0).run.operands
        }
        return DecimalUnits(
            rounding: magnitude, places: maximumDecimals + shift, rule: rounding, isNegative: value < 0
        ).run(in: self).operands
    }

    /// Returns the plural operands of `value` as this plan shows it.
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
