// The tokens of a file, by digest. Tokens are looked up by their SHA-256 and never compared: no one can choose a digest's
// prefix, so the time of a lookup reveals nothing.

import Tokens
import Tween
package import Wire

/// Tokens with a fixed secret, and ids of revoked JWTs.
package struct TokenBook: Sendable {
    private struct Entry: Sendable {
        var name: String
        var rights: Rights
        var expires: Int64
    }

    private var entries: [SecretDigest: Entry] = [:]
    private var revoked: Set<String> = []
    /// The rights of callers without a token; nil for none.
    package private(set) var anonymous: Rights?

    /// Creates a book without tokens.
    package init() {}

    /// - Throws: A problem that names the member at fault.
    package init(_ file: TokenFile) throws(Problem) {
        if let grant = file.anonymous { anonymous = try Rights(grant) }
        revoked = Set(file.revoked)
        for entry in file.tokens {
            let digest: SecretDigest
            switch entry.secret {
            case .text(let text): digest = SecretDigest(of: text.utf8)
            case .digest(let text):
                guard let known = SecretDigest(hexadecimal: text) else {
                    throw .field("\(entry.pointer)/sha256", "must be 64 hexadecimal digits")
                }
                digest = known
            }
            guard entry.name != Principal.anonymousName else {
                throw .field("\(entry.pointer)/name", "is reserved for requests without a token")
            }
            guard entries[digest] == nil else { throw .field(entry.pointer, "the same token stands here twice") }
            entries[digest] = Entry(
                name: entry.name, rights: try Rights(entry.grant), expires: entry.expires?.nanoseconds ?? .max)
        }
    }

    /// Returns the principal of a token; nil if it is unknown.
    func principal(bearing digest: SecretDigest) -> Principal? {
        entries[digest].map {
            Principal(
                name: $0.name, account: "token \($0.name)", rights: $0.rights, expires: $0.expires,
                credential: .token(digest))
        }
    }

    func isRevoked(_ id: String) -> Bool { revoked.contains(id) }
}
