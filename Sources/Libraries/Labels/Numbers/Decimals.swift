// The rule for digits after the point: those requested, else those of the number's target.

/// The number of digits after the point.
package enum Decimals {
    /// Returns the digits for a number moving to a target of `scale` decimals; nil leaves them to the format.
    /// - Parameter given: The requested digits, which take precedence.
    package static func shown(given: Int?, scale: Int, in format: NumberFormat?) -> Int? {
        if let given { return given }
        guard let format else { return scale }
        return format.decimals(inferredFrom: scale)
    }
}
