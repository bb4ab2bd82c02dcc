// The name of a resource: its kind and the id its client chose.

package import Base

/// The name of one resource, unique on a board. Ordered by kind and id.
package struct ResourceName: Hashable, Comparable, Sendable {
    package let kind: ResourceKind
    package let id: String

    package init(_ kind: ResourceKind, _ id: String) {
        self.kind = kind
        self.id = id
    }

    /// Returns whether a new resource may have this id: 1 to 128 of `A-Z a-z 0-9 . _ ~ : -`, but not `.` or `..`, which
    /// can't be named in a URL.
    package static func isValid(id: String) -> Bool { isWellFormed(id: id) && id != "." && id != ".." }

    /// Returns whether a resource can have this id, if only one from an old store.
    package static func isWellFormed(id: String) -> Bool {
        let bytes = id.utf8
        return !bytes.isEmpty && bytes.count <= ResourceID.maximumLength && bytes.allSatisfy(ResourceID.allows)
    }

    package static func < (one: ResourceName, other: ResourceName) -> Bool {
        (one.kind.rawValue, one.id) < (other.kind.rawValue, other.id)
    }
}
