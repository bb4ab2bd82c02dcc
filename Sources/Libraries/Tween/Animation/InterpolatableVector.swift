// Values made of numbers that move separately, as needed to hand over velocities.

import Base

/// A value that is a list of numbers, such as a point, a size or a colour.
///
/// When it is retargeted, each coordinate keeps its velocity.
public protocol InterpolatableVector: Interpolatable {
    /// Its numbers, always in the same order.
    var coordinates: [Double] { get }

    /// Creates the nearest value with these coordinates. Most types have a fixed number of them.
    init(coordinates: [Double])
}

extension InterpolatableVector {
    /// Interpolates coordinate by coordinate, in double precision. Those of only one end are those of `end`, or dropped if
    /// `end` lacks them.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        if share == 0 { return start }
        if share == 1 { return end }
        return Self(coordinates: .interpolated(from: start.coordinates, to: end.coordinates, at: share))
    }
}

extension InterpolatableVector where Self: BinaryFloatingPoint {
    /// Interpolates like every floating-point number.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }

    /// The number itself.
    public var coordinates: [Double] { [Double(self)] }

    /// Creates the nearest number.
    public init(coordinates: [Double]) { self = Self(coordinates.first ?? 0) }
}

extension Double: InterpolatableVector {}
extension Float: InterpolatableVector {}

extension InterpolatableVector where Self: FixedWidthInteger {
    /// Interpolates like every integer.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }

    /// The number, in a double's precision.
    public var coordinates: [Double] { [Double(self)] }

    /// Creates the nearest integer, halves away from zero, clamped to the type's range.
    public init(coordinates: [Double]) { self.init(saturating: (coordinates.first ?? 0).rounded()) }
}

extension Int: InterpolatableVector {}
extension Int8: InterpolatableVector {}
extension Int16: InterpolatableVector {}
extension Int32: InterpolatableVector {}
extension Int64: InterpolatableVector {}
extension UInt: InterpolatableVector {}
extension UInt8: InterpolatableVector {}
extension UInt16: InterpolatableVector {}
extension UInt32: InterpolatableVector {}
extension UInt64: InterpolatableVector {}

extension InterpolatableVector where Self: SIMD, Scalar: BinaryFloatingPoint {
    /// Interpolates like every vector of numbers.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }

    /// The vector's elements.
    public var coordinates: [Double] { indices.map { Double(self[$0]) } }

    /// Creates a vector from elements, in its own precision; missing ones are 0.
    public init(coordinates: [Double]) {
        self.init()
        for (index, coordinate) in zip(indices, coordinates) { self[index] = Scalar(coordinate) }
    }
}

extension SIMD2: InterpolatableVector where Scalar: BinaryFloatingPoint {}
extension SIMD3: InterpolatableVector where Scalar: BinaryFloatingPoint {}
extension SIMD4: InterpolatableVector where Scalar: BinaryFloatingPoint {}
extension SIMD8: InterpolatableVector where Scalar: BinaryFloatingPoint {}
extension SIMD16: InterpolatableVector where Scalar: BinaryFloatingPoint {}

extension Array: InterpolatableVector where Element: BinaryFloatingPoint & Interpolatable {
    /// The elements.
    public var coordinates: [Double] { map { Double($0) } }

    /// Creates an array of these elements.
    public init(coordinates: [Double]) { self = coordinates.map { Element($0) } }
}

extension Duration: InterpolatableVector {
    /// The seconds.
    public var coordinates: [Double] { [self / .seconds(1)] }

    /// Creates a duration from seconds, clamped to its range.
    public init(coordinates: [Double]) {
        let seconds = coordinates.first ?? 0
        // 2^63 seconds are one too many for `components`.
        self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -0x1p63), (0x1p63).nextDown))
    }
}
