// A position in a selection whose resources are visited a portion at a time.

/// A position in a selection.
package struct SelectionPlace: Hashable, Sendable {
    /// The index of the current or next pattern.
    package var pattern: Int
    /// The last id that was visited for a prefix; nil before the first.
    package var after: String?

    package init(pattern: Int = 0, after: String? = nil) {
        self.pattern = pattern
        self.after = after
    }
}
