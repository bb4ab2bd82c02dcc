// Writes the JSON array of a label's parts.

/// Writes static texts and wheels as elements of one JSON array.
struct WheelList {
    private var isEmpty = true

    /// The most bytes that the array's brackets write.
    static let brackets = 16

    /// Returns the most bytes that a wheel writes: brackets, commas and three numbers, which callers choose freely.
    static func room(_ wheel: DigitWheel) -> Int {
        let isUsual =
            wheel.place.magnitude < 1_000 && (0...10).contains(wheel.position) && (0...1).contains(wheel.presence)
        // The largest double has 309 digits.
        return isUsual ? 48 : 1_024
    }

    /// Returns the most bytes that a text writes: quotes, brackets, commas and its presence.
    static func room(_ text: [UInt8]) -> Int { text.count + 32 }

    /// - Parameters:
    ///   - text: UTF-8, escaped for JSON; an empty one writes nothing.
    ///   - presence: 0 to 1.
    mutating func put(
        text: [UInt8], _ presence: Double, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        guard !text.isEmpty else { return start }
        var place = separate(&out, at: start)
        if presence < 1 { place = out.put(UInt64(UInt8(ascii: "[")), count: 1, at: place) }
        place = out.put(UInt64(ASCII.quote), count: 1, at: place)
        place = out.put(text.span, at: place)
        place = out.put(UInt64(ASCII.quote), count: 1, at: place)
        guard presence < 1 else { return place }
        place = out.put(UInt64(ASCII.comma), count: 1, at: place)
        place = Self.put(presence, into: &out, at: place)
        return out.put(UInt64(UInt8(ascii: "]")), count: 1, at: place)
    }

    mutating func put(_ wheel: DigitWheel, into out: inout MutableRawSpan, at start: Int) -> Int {
        var place = separate(&out, at: start)
        place = out.put(UInt64(UInt8(ascii: "[")), count: 1, at: place)
        if wheel.place < 0 { place = out.put(UInt64(ASCII.minus), count: 1, at: place) }
        place = out.put(whole: UInt64(wheel.place.magnitude), at: place)
        place = out.put(UInt64(ASCII.comma), count: 1, at: place)
        place = Self.put(wheel.position, into: &out, at: place)
        if wheel.presence < 1 {
            place = out.put(UInt64(ASCII.comma), count: 1, at: place)
            place = Self.put(wheel.presence, into: &out, at: place)
        }
        return out.put(UInt64(UInt8(ascii: "]")), count: 1, at: place)
    }

    mutating func close(_ out: inout MutableRawSpan, at start: Int) -> Int {
        let place = isEmpty ? separate(&out, at: start) : start
        return out.put(UInt64(UInt8(ascii: "]")), count: 1, at: place)
    }

    private mutating func separate(_ out: inout MutableRawSpan, at place: Int) -> Int {
        defer { isEmpty = false }
        return out.put(UInt64(isEmpty ? UInt8(ascii: "[") : ASCII.comma), count: 1, at: place)
    }

    private static func put(_ value: Double, into out: inout MutableRawSpan, at place: Int) -> Int {
        // Most wheels are on a digit.
        for digit in 0..<10 where value == Double(digit) {
            return out.put(UInt64(ASCII.zero) + UInt64(digit), count: 1, at: place)
        }
        return numbers.put(value, into: &out, at: place)
    }

    private static let numbers = WheelNumbers()
}

/// Writes the numbers of wheels.
private struct WheelNumbers {
    /// Positions in thousandths of a digit, truncated so that 9.9996 doesn't become 10, which no wheel has.
    private let plan: NumberPlan
    private let layout: NumberLayout?
    private let words: [UInt64]

    init() {
        var plan = NumberPlan.plain(decimals: 3)
        plan.minimumDecimals = 0
        plan.rounding = .trunc
        self.plan = plan
        var words: [UInt64] = []
        layout = NumberLayout(plan) { words.adopt($0) }
        self.words = words
    }

    func put(_ value: Double, into out: inout MutableRawSpan, at start: Int) -> Int {
        if let layout, let units = layout.units(of: value) {
            return layout.put(units, words.span, into: &out, at: start)
        }
        var text: [UInt8] = []
        plan.append(value, to: &text)
        return out.put(text.span, at: start)
    }
}
