// Whose action something was: `by`, the last member of what tells it, so that it can be found in what was written before,
// and left out for whoever may not read it.

import Base
package import Board

/// Writes, finds and leaves out `by`.
package enum ActionOrigin {
    /// Appends the member; nothing where nobody's action it was. None may follow.
    static func append(_ origin: ResourceName?, to json: inout JSONWriter) {
        if let origin { json.member("by") { $0.member("\(origin.kind)", origin.id) } }
    }

    /// Bytes of the member with the comma before it.
    package static func length(of origin: ResourceName) -> Int {
        opening(origin.kind).count + origin.id.utf8.count + ending.count - 1
    }

    private static func opening(_ kind: ResourceKind) -> [UInt8] { Array(#","by":{"\#(kind)":""#.utf8) }
    /// The end of the id, of the member, and of the object around it.
    private static let ending = Array(#""}}"#.utf8)

    /// Finds the member in an object, or in an event whose payload that is.
    /// - Returns: Whose action it was, and the bytes of the member with the comma before it; nil where it has none. No other
    ///   object ends so: within a text the quotes were escaped, and within another member there is one bracket more.
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

    /// The same without the member.
    /// - Parameter mayRead: Whether its reader may read a resource.
    /// - Returns: nil where it stays as it is.
    package static func withheld(from bytes: [UInt8], unless mayRead: (ResourceName) -> Bool) -> [UInt8]? {
        guard let (origin, length) = find(in: bytes), !mayRead(origin) else { return nil }
        let end = lineEnds(of: bytes) + 1
        return bytes.dropLast(end + length) + bytes.suffix(end)
    }

    /// How many line ends follow the object.
    private static func lineEnds(of bytes: [UInt8]) -> Int {
        bytes.reversed().prefix { $0 == 0x0A }.count
    }
}
