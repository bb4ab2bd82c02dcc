// The identity of a caller.

package import Tokens

/// An identity with its rights.
package struct Principal: Hashable, Sendable {
    /// How a principal was identified.
    package enum Credential: Hashable, Sendable {
        /// No token was required.
        case none
        /// A token of the token file.
        case token(SecretDigest)
        /// A JWT, by the key that signed it and its `jti`.
        case jwt(key: SecretDigest, id: String?)
    }

    /// The owner's name for people, in audit lines and lists of clients. Empty if tokens are not required.
    package var name: String
    /// The account for limits, shares and retry keys, which is unique whatever names people choose. Empty without a token.
    package var account: String
    package var rights: Rights
    /// Unix nanoseconds at which the token expires; `.max` for never.
    package var expires: Int64
    package var credential: Credential

    /// The name of callers without a token.
    package static let anonymousName = "anonymous"

    /// The principal of all callers if tokens are not required.
    package static let anybody = Principal(name: "", rights: .all)

    /// The principal of an invalid token.
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

    /// Whether it was identified by a token.
    package var isKnown: Bool { credential != .none }
}

/// Why a token is rejected. No text contains any of the token.
package struct TokenRefusal: Error, Hashable, Sendable {
    /// The reason, for the sender.
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    /// The token was not verified.
    package static let tooMany = TokenRefusal("too many invalid tokens came from this address")
    static let unknown = TokenRefusal("the token is not known")
    static let expired = TokenRefusal("the token has expired")
    static let early = TokenRefusal("the token is not valid yet")
    static let revoked = TokenRefusal("the token was revoked")
    static let otherIssuer = TokenRefusal("the token comes from another issuer")
    static let otherAudience = TokenRefusal("the token is for another audience")
    static let endless = TokenRefusal("the token has no exp claim; tokens must expire")
}
