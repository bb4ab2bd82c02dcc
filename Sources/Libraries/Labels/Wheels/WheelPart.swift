// One piece of a label whose digits are wheels: a turning digit, or text that stands still.

/// A part of a label, from left to right. Parts are plain values, so that an array of them can be reused per frame.
public enum WheelPart: Hashable, Sendable {
    /// Static text, by the part it plays.
    public enum Fixed: Hashable, Sendable {
        /// The label's text before and after the number.
        case prefix, suffix
        /// What the format writes before and after the digits: sign, currency, unit.
        case numberPrefix, numberSuffix
        /// What stands between the digits.
        case decimalSeparator, groupSeparator
    }

    /// Text that stands still. Its presence is 1, or less for a separator that enters or leaves with its digits.
    case fixed(Fixed, presence: Double = 1)
    /// A digit that turns.
    case wheel(DigitWheel)
}

/// A digit's wheel.
public struct DigitWheel: Hashable, Sendable {
    /// The power of ten that the digit counts: 0 for ones, -1 for tenths. It identifies the wheel between frames.
    public let place: Int
    /// Where the wheel stands, 0..<10; 3.25 is a quarter of the way from 3 to 4. From 9 it turns on to 0.
    public let position: Double
    /// 1 for a wheel that is there, less for one that is entering or leaving at either end of the number.
    public let presence: Double

    /// A wheel; it is there unless a presence is given.
    public init(place: Int, position: Double, presence: Double = 1) {
        self.place = place
        self.position = position
        self.presence = presence
    }
}
