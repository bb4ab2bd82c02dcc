// Size limits. Clients control all of these inputs.

enum JWTLimits {
    /// Bytes of a token: as many as a request's header field can have.
    static let token = 8192
    /// Bytes of a token's header, decoded.
    static let header = 1024
    /// Bytes of a token's claims, decoded: the most that fit.
    static let claims = token / 4 * 3
    /// Bytes of a key's ID.
    static let keyID = 256
    /// The most keys to try for a token without a `kid`.
    static let triedKeys = 16

    /// Keys in a set.
    static let keys = 100
    /// Bytes of a key file.
    static let file = 1 << 20

    /// The fewest bytes of a secret: the hash's length (RFC 7518 section 3.2).
    static let secret = 32
    /// Bits of an RSA modulus (RFC 7518 section 3.3). Larger keys are slow and not in use.
    static let modulus = 2048...8192
}
