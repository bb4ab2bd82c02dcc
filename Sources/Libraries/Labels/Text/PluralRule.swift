// CLDR's cardinal plural rules, one case for each set of rules. Conditions are written as in CLDR; PluralRule+languages
// lists the languages.

/// How a language picks the word for a number.
public enum PluralRule: Hashable, Sendable {
    /// One form for all.
    case none
    /// `i = 0 or n = 1`: Hindi.
    case oneIfZeroUnitsOrOne
    /// `i = 0,1`: Armenian.
    case oneIfUnitsZeroOrOne
    /// `i = 1 and v = 0`: English.
    case oneIfWholeOne
    /// `n = 0..1`: Punjabi.
    case oneIfZeroOrOne
    /// `n = 1`: Turkish.
    case oneIfOne
    /// Languages with `one` and `other` by their own rules.
    case sinhala, tamazight, danish, icelandic, macedonian, filipino
    /// Languages with a third form for few or for none.
    case latvian, langi, colognian, hebrew, dual, tachelhit, romanian, serbian
    /// Languages with a form for round millions.
    case french, portuguese, italian, spanish
    /// Languages with three or four forms that depend on the last digits.
    case scottishGaelic, slovenian, sorbian, czech, polish, belarusian, lithuanian, russian
    /// Languages with five or six forms.
    case breton, maltese, irish, manx, cornish, arabic, welsh

    /// Returns the category of a shown number.
    public func category(for number: PluralOperands) -> PluralCategory {
        switch self {
        case .none: .other
        case .oneIfZeroUnitsOrOne: number.i == 0 || number.n(1) ? .one : .other
        case .oneIfUnitsZeroOrOne: number.i <= 1 ? .one : .other
        case .oneIfWholeOne: number.i == 1 && number.v == 0 ? .one : .other
        case .oneIfZeroOrOne: number.n(0...1) ? .one : .other
        case .oneIfOne: number.n(1) ? .one : .other
        case .sinhala: number.n(0...1) || (number.i == 0 && number.f == 1) ? .one : .other
        case .tamazight: number.n(0...1) || number.n(11...99) ? .one : .other
        case .danish: number.n(1) || (number.t != 0 && number.i <= 1) ? .one : .other
        case .icelandic: number.isIcelandicOne ? .one : .other
        case .macedonian: number.endsInOne ? .one : .other
        case .filipino: number.isFilipinoOne ? .one : .other
        case .french, .portuguese, .italian, .spanish: romance(number)
        case .latvian, .langi, .colognian, .hebrew, .dual, .tachelhit, .romanian: few(number)
        case .serbian, .czech, .polish, .belarusian, .lithuanian, .russian, .slovenian, .sorbian: slavic(number)
        case .scottishGaelic, .breton, .maltese, .irish, .manx, .cornish, .arabic, .welsh: many(number)
        }
    }

    /// Returns the category in languages that say "de" after a round million.
    private func romance(_ number: PluralOperands) -> PluralCategory {
        let isOne =
            switch self {
            case .spanish: number.n(1)
            case .italian: number.i == 1 && number.v == 0
            default: number.i <= 1
            }
        if isOne { return .one }
        let isMillions = number.e == 0 && number.i != 0 && number.i.isMultiple(of: 1_000_000) && number.v == 0
        return isMillions || number.e > 5 ? .many : .other
    }

    private func few(_ number: PluralOperands) -> PluralCategory {
        switch self {
        case .latvian:
            return number.latvian
        case .langi:
            if number.n(0) { return .zero }
            return number.i <= 1 ? .one : .other
        case .colognian:
            if number.n(0) { return .zero }
            return number.n(1) ? .one : .other
        case .hebrew:
            if (number.i == 1 && number.v == 0) || (number.i == 0 && number.v != 0) { return .one }
            return number.i == 2 && number.v == 0 ? .two : .other
        case .dual:
            if number.n(1) { return .one }
            return number.n(2) ? .two : .other
        case .tachelhit:
            if number.i == 0 || number.n(1) { return .one }
            return number.n(2...10) ? .few : .other
        default:  // Romanian
            if number.i == 1 && number.v == 0 { return .one }
            return number.v != 0 || number.n(0) || number.n(modulo: 100, 1...19) ? .few : .other
        }
    }

    private func slavic(_ number: PluralOperands) -> PluralCategory {
        let isWhole = number.v == 0
        switch self {
        case .serbian:
            if number.endsInOne { return .one }
            let isFew = { (x: UInt64) in (2...4).contains(x % 10) && !(12...14).contains(x % 100) }
            return (isWhole && isFew(number.i)) || isFew(number.f) ? .few : .other
        case .czech:
            if number.i == 1 && isWhole { return .one }
            if (2...4).contains(number.i) && isWhole { return .few }
            return isWhole ? .other : .many
        case .slovenian:
            return isWhole ? Self.hundredth(number.i) : .few
        case .sorbian:
            let whole = isWhole ? Self.hundredth(number.i) : .other
            return whole == .other ? Self.hundredth(number.f) : whole
        case .lithuanian:
            if number.n(modulo: 10, 1...1), !number.n(modulo: 100, 11...19) { return .one }
            if number.n(modulo: 10, 2...9), !number.n(modulo: 100, 11...19) { return .few }
            return number.f != 0 ? .many : .other
        default:
            return eastSlavic(number)
        }
    }

    /// Polish, Russian (integers only) and Belarusian (by value).
    private func eastSlavic(_ number: PluralOperands) -> PluralCategory {
        guard self == .belarusian ? number.isInteger : number.v == 0 else { return .other }
        let (ones, hundreds) = (number.i % 10, number.i % 100)
        if self == .polish ? number.i == 1 : (ones == 1 && hundreds != 11) { return .one }
        return (2...4).contains(ones) && !(12...14).contains(hundreds) ? .few : .many
    }

    private static func hundredth(_ value: UInt64) -> PluralCategory {
        switch value % 100 {
        case 1: .one
        case 2: .two
        case 3, 4: .few
        default: .other
        }
    }

    private func many(_ number: PluralOperands) -> PluralCategory {
        if self == .manx { return number.manx }
        guard number.isInteger else { return .other }
        let n = number.i
        switch self {
        case .scottishGaelic:
            switch n {
            case 1, 11: return .one
            case 2, 12: return .two
            case 3...10, 13...19: return .few
            default: return .other
            }
        case .breton:
            return PluralOperands.breton(n)
        case .maltese:
            if n == 1 { return .one }
            if n == 2 { return .two }
            if n == 0 || (3...10).contains(n % 100) { return .few }
            return (11...19).contains(n % 100) ? .many : .other
        case .irish:
            switch n {
            case 1: return .one
            case 2: return .two
            case 3...6: return .few
            case 7...10: return .many
            default: return .other
            }
        case .cornish:
            return PluralOperands.cornish(n)
        case .arabic:
            if n <= 2 { return [.zero, .one, .two][Int(n)] }
            if (3...10).contains(n % 100) { return .few }
            return n % 100 >= 11 ? .many : .other
        default:  // Welsh
            switch n {
            case 0: return .zero
            case 1: return .one
            case 2: return .two
            case 3: return .few
            case 6: return .many
            default: return .other
            }
        }
    }
}
