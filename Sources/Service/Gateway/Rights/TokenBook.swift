// The tokens of a file, by digest. A token is never compared with another: what is looked up is its SHA-256, of which
// nobody can choose a beginning, so that the time it takes tells nothing.

import Tokens
import Tween
package import Wire

/// Tokens with a fixed secret, and ids of JWTs that count no more.
package struct TokenBook: Sendable {
    private struct Entry: Sendable {
        var name: String
        var rights: Rights
        var expires: Int64
    }

    private var entries: [SecretDigest: Entry] = [:]
    private var revoked: Set<String> = []
    /// What whoever brings no token may do; nil: nothing.
    package private(set) var anonymous: Rights?

    /// No tokens.
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

    /// Whose token it is; nil where it is none of these.
    func principal(bearing digest: SecretDigest) -> Principal? {
        entries[digest].map {
            Principal(
                name: $0.name, account: "token \($0.name)", rights: $0.rights, expires: $0.expires,
                credential: .token(digest))
        }
    }

    func isRevoked(_ id: String) -> Bool { revoked.contains(id) }
}
