// Types that can be animated: those with values in between two others.

/// A type whose values can move from one to another.
public protocol Interpolatable: Sendable {
    /// Returns the value at a fraction of the way.
    ///
    /// Exactly `start` at 0 and exactly `end` at 1. Overshooting curves pass fractions outside 0...1.
    static func interpolated(from start: Self, to end: Self, at share: Double) -> Self
}

extension Interpolatable where Self: BinaryFloatingPoint {
    /// Interpolates in double precision. A number type of your own only needs `: Interpolatable`.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }
}

extension BinaryFloatingPoint {
    static func between(_ start: Self, _ end: Self, at share: Double) -> Self {
        share == 0 ? start : share == 1 ? end : Self(Double(start) + (Double(end) - Double(start)) * share)
    }
}

extension Double: Interpolatable {}
extension Float: Interpolatable {}

extension Interpolatable where Self: FixedWidthInteger {
    /// Returns the nearest integer, halves away from zero, clamped to the type's range. The ends are exact. Between ends beyond
    /// 2^52, the step from `start` has a double's 53 bits.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }
}

extension FixedWidthInteger {
    static func between(_ start: Self, _ end: Self, at share: Double) -> Self {
        if share == 0 { return start }
        if share == 1 { return end }
        let distance = Int128(end) - Int128(start)
        // A double holds numbers below 2^52 with a half: the value is rounded. Beyond, only the step is.
        let isSmall = Int128(start).magnitude < 1 << 52 && distance.magnitude < 1 << 52
        let step = ((isSmall ? Double(start) : 0) + Double(distance) * share).rounded()
        guard step.magnitude < 0x1p120 else { return step < 0 ? .min : .max }
        // proven: below 2^120, and the sum with a 64-bit number is below 2^121.
        return Self(clamping: (isSmall ? 0 : Int128(start)) + Int128(step))
    }
}

extension Int: Interpolatable {}
extension Int8: Interpolatable {}
extension Int16: Interpolatable {}
extension Int32: Interpolatable {}
extension Int64: Interpolatable {}
extension UInt: Interpolatable {}
extension UInt8: Interpolatable {}
extension UInt16: Interpolatable {}
extension UInt32: Interpolatable {}
extension UInt64: Interpolatable {}

extension Array: Interpolatable where Element: Interpolatable {
    /// Interpolates element by element. Elements of only one end are those of `end`, or dropped if `end` lacks them.
    public static func interpolated(from start: [Element], to end: [Element], at share: Double) -> [Element] {
        if share == 0 { return start }
        return end.indices.map { index in
            guard index < start.count else { return end[index] }
            return Element.interpolated(from: start[index], to: end[index], at: share)
        }
    }
}

extension Optional: Interpolatable where Wrapped: Interpolatable {
    /// Interpolates two values; if one is missing, returns `end` from the first step on.
    public static func interpolated(from start: Wrapped?, to end: Wrapped?, at share: Double) -> Wrapped? {
        guard let first = start, let last = end else { return share == 0 ? start : end }
        return Wrapped.interpolated(from: first, to: last, at: share)
    }
}
