// Conversions from floating point and wide integers to narrower ones that never trap. All such conversions are made here,
// since inputs, stored records and results of arithmetic may not fit. Inlinable: as generic code of another target, they
// took a fifth of a restart's time.

extension FixedWidthInteger {
    /// Creates the value without its fraction (rounded toward zero), or the nearest one: a bound beyond either end, 0 for
    /// NaN.
    ///
    /// The plain initialiser traps if the value doesn't fit. Rust's `as` and WebAssembly's `trunc_sat` saturate in the same
    /// way.
    @inlinable
    public init(saturating value: Double) {
        // `Double(Self.max)` may round up to the first value that doesn't fit, so only values below it are converted.
        if value.isNaN {
            self = 0
        } else if value >= Double(Self.max) {
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else {
            self = Self(value)
        }
    }
}

extension FixedWidthInteger {
    /// Returns the sum, or the nearest value.
    @inlinable
    public func addingSaturated(_ other: Self) -> Self {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other > 0 ? .max : .min) : sum
    }

    /// Returns the difference, or the nearest value.
    @inlinable
    public func subtractingSaturated(_ other: Self) -> Self {
        let (difference, isOver) = subtractingReportingOverflow(other)
        return isOver ? (other > 0 ? .min : .max) : difference
    }

    /// Returns the product, or the nearest value.
    @inlinable
    public func multipliedSaturated(by other: Self) -> Self {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
