// Headers that should occur once. Of two lines, a proxy may have checked the other one: so they are rejected, or seen together.

import HTTPTransport
import Wire

extension HTTPRequest {
    /// Returns the value of a header.
    /// - Throws: 400 if it occurs several times.
    func singleHeader(_ name: StaticString) throws(Problem) -> String? {
        guard let value = header(name) else { return nil }
        let count = headerLines("\(name)").count
        guard count == 1 else {
            throw Problem(400, "Bad Request", "there are \(count) headers \(name); send one")
        }
        return value
    }

    /// Returns all values of a header, joined by commas, so that a rule sees every line and not only the first. Without the
    /// header, which is usual, no line is read.
    func joinedHeader(_ name: StaticString) -> String? { header(name) == nil ? nil : wholeHeader("\(name)") }
}
