// The token file: who may do what, each identified by the digest of a secret.
//
//     {"anonymous": {"subscribe": ["ticker=public-*"]},
//      "tokens": [{"name": "shop", "sha256": "…", "publish": ["ticker=shop-*"], "expires": "2027-01-31T12:00:00Z"}],
//      "revoked": ["id of a JWT"]}

package import Tween

/// A decoded token file.
package struct TokenFile: Hashable, Sendable {
    /// One token.
    package struct Entry: Hashable, Sendable {
        /// The owner, for audit lines and limits.
        package var name: String
        /// The SHA-256 of the token in hexadecimal digits, or the token itself.
        package var secret: Secret
        package var grant: Grant
        /// When the token expires.
        package var expires: Instant?
        /// RFC 6901 pointer.
        package var pointer: String
    }

    package enum Secret: Hashable, Sendable {
        case digest(String)
        case text(String)
    }

    /// The maximum number of tokens in a file.
    package static let maximumTokens = 10_000
    /// The maximum number of revoked JWT ids.
    package static let maximumRevoked = 100_000
    /// The maximum size of a file in bytes.
    package static let maximumBytes = 16 << 20
    /// The minimum number of characters of a token in plain text.
    package static let shortestSecret = 20
    /// The maximum bytes of a name.
    package static let longestName = 128

    package static func isName(_ text: String) -> Bool { (1...longestName).contains(text.utf8.count) }

    /// Whether a text is a valid bearer token (RFC 6750, 2.1), so that it needs no quotes in a header or a cookie.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        return !digits.isEmpty
            && digits.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-._~+/".utf8.contains(byte)
                }
            }
    }

    /// The rights of requests without a token.
    package var anonymous: Grant?
    package var tokens: [Entry] = []
    /// The `jti` of revoked JWTs.
    package var revoked: [String] = []

    /// - Throws: A problem that names the member at fault, and never contains a secret.
    package init(_ bytes: [UInt8]) throws(Problem) {
        let document = try UpdateDecoder.document(bytes)
        var reader = try FieldReader(document, document.root, pointer: "")
        if let node = reader.read("anonymous") {
            var inner = try FieldReader(document, node, pointer: reader.pointer(to: "anonymous"))
            anonymous = try Grant(&inner)
            try inner.finish()
        }
        tokens = try Self.tokens(&reader)
        revoked = try reader.strings("revoked", most: Self.maximumRevoked)
        try reader.finish()
    }

    /// Returns an entry of the file.
    /// - Parameters:
    ///   - expires: Unix seconds; nil for never.
    ///   - appendGrant: Writes the members of its grant.
    package static func entry(
        _ name: String, sha256: String, expires: Int64?, _ appendGrant: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("name", name)
            $0.member("sha256", sha256)
            if let expires {
                $0.member("expires", date: Instant(nanoseconds: 0).advanced(bySeconds: Double(expires)))
            }
            appendGrant(&$0)
        }
        return json.bytes
    }

    /// Returns a file's text with another entry; everything else stays as it is.
    /// - Parameters:
    ///   - entry: From `entry`.
    ///   - bytes: The file; empty for a new one.
    /// - Throws: A problem if the file is wrong, or would be.
    package static func adding(_ entry: [UInt8], to bytes: [UInt8]) throws(Problem) -> [UInt8] {
        let document = try UpdateDecoder.document(bytes.isEmpty ? Array("{}\n".utf8) : bytes)
        guard case .object(let members) = document.root.content else {
            throw .field("", "must be an object, not \(document.root.kind)")
        }
        let line = Array("\n".utf8) + entry
        // What is added stands behind the last element of the list, or the list behind the last member.
        let (place, text): (Int, [UInt8])
        if let list = members.first(where: { $0.name == "tokens" })?.value {
            guard case .array(let tokens) = list.content else { throw .field("/tokens", "must be a list of tokens") }
            (place, text) =
                tokens.last.map { ($0.range.upperBound, Array(",".utf8) + line) }
                ?? (list.range.lowerBound + 1, line + Array("\n".utf8))
        } else {
            let list = Array("\"tokens\": [".utf8) + line + Array("\n]".utf8)
            (place, text) =
                members.last.map { ($0.value.range.upperBound, Array(",\n".utf8) + list) }
                ?? (document.root.range.lowerBound + 1, list)
        }
        // proven: `place` is in the range of an element, a list or the document.
        let added = Array(document.bytes[..<place] + text + document.bytes[place...])
        _ = try TokenFile(added)
        return added
    }

    private static func tokens(_ reader: inout FieldReader) throws(Problem) -> [Entry] {
        guard let node = reader.read("tokens") else { return [] }
        let pointer = reader.pointer(to: "tokens")
        guard case .array(let nodes) = node.content, nodes.count <= maximumTokens else {
            throw .field(pointer, "must be a list of at most \(maximumTokens) tokens")
        }
        var entries: [Entry] = []
        for (index, node) in nodes.enumerated() {
            var inner = try FieldReader(reader.document, node, pointer: "\(pointer)/\(index)")
            entries.append(try entry(&inner))
            try inner.finish()
        }
        return entries
    }

    private static func entry(_ reader: inout FieldReader) throws(Problem) -> Entry {
        guard let name = try reader.string("name", longest: longestName), isName(name) else {
            throw .field(reader.pointer(to: "name"), "must name the token's owner, in 1 to \(longestName) bytes")
        }
        let (digest, text) = (try reader.string("sha256"), try reader.string("token"))
        let secret: Secret
        switch (digest, text) {
        case (let digest?, nil): secret = .digest(digest)
        case (nil, let text?) where text.utf8.count >= shortestSecret && isToken(text): secret = .text(text)
        case (nil, .some):
            throw .field(
                reader.pointer(to: "token"),
                "must be at least \(shortestSecret) random letters, digits and -._~+/, as of a generator")
        default: throw .field(reader.pointer, "must have either sha256 or token")
        }
        let grant = try Grant(&reader)
        return Entry(
            name: name, secret: secret, grant: grant, expires: try reader.date("expires"), pointer: reader.pointer)
    }
}
