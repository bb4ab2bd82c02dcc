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
        return isUsual ? usualRoom : 1_024
    }

    /// The most bytes that a wheel of a label writes.
    static let usualRoom = 48

    /// Returns the most bytes that a text writes: quotes, brackets, commas and its presence.
    static func room(textOf count: Int) -> Int { count + 32 }

    /// - Parameters:
    ///   - text: UTF-8, escaped for JSON; an empty one writes nothing.
    ///   - presence: 0 to 1.
    mutating func put(
        text: [UInt8], _ presence: Double, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        guard !text.isEmpty else { return start }
        return put(presence, into: &out, at: start) { out, start in
            var place = out.put(UInt64(ASCII.quote), count: 1, at: start)
            place = out.put(text.span, at: place)
            return out.put(UInt64(ASCII.quote), count: 1, at: place)
        }
    }

    /// - Parameter text: A JSON string with its quotes; an empty range writes nothing.
    @inline(__always)
    mutating func put(
        quoted text: WordRange, of words: Span<UInt64>, _ presence: Double, into out: inout MutableRawSpan,
        at start: Int
    ) -> Int {
        guard text.count > 0 else { return start }
        return put(presence, into: &out, at: start) { out, start in out.put(text, of: words, at: start) }
    }

    /// Writes a text, in a list with its presence if that is less than 1.
    @inline(__always)
    private mutating func put(
        _ presence: Double, into out: inout MutableRawSpan, at start: Int,
        text: (inout MutableRawSpan, Int) -> Int
    ) -> Int {
        let place = separate(&out, at: start)
        guard presence < 1 else { return text(&out, place) }
        var end = out.put(UInt64(UInt8(ascii: "[")), count: 1, at: place)
        end = text(&out, end)
        end = out.put(UInt64(ASCII.comma), count: 1, at: end)
        end = Self.put(presence, into: &out, at: end)
        return out.put(UInt64(UInt8(ascii: "]")), count: 1, at: end)
    }

    mutating func put(_ wheel: DigitWheel, into out: inout MutableRawSpan, at start: Int) -> Int {
        var place = putPlace(of: wheel, into: &out, at: start)
        place = Self.put(wheel.position, into: &out, at: place)
        if wheel.presence < 1 {
            place = out.put(UInt64(ASCII.comma), count: 1, at: place)
            place = Self.put(wheel.presence, into: &out, at: place)
        }
        return out.put(UInt64(UInt8(ascii: "]")), count: 1, at: place)
    }

    /// Writes `[`, the place and a comma.
    @inline(__always)
    private mutating func putPlace(of wheel: DigitWheel, into out: inout MutableRawSpan, at start: Int) -> Int {
        let isNegative = wheel.place < 0
        let place = separate(&out, at: start)
        let sign = UInt64(UInt8(ascii: "[")) | UInt64(ASCII.minus) << 8
        let end = out.put(sign, count: isNegative ? 2 : 1, at: place)
        let magnitude = UInt64(wheel.place.magnitude)
        guard magnitude < 10 else {
            return out.put(UInt64(ASCII.comma), count: 1, at: out.put(whole: magnitude, at: end))
        }
        return out.put((UInt64(ASCII.zero) + magnitude) | UInt64(ASCII.comma) << 8, count: 2, at: end)
    }

    mutating func close(_ out: inout MutableRawSpan, at start: Int) -> Int {
        let place = isEmpty ? separate(&out, at: start) : start
        return out.put(UInt64(UInt8(ascii: "]")), count: 1, at: place)
    }

    private mutating func separate(_ out: inout MutableRawSpan, at place: Int) -> Int {
        defer { isEmpty = false }
        return out.put(UInt64(isEmpty ? UInt8(ascii: "[") : ASCII.comma), count: 1, at: place)
    }

    @inline(__always)
    private static func put(_ value: Double, into out: inout MutableRawSpan, at start: Int) -> Int {
        guard value >= 0, value < 10 else { return put(any: value, into: &out, at: start) }
        // proven: 0 up to 10.
        let digit = UInt64(value)
        // Most wheels are on a digit.
        guard value != Double(digit) else { return out.put(UInt64(ASCII.zero) + digit, count: 1, at: start) }
        guard let thousandths = thousandths(of: value) else { return put(any: value, into: &out, at: start) }
        return put(thousandths: thousandths, into: &out, at: start)
    }

    /// Returns a number from 0 up to 10 in thousandths, truncated so that 9.9996 doesn't become 10, which no wheel has.
    @inline(__always)
    private static func thousandths(of value: Double) -> UInt64? {
        let product = value * 1_000
        // proven: 0 up to 10,000.
        let floor = UInt64(product)
        // The product is off by less than this, so between two integers it decides.
        let error = product * 0x1p-51
        let distance = product - Double(floor)
        if distance > error, 1 - distance > error { return floor }
        return DecimalUnits.fastUnits(value, places: 3, rule: .trunc, isNegative: false)
    }

    /// Writes less than 10,000 thousandths without trailing zeros.
    @inline(__always)
    private static func put(thousandths: UInt64, into out: inout MutableRawSpan, at start: Int) -> Int {
        let whole = thousandths / 1_000
        let rest = thousandths - whole * 1_000
        let (tenths, hundredths) = (rest / 100, rest / 10)
        let (second, third) = (hundredths - tenths * 10, rest - hundredths * 10)
        let digits = whole | tenths << 16 | second << 24 | third << 32
        let count = third > 0 ? 5 : second > 0 ? 4 : tenths > 0 ? 3 : 1
        return out.put(digits | zeros, count: count, at: start)
    }

    /// A point between zeros.
    private static var zeros: UInt64 { 0x30_3030_2E30 }

    /// Writes any number: callers choose those of their wheels freely.
    private static func put(any value: Double, into out: inout MutableRawSpan, at start: Int) -> Int {
        var text: [UInt8] = []
        plan.append(value, to: &text)
        return out.put(text.span, at: start)
    }

    /// Thousandths, truncated.
    private static let plan = {
        var plan = NumberPlan.plain(decimals: 3)
        plan.minimumDecimals = 0
        plan.rounding = .trunc
        return plan
    }()
}
