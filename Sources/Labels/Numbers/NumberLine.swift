// The fast way to write a number: from its last byte to its first into a small buffer, then appended in one go.
// It decides nothing that DigitRun doesn't; a test holds the two against each other.

/// One formatted number with ASCII digits, on the stack.
struct NumberLine {
    private static let capacity = 64
    private var buffer = InlineArray<64, UInt8>(repeating: 0)
    /// Where the first byte written stands.
    private var start = Self.capacity
    /// Cleared when a byte found no room.
    private var fits = true

    /// Writes the number; false where it doesn't fit, which is left to the long way.
    mutating func write(_ units: UInt64, isNegative: Bool, _ plan: NumberPlan) -> Bool {
        // The arrays are named in place: copies of the affixes would cost reference counts in every frame.
        if units == 0 {
            put(plan.affixes.zero.suffix)
            putDigits(units, plan)
            put(plan.affixes.zero.prefix)
        } else if isNegative {
            put(plan.affixes.negative.suffix)
            putDigits(units, plan)
            put(plan.affixes.negative.prefix)
        } else {
            put(plan.affixes.positive.suffix)
            putDigits(units, plan)
            put(plan.affixes.positive.prefix)
        }
        return fits
    }

    /// Appends what was written.
    func append(to bytes: inout [UInt8]) {
        // Unsafe because an array takes no span; the pointer doesn't leave the closure.
        unsafe buffer.span.extracting(start..<Self.capacity).withUnsafeBufferPointer { line in
            unsafe bytes.append(contentsOf: line)
        }
    }

    private mutating func putDigits(_ units: UInt64, _ plan: NumberPlan) {
        var rest = units
        var hasDecimals = false
        for place in stride(from: plan.maximumDecimals, to: 0, by: -1) {
            let digit = Self.takeDigit(&rest)
            if digit == ASCII.zero, !hasDecimals, place > plan.minimumDecimals { continue }
            hasDecimals = true
            put(digit)
        }
        if hasDecimals { put(plan.decimalSeparator) }
        putIntegers(rest, plan)
    }

    private mutating func putIntegers(_ value: UInt64, _ plan: NumberPlan) {
        var rest = value
        var count = 0
        // Digits up to the next separator; never reached without grouping.
        var group = plan.groups(value) ? plan.grouping.primary : .max
        while rest > 0 || count < plan.minimumIntegerDigits {
            if count == group {
                put(plan.groupSeparator)
                group += plan.grouping.secondary > 0 ? plan.grouping.secondary : .max - group
            }
            put(Self.takeDigit(&rest))
            count += 1
        }
    }

    private static func takeDigit(_ rest: inout UInt64) -> UInt8 {
        let quotient = rest / 10
        let digit = UInt8(truncatingIfNeeded: rest &- quotient &* 10)
        rest = quotient
        return ASCII.zero &+ digit
    }

    private mutating func put(_ byte: UInt8) {
        guard start > 0 else {
            fits = false
            return
        }
        start -= 1
        buffer[start] = byte
    }

    private mutating func put(_ text: [UInt8]) {
        var index = text.count
        while index > 0 {
            index -= 1
            put(text[index])
        }
    }
}

extension NumberPlan {
    /// Whether the digits before the point are enough for a separator.
    fileprivate func groups(_ integers: UInt64) -> Bool {
        guard grouping.primary > 0 else { return false }
        let count = max(DecimalUnits.digitCount(integers), minimumIntegerDigits)
        return count >= grouping.primary + grouping.minimum
    }
}
