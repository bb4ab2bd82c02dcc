// The grant of a one-time ticket as bytes, safe to be kept in a log: its owner, its topics, and the credential behind it.

package import Base
package import EventStream
import Tokens

/// Encodes and decodes the grant of a ticket.
package enum StreamGrant {
    /// Encodes a grant.
    /// - Parameters:
    ///   - principal: The owner of the ticket.
    ///   - topics: Its topics; the principal may subscribe to all of them.
    package static func bytes(_ principal: Principal, topics: TopicSelection) -> [UInt8] {
        var writer = ByteWriter()
        writer.text(principal.name)
        writer.text(principal.account)
        writer.number(principal.expires)
        switch principal.credential {
        case .none: writer.byte(0)
        case .token(let digest):
            writer.byte(1)
            writer.text(digest.hexadecimal)
        case .jwt(let key, let id):
            writer.byte(2)
            writer.text(key.hexadecimal)
            writer.optional(id) { $0.text($1) }
        }
        writer.list(topics.patterns) { writer, pattern in
            writer.byte(pattern.kind.rawValue)
            writer.text(pattern.text + (pattern.isPrefix ? "*" : ""))
        }
        return writer.bytes
    }

    /// Decodes the bearer of a ticket, who may only subscribe to its topics.
    package static func bearer(_ bytes: [UInt8]) throws(ByteReader.Damage) -> Principal {
        var reader = ByteReader(bytes)
        let (name, account, expires) = (try reader.text(), try reader.text(), try reader.signed())
        let credential: Principal.Credential
        switch try reader.byte() {
        case 0: credential = .none
        case 1: credential = .token(try digest(&reader))
        case 2:
            let key = try digest(&reader)
            let id = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
            credential = .jwt(key: key, id: id)
        default: throw ByteReader.Damage()
        }
        let patterns = try reader.list { (reader) throws(ByteReader.Damage) -> TopicPattern in
            guard let kind = TopicKind(rawValue: try reader.byte()),
                let pattern = TopicPattern(kind: kind, parsing: try reader.text())
            else { throw ByteReader.Damage() }
            return pattern
        }
        let rights = Rights(publish: TopicSelection([]), subscribe: TopicSelection(patterns))
        return Principal(name: name, account: account, rights: rights, expires: expires, credential: credential)
    }

    private static func digest(_ reader: inout ByteReader) throws(ByteReader.Damage) -> SecretDigest {
        guard let digest = SecretDigest(hexadecimal: try reader.text()) else { throw ByteReader.Damage() }
        return digest
    }
}
