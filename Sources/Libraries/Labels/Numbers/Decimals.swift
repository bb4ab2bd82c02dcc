// The one rule for the digits after the point: those that were given, else those that the number's target asks for.

/// How many digits a number shows after its point.
package enum Decimals {
    /// The digits that a number on its way to a target of `scale` decimals shows; nil leaves them to the format.
    /// - Parameter given: Those that were asked for, which always count.
    package static func shown(given: Int?, scale: Int, in format: NumberFormat?) -> Int? {
        if let given { return given }
        guard let format else { return scale }
        return format.decimals(inferredFrom: scale)
    }
}
