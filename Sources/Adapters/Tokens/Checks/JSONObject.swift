// Access to the members of one JSON object by name. Unlike Wire's reader, it doesn't report which field is wrong.

import Wire

struct JSONObject {
    private let members: [JSONMember]

    /// - Returns: nil for text that is not one JSON object, or has a duplicate name.
    init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes) else { return nil }
        self.init(document.root)
    }

    /// - Returns: nil for any other kind of value.
    init?(_ node: JSONNode) {
        guard case .object(let members) = node.content else { return nil }
        self.members = members
    }

    /// Returns whether the object has this member, `null` or not.
    func has(_ name: String) -> Bool { self[name] != nil }

    subscript(_ name: String) -> JSONNode.Content? { members.first { $0.name == name }?.value.content }

    /// Returns a member's text; nil if it is missing.
    /// - Throws: The given error if it is not a string.
    func text<Failure: Error>(_ name: String, else failure: @autoclosure () -> Failure) throws(Failure) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw failure()
        }
    }
}
