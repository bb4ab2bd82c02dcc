// Who asks.

package import Tokens

/// Somebody who was let in, and what they may do.
package struct Principal: Hashable, Sendable {
    /// What somebody was known by.
    package enum Credential: Hashable, Sendable {
        /// Nobody asked for any.
        case none
        /// A token of the file.
        case token(SecretDigest)
        /// A JWT, by the key that signed it and its `jti`.
        case jwt(key: SecretDigest, id: String?)
    }

    /// Whose the token is, for people: in audit lines and lists of clients. Empty where nobody is asked.
    package var name: String
    /// What limits, room and keys of retries are counted by: no two people have the same, whatever they call themselves.
    /// Empty without a token.
    package var account: String
    package var rights: Rights
    /// Unix nanoseconds from which on it counts no more; `.max` for never.
    package var expires: Int64
    package var credential: Credential

    /// What whoever brings no token is called.
    package static let anonymousName = "anonymous"

    /// Anybody, where nobody is asked.
    package static let anybody = Principal(name: "", rights: .all)

    /// Somebody whose token doesn't count.
    package static let unknown = Principal(name: "unknown", rights: .none)

    package init(
        name: String, account: String = "", rights: Rights, expires: Int64 = .max, credential: Credential = .none
    ) {
        self.name = name
        self.account = account
        self.rights = rights
        self.expires = expires
        self.credential = credential
    }

    /// Whether it was known by a token.
    package var isKnown: Bool { credential != .none }
}

/// Why a token doesn't count. None of the texts holds any of it.
package struct TokenRefusal: Error, Hashable, Sendable {
    /// In words, for whoever sent it.
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    /// It was not looked at.
    package static let tooMany = TokenRefusal("too many tokens that don't count came of this address")
    static let unknown = TokenRefusal("the token is not known")
    static let expired = TokenRefusal("the token has expired")
    static let early = TokenRefusal("the token is not valid yet")
    static let revoked = TokenRefusal("the token was revoked")
    static let otherIssuer = TokenRefusal("the token is of another issuer")
    static let otherAudience = TokenRefusal("the token is for another audience")
    static let endless = TokenRefusal("the token has no exp claim; tokens must expire")
}
