// What a resource is called: its kind and the id its client chose.

package import Base

/// The name of one resource, unique on a board. Ordered by kind and id.
package struct ResourceName: Hashable, Comparable, Sendable {
    package let kind: ResourceKind
    package let id: String

    package init(_ kind: ResourceKind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// The longest id, in characters.
    package static let maximumLength = 128

    /// Whether something may be called `id`: 1 to 128 of `A-Z a-z 0-9 . _ ~ : -`, but `.` and `..`, which no client can name
    /// in a URL.
    package static func isValid(id: String) -> Bool { isWellFormed(id: id) && id != "." && id != ".." }

    /// Whether `id` can be that of something, if only of something that a store has kept from before.
    package static func isWellFormed(id: String) -> Bool {
        let bytes = id.utf8
        return !bytes.isEmpty && bytes.count <= maximumLength && bytes.allSatisfy(isAllowed)
    }

    package static func < (one: ResourceName, other: ResourceName) -> Bool {
        (one.kind.rawValue, one.id) < (other.kind.rawValue, other.id)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
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
