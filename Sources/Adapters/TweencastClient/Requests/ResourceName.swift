// Names that the server knows: ids of resources, and names of notifications.

/// The rule for names, as openapi.yaml has it. A stream of another name would wait for ever, and a path of dots would lead
/// elsewhere.
package enum ResourceName {
    /// Returns whether a text can be an id of a resource or the name of a notification.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy(isAllowed) && text != "." && text != ".."
    }

    /// Returns whether a text is a name, or the beginning of names with `*` behind it.
    package static func isValidPattern(_ text: some StringProtocol) -> Bool {
        isValid(text) || text == "*" || text.hasSuffix("*") && isBeginning(text.dropLast())
    }

    /// Returns whether names can begin like this; with nothing, all do.
    private static func isBeginning(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 128 && text.utf8.allSatisfy(isAllowed)
    }

    /// Says why a text is no name.
    package static func refusal(_ text: String) -> String {
        let subject = text.isEmpty ? "an empty text" : text
        return
            "\(subject) is no id: it has 1 to 128 of the characters A-Z a-z 0-9 . _ ~ : -, and is neither . nor .."
    }

    /// Returns a name for an address.
    static func escaped(_ text: String) throws(ClientError) -> String {
        guard isValid(text) else { throw .invalidRequest(refusal(text)) }
        return ServerAddress.escaped(text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        ServerAddress.isUnreserved(byte) || byte == UInt8(ascii: ":")
    }
}
