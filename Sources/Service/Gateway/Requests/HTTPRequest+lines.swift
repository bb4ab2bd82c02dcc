// Headers that mean one thing, in requests that have them twice: another server on the way may have gone by the other one.

import HTTPTransport
import Wire

extension HTTPRequest {
    /// The value of a header that a request has once.
    /// - Throws: 400 for one that stands in several lines: nothing tells which of them is meant.
    func only(_ name: StaticString) throws(Problem) -> String? {
        guard let value = header(name) else { return nil }
        let count = headerLines("\(name)").count
        guard count == 1 else {
            throw Problem(400, "Bad Request", "there are \(count) headers \(name); send one")
        }
        return value
    }

    /// The value of a header that rules are held to; of several lines all together, which no rule lets in.
    func whole(_ name: StaticString) -> String? { header(name) == nil ? nil : wholeHeader("\(name)") }
}
