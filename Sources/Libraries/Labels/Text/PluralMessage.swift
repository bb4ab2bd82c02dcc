// A label in ICU MessageFormat, with one number: {n}, {n, number}, {n, plural, offset:1 =0 {…} one {…} other {…}},
// {n, selectordinal, one {#st} … other {#th}} and #. All forms are laid out when the message is parsed; a frame picks one and writes bytes.

/// A message whose words follow its number.
struct PluralMessage: Hashable, Sendable {
    /// Static texts with the number between each two of them.
    struct Form: Hashable, Sendable {
        var texts: [[UInt8]] = [[]]
        /// For each number between two of them: whether it is the number less the offset.
        var shifts: [Bool] = []
    }

    /// The argument's name.
    let name: String
    let rule: PluralRule
    /// Nil without ordinals.
    let ordinal: OrdinalRule?
    /// Whether words follow the count: then forms are by the category of that, too.
    let isCardinal: Bool
    /// What is subtracted from the number where `#` stands for it, and before its category is looked for: `{n} like this` as
    /// `you and # others`.
    let offset: UInt64
    /// By `PluralCategory.index` of the count; with ordinals each of these by that of the rank.
    let forms: [Form]
    /// Forms for exact values (`=0`), tried first.
    let exact: [(value: UInt64, form: Form)]

    /// - Parameter language: Whose rules pick a form.
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
            // The exact form wins where there is one; other arguments of the message go by category.
            let shifted = value > message.offset ? value - message.offset : message.offset - value
            let operands = PluralOperands(i: shifted)
            let choice = PluralMessageTree.Choice(
                exact: value, count: rule.category(for: operands), rank: ordinal.category(for: operands))
            return (value, message.form(choice))
        }
    }

    /// A text without a number: one form for all.
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

    /// Whether a text has an argument: `{name}`, or `{name, kind` and whatever follows. Braces that hold something else are
    /// text, as are quoted ones; but a text without any number that begins an argument was meant as a message.
    static func isMessage(_ text: String) -> Bool {
        // Most labels have no brace at all, and are looked through at once.
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

    /// The forms by their names: those for exact values first, as `=0`, then one for each category that has another than
    /// `other`, and with both kinds of words for each pair, as `one-few`.
    var named: [(name: String, form: Form)] {
        let other = forms.last ?? Form()
        var named = exact.map { ("=\($0.value)", $0.form) }
        for (index, form) in forms.enumerated() where form != other {
            let name = name(of: index)
            if named.contains(where: { $0.0 == name }) { continue }
            named.append((name, form))
        }
        return named + [(PluralCategory.other.rawValue, other)]
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
