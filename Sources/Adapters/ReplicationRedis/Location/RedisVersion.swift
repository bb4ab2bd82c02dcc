// Versions as servers tell them.

/// A server's version; of Valkey and others the one whose commands they have.
package struct RedisVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    /// The first that has streams.
    package static let minimum = RedisVersion(major: 5, minor: 0)

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// - Returns: nil for what doesn't begin with two numbers.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".")
        guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1].prefix { $0.isNumber }) else {
            return nil
        }
        self.init(major: major, minor: minor)
    }

    package static func < (first: Self, second: Self) -> Bool {
        (first.major, first.minor) < (second.major, second.minor)
    }

    package var description: String { "\(major).\(minor)" }
}
