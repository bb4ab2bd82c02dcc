// Tags that say which gate runs a test.

package import Testing

extension Tag {
    /// Waits or computes for ten seconds or more: only make verify runs it, not make test.
    @Tag package static var slow: Self
    /// Takes its seeds from `Seeds`: the same in every gate, and others in make explore.
    @Tag package static var random: Self
}
