// Interpolates points, sizes and colours as vectors, each coordinate separately.

extension Interpolatable where Self: SIMD, Scalar: BinaryFloatingPoint {
    /// Interpolates coordinate by coordinate, in the vector's precision.
    public static func interpolated(from start: Self, to end: Self, at share: Double) -> Self {
        between(start, end, at: share)
    }
}

extension SIMD where Scalar: BinaryFloatingPoint {
    static func between(_ start: Self, _ end: Self, at share: Double) -> Self {
        share == 0 ? start : share == 1 ? end : start + (end - start) * Scalar(share)
    }
}

extension SIMD2: Interpolatable where Scalar: BinaryFloatingPoint {}
extension SIMD3: Interpolatable where Scalar: BinaryFloatingPoint {}
extension SIMD4: Interpolatable where Scalar: BinaryFloatingPoint {}
extension SIMD8: Interpolatable where Scalar: BinaryFloatingPoint {}
extension SIMD16: Interpolatable where Scalar: BinaryFloatingPoint {}
