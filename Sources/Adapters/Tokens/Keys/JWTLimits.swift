// How much of anything is looked at. All of it may come from whoever asks.

enum JWTLimits {
    /// Bytes of a token: what a header field of a request has room for.
    static let token = 8192
    /// Bytes of a token's header, decoded.
    static let header = 1024
    /// Bytes of a token's claims, decoded: what fits.
    static let claims = token / 4 * 3
    /// Bytes of a key's id.
    static let keyID = 256
    /// Keys that one token is tried with, where it doesn't say which.
    static let triedKeys = 16

    /// Keys of a set.
    static let keys = 100
    /// Bytes of a file of keys.
    static let file = 1 << 20

    /// Bytes of a secret, at least: as many as the hash has (RFC 7518 section 3.2).
    static let secret = 32
    /// Bits of an RSA modulus (RFC 7518 section 3.3). The largest are slow, and nobody has them.
    static let modulus = 2048...8192
}
