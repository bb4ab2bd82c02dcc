// Values made of numbers, each of which moves on its own: what a motion needs to hand a velocity over.

import Base

/// A value that is a list of numbers, such as a point, a size or a colour.
///
/// What is sent elsewhere on its way keeps the velocity of each coordinate.
public protocol InterpolatableVector: Interpolatable {
    /// The numbers it is made of, always in the same order.
    var coordinates: [Double] { get }

    /// The nearest value of these coordinates; the type's own number of them for most types.
    init(coordinates: [Double])
}

extension InterpolatableVector {
    /// Coordinate by coordinate, in double precision; those that only one end has are those of `end`, and go when `end`
    /// lacks them.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        if share == 0 { return start }
        if share == 1 { return end }
        return Self(coordinates: .interpolated(from: start.coordinates, to: end.coordinates, at: share))
    }
}

extension InterpolatableVector where Self: BinaryFloatingPoint {
    /// As every floating-point number.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }

    /// The number itself.
    public var coordinates: [Double] { [Double(self)] }

    /// The nearest number.
    public init(coordinates: [Double]) { self = Self(coordinates.first ?? 0) }
}

extension Double: InterpolatableVector {}
extension Float: InterpolatableVector {}

extension InterpolatableVector where Self: FixedWidthInteger {
    /// As every whole number.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }

    /// The number, to the precision of a double.
    public var coordinates: [Double] { [Double(self)] }

    /// The nearest whole number, halves away from zero, held in the type's range.
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
    /// As every vector of numbers.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }

    /// The vector's elements.
    public var coordinates: [Double] { indices.map { Double(self[$0]) } }

    /// The vector of these elements, in its own precision; missing ones are 0.
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

    /// An array of these elements.
    public init(coordinates: [Double]) { self = coordinates.map { Element($0) } }
}

extension Duration: InterpolatableVector {
    /// Seconds.
    public var coordinates: [Double] { [self / .seconds(1)] }

    /// So many seconds, held in what a duration can be.
    public init(coordinates: [Double]) {
        let seconds = coordinates.first ?? 0
        self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -0x1p63), 0x1p63))
    }
}
