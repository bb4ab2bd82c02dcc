// Power curves: power-in(k), power-out(k), power-in-out(k).

/// A power of the progress: slow at one end or both for exponents over 1.
public struct PowerCurve: Hashable, Sendable {
    /// The end that is slow.
    public enum Shape: String, Hashable, Sendable, CaseIterable {
        /// p^k.
        case `in` = "power-in"
        /// 1 - (1 - p)^k.
        case out = "power-out"
        /// Half of each: 2^(k-1) p^k, mirrored around the middle.
        case inOut = "power-in-out"
    }

    /// The end that is slow.
    public let shape: Shape
    /// The exponent k: over 0, at most 1000.
    public let exponent: Double

    /// Creates a power curve.
    ///
    /// - Throws: `EasingError.outOfRange` unless the exponent is over 0 and at most 1000.
    public init(_ shape: Shape, exponent: Double) throws(EasingError) {
        guard exponent > 0, exponent <= 1000 else {
            throw .outOfRange("the exponent of \(shape.rawValue)() must be over 0 and at most 1000")
        }
        self.init(unchecked: shape, exponent: exponent)
    }

    /// Creates a curve whose exponent is known to be in range.
    init(unchecked shape: Shape, exponent: Double) {
        self.shape = shape
        self.exponent = exponent
    }

    /// Returns the eased progress; outside 0...1 the curve stays at its ends.
    @inline(__always)
    func value(at progress: Double) -> Double {
        if progress <= 0 { return 0 }
        if progress >= 1 { return 1 }
        switch shape {
        case .in: return power(progress, exponent)
        case .out: return 1 - power(1 - progress, exponent)
        case .inOut:
            return progress < 0.5
                ? 0.5 * power(2 * progress, exponent) : 1 - 0.5 * power(2 - 2 * progress, exponent)
        }
    }

    /// Returns the derivative on 0...1, infinite at the steep end of exponents under 1; 0 outside.
    func slope(at progress: Double) -> Double {
        guard progress >= 0, progress <= 1 else { return 0 }
        let base =
            switch shape {
            case .in: progress
            case .out: 1 - progress
            case .inOut: progress < 0.5 ? 2 * progress : 2 - 2 * progress
            }
        return exponent * power(base, exponent - 1)
    }
}
