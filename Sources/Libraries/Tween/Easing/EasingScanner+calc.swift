// Computed numbers of CSS Values Level 4: calc(), min(), max() and clamp() of numbers or of percentages.

import Base

extension EasingScanner {
    /// A number, or a percentage divided by 100, and which of the two.
    private struct Quantity {
        var value: Double
        var isPercentage: Bool

        func with(_ value: Double) -> Quantity { Quantity(value: value, isPercentage: isPercentage) }
    }

    /// CSS requires 32 levels of parentheses; the limit matters because clients send these texts.
    private static let maximumDepth = 32

    /// Reads one of the functions and returns its result. Returns nil and reads nothing if there is none, or it isn't valid.
    mutating func computed() -> Number? {
        let start = self
        guard let result = function(depth: 0) else {
            self = start
            return nil
        }
        let value = result.value.isFinite ? result.value : nil
        // `steps()` needs an integer: halves round up.
        let integer = value.map { Int(saturating: ($0 + 0.5).rounded(.down)) }
        return Number(value: value, integer: integer, isPercentage: result.isPercentage)
    }

    private mutating func function(depth: Int) -> Quantity? {
        let name = name()
        guard depth < Self.maximumDepth, ["calc", "min", "max", "clamp"].contains(name), accept("(") else { return nil }
        var arguments: [Quantity] = []
        repeat {
            guard let argument = sum(depth: depth + 1),
                argument.isPercentage == arguments.first?.isPercentage ?? argument.isPercentage
            else { return nil }
            arguments.append(argument)
            skipSpace()
        } while accept(",")
        guard accept(")"), let first = arguments.first else { return nil }
        let values = arguments.map { $0.value }
        switch (name, values.count) {
        case ("calc", 1): return first
        case ("min", _): return values.min().map(first.with)
        case ("max", _): return values.max().map(first.with)
        // The minimum wins over the maximum.
        case ("clamp", 3): return first.with(max(values[0], min(values[1], values[2])))
        default: return nil
        }
    }

    /// Reads terms of one kind. A sign between two of them needs spaces around it.
    private mutating func sum(depth: Int) -> Quantity? {
        skipSpace()
        guard var total = product(depth: depth) else { return nil }
        while true {
            let end = self
            guard let sign = spacedSign(), let term = product(depth: depth), term.isPercentage == total.isPercentage
            else {
                self = end
                return total
            }
            total.value += sign * term.value
        }
    }

    private mutating func spacedSign() -> Double? {
        func isAtSpace() -> Bool { byte.map { $0 == 0x20 || (0x09...0x0D).contains($0) } == true }
        guard isAtSpace() else { return nil }
        skipSpace()
        guard let sign = accept("+") ? 1.0 : accept("-") ? -1.0 : nil, isAtSpace() else { return nil }
        skipSpace()
        return sign
    }

    private mutating func product(depth: Int) -> Quantity? {
        guard var result = value(depth: depth) else { return nil }
        while true {
            let end = self
            skipSpace()
            let divides = accept("/")
            guard divides || accept("*") else {
                self = end
                return result
            }
            skipSpace()
            guard let factor = value(depth: depth), !factor.isPercentage || !divides && !result.isPercentage else {
                return nil
            }
            result.value = divides ? result.value / factor.value : result.value * factor.value
            result.isPercentage = result.isPercentage || factor.isPercentage
        }
    }

    private mutating func value(depth: Int) -> Quantity? {
        if let number = literal() {
            return Quantity(value: number.value ?? .infinity, isPercentage: number.isPercentage)
        }
        if accept("(") {
            guard depth < Self.maximumDepth, let inner = sum(depth: depth + 1) else { return nil }
            skipSpace()
            return accept(")") ? inner : nil
        }
        let start = self
        let isNegative = accept("-")
        switch name() {
        case "infinity": return Quantity(value: isNegative ? -.infinity : .infinity, isPercentage: false)
        case "e" where !isNegative: return Quantity(value: 2.718_281_828_459_045, isPercentage: false)
        case "pi" where !isNegative: return Quantity(value: .pi, isPercentage: false)
        case "nan" where !isNegative: return Quantity(value: .nan, isPercentage: false)
        default:
            self = start
            return function(depth: depth)
        }
    }
}
