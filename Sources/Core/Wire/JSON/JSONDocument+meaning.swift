// A hash of a JSON value that does not depend on how it is written.

import Base

extension JSONDocument {
    /// Returns the same hash for values that only differ in space, escapes and the order of members. Numbers count as
    /// written: 5.0 shows a decimal that 5 doesn't.
    func meaning(of node: JSONNode) -> UInt64 {
        switch node.content {
        case .string(let text): return Self.hash(text.utf8, kind: 1)
        case .array(let elements):
            return elements.reduce(Self.hash([], kind: 2)) { Self.mix($0, meaning(of: $1)) }
        case .object(let members):
            // A sum, because order does not count.
            let sum = members.reduce(UInt64(members.count)) {
                $0 &+ Self.mix(Self.hash($1.name.utf8, kind: 3), meaning(of: $1.value))
            }
            return Self.mix(Self.hash([], kind: 4), sum)
        case .null, .bool, .number, .double, .integer, .exact: return Self.hash(bytes[node.range], kind: 5)
        }
    }

    /// A hash with a kind before the bytes.
    private static func hash(_ bytes: some Sequence<UInt8>, kind: UInt8) -> UInt64 {
        var hash = FNV1a()
        hash.add(word: UInt64(kind))
        hash.add(bytes)
        return hash.value
    }

    /// Combines two hashes, in order.
    private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: other ^ 0xA076_1D64_78BD_642F)
        return product.high ^ product.low ^ one
    }
}
