// The JSON array of a label's parts while it is being written.

/// Writes static texts and wheels as elements of one JSON array.
struct WheelList {
    private var isEmpty = true

    /// - Parameter text: UTF-8, escaped for JSON; nothing is written for an empty one.
    mutating func append(text: [UInt8], to bytes: inout [UInt8]) {
        guard !text.isEmpty else { return }
        separate(&bytes)
        bytes.append(ASCII.quote)
        text.append(to: &bytes)
        bytes.append(ASCII.quote)
    }

    mutating func append(_ wheel: DigitWheel, to bytes: inout [UInt8]) {
        separate(&bytes)
        bytes.append(UInt8(ascii: "["))
        Self.whole.append(Double(wheel.place), to: &bytes)
        bytes.append(ASCII.comma)
        Self.thousandths.append(wheel.position, to: &bytes)
        if wheel.presence < 1 {
            bytes.append(ASCII.comma)
            Self.thousandths.append(wheel.presence, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func close(to bytes: inout [UInt8]) {
        if isEmpty { bytes.append(UInt8(ascii: "[")) }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func separate(_ bytes: inout [UInt8]) {
        bytes.append(isEmpty ? UInt8(ascii: "[") : ASCII.comma)
        isEmpty = false
    }

    private static let whole = NumberPlan.plain(decimals: 0)
    /// Positions to a thousandth of a digit, cut off so that 9.9996 doesn't become a 10 that no wheel has.
    private static let thousandths: NumberPlan = {
        var plan = NumberPlan.plain(decimals: 3)
        plan.minimumDecimals = 0
        plan.rounding = .trunc
        return plan
    }()
}
