// Headers that may occur once. If one occurs twice, another server on the way may have used the other value.

import HTTPTransport
import Wire

extension HTTPRequest {
    /// Returns the value of a header that may occur once.
    /// - Throws: 400 if it occurs several times.
    func only(_ name: StaticString) throws(Problem) -> String? {
        guard let value = header(name) else { return nil }
        let count = headerLines("\(name)").count
        guard count == 1 else {
            throw Problem(400, "Bad Request", "there are \(count) headers \(name); send one")
        }
        return value
    }

    /// Returns all values of a header that rules are checked against. Several together match no rule.
    func whole(_ name: StaticString) -> String? { header(name) == nil ? nil : wholeHeader("\(name)") }
}
