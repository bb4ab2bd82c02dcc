// A piece of a label with wheels: a turning digit, or static text.

/// A part of a label, from left to right. Parts are plain values, so that an array of them can be reused for each frame.
public enum WheelPart: Hashable, Sendable {
    /// Static text by its role.
    public enum Fixed: Hashable, Sendable {
        /// The label's text before and after the number.
        case prefix, suffix
        /// The format's text before and after the digits: sign, currency, unit.
        case numberPrefix, numberSuffix
        /// The separators between the digits.
        case decimalSeparator, groupSeparator
    }

    /// Static text. Its presence is 1, or less for a separator that enters or leaves with its digits.
    case fixed(Fixed, presence: Double = 1)
    /// A turning digit.
    case wheel(DigitWheel)
}

/// A digit's wheel.
public struct DigitWheel: Hashable, Sendable {
    /// The power of ten that the digit counts: 0 for ones, -1 for tenths. It identifies the wheel between frames.
    public let place: Int
    /// The wheel's position, 0..<10; 3.25 is a quarter of the way from 3 to 4. After 9 it turns to 0.
    public let position: Double
    /// 1 for a visible wheel, less for one that enters or leaves at either end of the number.
    public let presence: Double

    /// Creates a wheel, fully present by default.
    public init(place: Int, position: Double, presence: Double = 1) {
        self.place = place
        self.position = position
        self.presence = presence
    }
}
