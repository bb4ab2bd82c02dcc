// Members of one JSON object by name. Wire's own reader tells clients which field of a request is at fault; this one tells
// nothing.

import Wire

struct JSONObject {
    private let members: [JSONMember]

    /// - Returns: nil for text that is not one JSON object; a name that stands twice is not taken for one.
    init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes) else { return nil }
        self.init(document.root)
    }

    /// - Returns: nil for another kind of value.
    init?(_ node: JSONNode) {
        guard case .object(let members) = node.content else { return nil }
        self.members = members
    }

    /// Whether there is a member of this name, `null` or not.
    func has(_ name: String) -> Bool { self[name] != nil }

    subscript(_ name: String) -> JSONNode.Content? { members.first { $0.name == name }?.value.content }

    /// A member's text.
    /// - Throws: The given error where it is something else.
    func text<Failure: Error>(_ name: String, else failure: @autoclosure () -> Failure) throws(Failure) -> String? {
        switch self[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw failure()
        }
    }
}
