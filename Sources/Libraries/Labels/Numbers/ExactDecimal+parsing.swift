// Parses exact decimals: from plain text (scale as written), from JSON numbers and from doubles (scale by value). Nothing is
// rounded, unless a caller says to how many decimals: what doesn't fit is nil.

extension ExactDecimal {
    /// Parses a plain decimal such as `-12.50` and keeps its scale. Nil for exponents, signs other than `-`, a point without
    /// digits on both sides, anything else, and more than 38 digits.
    public init?(parsing text: some Sequence<UInt8>) {
        guard let literal = DecimalLiteral(text, allowsExponent: false) else { return nil }
        self.init(literal, keepsScale: true)
    }

    /// Parses a plain decimal such as `-12.50` and keeps its scale; nil as for bytes.
    public init?(parsing text: String) {
        self.init(parsing: text.utf8)
    }

    /// Parses a JSON number (RFC 8259), exponent included, with the scale of its *value*: `5.00` has none, `1.5e-7` eight.
    /// Nil if plain notation needs more than 38 digits.
    public init?(jsonNumber: some Collection<UInt8>) {
        self.init(json: DecimalLiteral(jsonNumber, allowsExponent: true))
    }

    /// The same for an array slice, the form in documents: the generic one isn't specialized for it in other modules.
    package init?(jsonNumber: ArraySlice<UInt8>) {
        self.init(json: DecimalLiteral(jsonNumber, allowsExponent: true))
    }

    private init?(json literal: DecimalLiteral?) {
        guard let literal, !literal.hasLeadingZero else { return nil }
        self.init(literal, keepsScale: false)
    }

    /// The shortest decimal that reads back as `value`; nil for NaN, infinities and more than 38 digits.
    public init?(_ value: Double) {
        guard value.isFinite, let literal = DecimalLiteral(value.description.utf8, allowsExponent: true) else {
            return nil
        }
        self.init(literal, keepsScale: false)
    }

    /// Parses a number, exponent included, and rounds it to at most 0...38 `decimals`, halves away from zero. Its scale is that
    /// of its value. Nil if plain notation needs more than 38 digits even then.
    package init?(parsing text: some Sequence<UInt8>, roundedTo decimals: Int) {
        guard let literal = DecimalLiteral(text, allowsExponent: true) else { return nil }
        guard literal.scale > decimals else {
            self.init(literal, keepsScale: false)
            return
        }
        let digits = DecimalUnits(
            rounding: literal.coefficient, scale: literal.scale, places: decimals, rule: .halfExpand,
            isNegative: literal.isNegative)
        let coefficient = Int128(digits.units)
        self = ExactDecimal(unchecked: literal.isNegative ? -coefficient : coefficient, scale: decimals).normalized
    }

    private init?(_ literal: DecimalLiteral, keepsScale: Bool) {
        var coefficient = Int128(literal.coefficient)
        var scale = literal.scale
        if coefficient == 0, !keepsScale { scale = 0 }
        while !keepsScale, scale > 0, coefficient.isMultiple(of: 10) {
            coefficient /= 10
            scale -= 1
        }
        if scale < 0 {
            guard scale >= -Self.maximumDigits else { return nil }
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: Int128(PowersOfTen.wide(-scale)))
            if overflow { return nil }
            coefficient = product
            scale = 0
        }
        self.init(coefficient: literal.isNegative ? -coefficient : coefficient, scale: scale)
    }
}

/// The parts of a decimal literal. The coefficient has at most 38 digits.
struct DecimalLiteral {
    private(set) var isNegative = false
    private(set) var coefficient: UInt128 = 0
    /// Digits after the point minus the exponent.
    private(set) var scale = 0
    /// `007` is allowed in text, but not in JSON.
    private(set) var hasLeadingZero = false

    init?(_ text: some Sequence<UInt8>, allowsExponent: Bool) {
        var bytes = text.makeIterator()
        var byte = bytes.next()
        if byte == ASCII.minus {
            isNegative = true
            byte = bytes.next()
        }
        var zeros = 0  // Trailing zeros only enter the coefficient before another digit.
        let startsWithZero = byte == ASCII.zero
        guard let integers = readDigits(&byte, &bytes, &zeros), integers > 0 else { return nil }
        hasLeadingZero = startsWithZero && integers > 1
        if byte == ASCII.point {
            byte = bytes.next()
            guard let decimals = readDigits(&byte, &bytes, &zeros), decimals > 0 else { return nil }
            scale = decimals
        }
        if allowsExponent, byte == ASCII.e || byte == ASCII.capitalE {
            guard let exponent = Self.readExponent(&byte, &bytes) else { return nil }
            scale -= exponent
        }
        guard byte == nil else { return nil }
        append(zeros)
    }

    /// Reads and counts a run of digits; nil when the coefficient overflows or the run is absurdly long.
    private mutating func readDigits<I: IteratorProtocol<UInt8>>(
        _ byte: inout UInt8?, _ bytes: inout I, _ zeros: inout Int
    ) -> Int? {
        var count = 0
        while let digit = byte, ASCII.isDigit(digit) {
            count += 1
            if digit == ASCII.zero {
                zeros += coefficient == 0 ? 0 : 1
            } else {
                guard zeros < ExactDecimal.maximumDigits else { return nil }
                let power = PowersOfTen.wide(zeros + 1)
                let (product, overflow) = coefficient.multipliedReportingOverflow(by: power)
                let (sum, carry) = product.addingReportingOverflow(UInt128(digit - ASCII.zero))
                guard !overflow, !carry, sum < PowersOfTen.wide(ExactDecimal.maximumDigits) else { return nil }
                coefficient = sum
                zeros = 0
            }
            byte = bytes.next()
        }
        return count
    }

    /// Restores the trailing zeros: in the coefficient if they fit, else in the scale.
    private mutating func append(_ zeros: Int) {
        guard coefficient != 0, zeros > 0 else { return }
        if zeros < ExactDecimal.maximumDigits {
            let (product, overflow) = coefficient.multipliedReportingOverflow(by: PowersOfTen.wide(zeros))
            if !overflow, product < PowersOfTen.wide(ExactDecimal.maximumDigits) {
                coefficient = product
                return
            }
        }
        scale -= zeros
    }

    private static func readExponent<I: IteratorProtocol<UInt8>>(_ byte: inout UInt8?, _ bytes: inout I) -> Int? {
        byte = bytes.next()
        let isNegative = byte == ASCII.minus
        if isNegative || byte == ASCII.plus { byte = bytes.next() }
        guard let first = byte, ASCII.isDigit(first) else { return nil }
        var exponent = 0
        while let digit = byte, ASCII.isDigit(digit) {
            // Saturates: anything larger is rejected by the digit limit anyway.
            exponent = min(exponent * 10 + Int(digit - ASCII.zero), 1_000_000)
            byte = bytes.next()
        }
        return isNegative ? -exponent : exponent
    }
}
