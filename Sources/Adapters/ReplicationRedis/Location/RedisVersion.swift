// Server versions.

/// A server's version; for Valkey and others, the Redis version they are compatible with.
package struct RedisVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    /// The first version with streams.
    package static let minimum = RedisVersion(major: 5, minor: 0)

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// - Returns: nil unless the text begins with two numbers.
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
