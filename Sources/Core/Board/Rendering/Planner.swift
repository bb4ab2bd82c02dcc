// Where a board gets its compiled number formats from; locale data stay outside of it.

package import Labels

/// Compiles formats. Implementations cache: a board asks again whenever a motion starts.
package protocol Planner: Sendable {
    /// - Parameter decimals: Digits after the point in every frame; nil leaves them to the format.
    /// - Throws: `CommandError.invalid` naming `format` and what in it can't be.
    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan

    /// The words for times in a locale. They take the plan of its plain numbers, and no other compiling.
    /// - Throws: `CommandError.invalid` naming `format/locale`.
    func words(in locale: String) throws(CommandError) -> TimeWords
}

/// A planner for readers with locales of their own: nobody waits for a format that was never compiled. What needs it is
/// shown when it is.
package protocol ReaderPlanner: Planner {
    /// Tells in which locales somebody reads: what is posted from now on is compiled there, too, before it is shown.
    func setLocales(_ locales: [String])

    /// Whether the formats' plans are there at once, or are known to be impossible.
    func knows(_ formats: [NumberFormat]) -> Bool

    /// Has formats compiled on another thread, those that are not under way. May be asked for again and again, and leave
    /// out what there is no room for.
    func compile(_ formats: [NumberFormat])

    /// Has formats compiled on another thread.
    /// - Parameter finish: Called when they are known.
    /// - Returns: false when too many wait.
    func prepare(_ formats: [NumberFormat], finish: @escaping @Sendable () -> Void) -> Bool
}
