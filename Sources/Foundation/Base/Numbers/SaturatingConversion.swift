// From floating point and from wide integers to narrower ones without a trap: the one place of the program where such a
// conversion is made. What input, a stored record or arithmetic has made is never proven to fit. Inlinable: called from
// other targets as generic code, they took a fifth of a restart's time.

extension FixedWidthInteger {
    /// The value without its fraction (towards zero), or the nearest there is: beyond either end that end, 0 for NaN.
    ///
    /// The plain initialiser traps on a value that doesn't fit; this is what Rust's `as` and WebAssembly's `trunc_sat` do.
    @inlinable
    public init(saturating value: Double) {
        // `Double(Self.max)` may round up to the first value that doesn't fit, so the test is for what is below it.
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
    /// The sum, or the nearest there is.
    @inlinable
    public func addingSaturated(_ other: Self) -> Self {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other > 0 ? .max : .min) : sum
    }

    /// The difference, or the nearest there is.
    @inlinable
    public func subtractingSaturated(_ other: Self) -> Self {
        let (difference, isOver) = subtractingReportingOverflow(other)
        return isOver ? (other > 0 ? .min : .max) : difference
    }

    /// The product, or the nearest there is.
    @inlinable
    public func multipliedSaturated(by other: Self) -> Self {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
