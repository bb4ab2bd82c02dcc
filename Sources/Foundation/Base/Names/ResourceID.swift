// What ids may look like: those of resources, and so those of topics.

/// The rule for ids: 1 to 128 of `A-Z a-z 0-9 . _ ~ : -`, which a URL has as they are.
package enum ResourceID {
    /// The longest id, in characters.
    package static let maximumLength = 128

    /// Returns whether an id may have a character.
    package static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}
