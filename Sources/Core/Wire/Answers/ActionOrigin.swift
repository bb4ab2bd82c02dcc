// `by`, the resource whose action caused something. Always the last member, so that it can be found in encoded events and
// removed for readers without the right to see it.

import Base
package import Board

/// Writes, finds and removes `by`.
package enum ActionOrigin {
    /// Appends the member; nothing without an origin. No other member may follow.
    static func append(_ origin: ResourceName?, to json: inout JSONWriter) {
        if let origin { json.member("by") { $0.member("\(origin.kind)", origin.id) } }
    }

    /// Returns the bytes of the member including the comma before it.
    package static func length(of origin: ResourceName) -> Int {
        opening(origin.kind).count + origin.id.utf8.count + ending.count - 1
    }

    private static func opening(_ kind: ResourceKind) -> [UInt8] { Array(#","by":{"\#(kind)":""#.utf8) }
    /// The end of the id, of the member, and of the object around it.
    private static let ending = Array(#""}}"#.utf8)

    /// Finds the member in an object, or in an event with such a payload.
    /// - Returns: The origin, and the bytes of the member including the comma before it; nil if there is none. No other
    ///   object ends like this: within a string the quotes are escaped, and a nested member ends with one more bracket.
    package static func find(in bytes: [UInt8]) -> (origin: ResourceName, length: Int)? {
        let object = bytes.dropLast(lineEnds(of: bytes))
        guard object.suffix(ending.count).elementsEqual(ending) else { return nil }
        let rest = object.dropLast(ending.count)
        guard let quote = rest.lastIndex(of: UInt8(ascii: "\"")) else { return nil }
        let (head, id) = (rest[...quote], rest[quote...].dropFirst())
        for kind in ResourceKind.allCases {
            let opening = opening(kind)
            guard head.suffix(opening.count).elementsEqual(opening) else { continue }
            let origin = ResourceName(kind, String(decoding: id, as: UTF8.self))
            return (origin, length(of: origin))
        }
        return nil
    }

    /// Returns the bytes without the member.
    /// - Parameter mayRead: Whether the reader may read a resource.
    /// - Returns: nil if nothing has to be removed.
    package static func withheld(from bytes: [UInt8], unless mayRead: (ResourceName) -> Bool) -> [UInt8]? {
        guard let (origin, length) = find(in: bytes), !mayRead(origin) else { return nil }
        let end = lineEnds(of: bytes) + 1
        return bytes.dropLast(end + length) + bytes.suffix(end)
    }

    /// The number of line ends after the object.
    private static func lineEnds(of bytes: [UInt8]) -> Int {
        bytes.reversed().prefix { $0 == 0x0A }.count
    }
}
