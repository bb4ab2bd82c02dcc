// Where a board gets its compiled number formats from; locale data stay outside of it.

package import Labels

/// Compiles formats. Implementations cache: a board asks again whenever a motion starts.
package protocol Planner: Sendable {
    /// - Parameter decimals: Digits after the point in every frame; nil leaves them to the format.
    /// - Throws: `CommandError.invalid` naming `format` and what in it can't be.
    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan
}
