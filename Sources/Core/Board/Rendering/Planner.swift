// The source of a board's compiled number formats; locale data stay outside of the board.

package import Labels

/// Compiles formats. Implementations cache: a board asks again whenever a motion starts.
package protocol Planner: Sendable {
    /// Returns the plan of a format.
    /// - Parameter decimals: Decimals of every frame; nil leaves them to the format.
    /// - Throws: `CommandError.invalid` naming `format` and what is wrong in it.
    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan

    /// Returns the words for times in a locale. They use the plan of the locale's plain numbers and need no other compilation.
    /// - Throws: `CommandError.invalid` naming `format/locale`.
    func words(in locale: String) throws(CommandError) -> TimeWords
}

/// A planner for readers with their own locales. Nothing waits for a format that was never compiled: frames that need it are
/// sent once it is.
package protocol ReaderPlanner: Planner {
    /// Sets the locales of current readers. New formats are compiled for them, too, before they are shown.
    func setLocales(_ locales: [String])

    /// Whether the plans of the formats are available, or known to be impossible.
    func knows(_ formats: [NumberFormat]) -> Bool

    /// Compiles formats on another thread, unless they are being compiled already. May be called repeatedly, and may skip
    /// formats when there is no room.
    func compile(_ formats: [NumberFormat])

    /// Compiles formats on another thread.
    /// - Parameter finish: Called when the formats are known.
    /// - Returns: false when too many formats are waiting.
    func prepare(_ formats: [NumberFormat], finish: @escaping @Sendable () -> Void) -> Bool
}
