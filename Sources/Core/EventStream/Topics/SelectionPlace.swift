// Where somebody stands who goes through all that a selection names, a portion at a time.

/// A place in a selection.
package struct SelectionPlace: Hashable, Sendable {
    /// The pattern that is next, or under way.
    package var pattern: Int
    /// The last id that was taken of a prefix; nil before the first.
    package var after: String?

    package init(pattern: Int = 0, after: String? = nil) {
        self.pattern = pattern
        self.after = after
    }
}
