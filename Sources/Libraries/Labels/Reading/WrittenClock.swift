// Finds clock times in a text: 5:09, 0:00:00, 1:05:09.25.

/// A clock's position and shape.
struct WrittenClock {
    let range: Range<Int>
    let shape: ClockShape
    /// The position of its decimal sign.
    let decimalSign: Int?

    /// Nil if no clock begins at a digit. Units after the first have two digits, below sixty. A time of day doesn't count,
    /// nor does anything that continues with colons, such as addresses.
    /// - Parameter start: The first of a run of digits.
    init?(_ text: TextScalars, _ start: Int) {
        guard text[start - 1] != ":" else { return nil }
        let zero = text.zero(start)
        func run(_ index: Int) -> Int {
            var end = index
            while text.zero(end) == zero { end += 1 }
            return end
        }
        var end = run(start)
        guard end - start <= Self.mostDigits else { return nil }
        var units = 0
        while text[end] == ":", run(end + 1) == end + 3, let tens = text.digit(end + 1), tens < 6 {
            end += 3
            units += 1
        }
        guard units == 1 || units == 2 else { return nil }
        var sign: Int?
        if text[end] == "." || text[end] == "," || text[end] == "\u{66B}", run(end + 1) > end + 1 {
            (sign, end) = (end, run(end + 1))
        }
        guard text[end] != ":", text.digit(end) == nil, !text.isLetter(end), !text.isCombining(end),
            !Self.isHalfOfDay(text, end)
        else { return nil }
        (range, shape, decimalSign) = (start..<end, units == 2 ? .hours : .minutes, sign)
    }

    /// The most digits of its first unit.
    private static let mostDigits = 12

    /// Returns whether AM or PM follows.
    private static func isHalfOfDay(_ text: TextScalars, _ end: Int) -> Bool {
        guard text.isSpace(end), let first = text[end + 1], let second = text[end + 2] else { return false }
        return "aApP".unicodeScalars.contains(first) && "mM.".unicodeScalars.contains(second) && !text.isLetter(end + 3)
    }
}
