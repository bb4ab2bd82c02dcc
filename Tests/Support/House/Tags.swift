// Which gate runs a test.

package import Testing

extension Tag {
    /// Waits or computes for ten seconds or more: make verify runs it, and make test doesn't.
    @Tag package static var slow: Self
    /// Takes its seeds from `Seeds`: make test runs it with those that are always the same, make verify with fresh ones.
    @Tag package static var random: Self
}
