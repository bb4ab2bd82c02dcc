// The signatures that are accepted (RFC 7518 section 3.1, RFC 8037 section 3.1).

/// How tokens are signed. Each key has one algorithm; the token never chooses it (RFC 8725 section 3.1).
package enum JWTAlgorithm: String, CaseIterable, Sendable {
    /// HMAC with SHA-256. The key that verifies can also sign.
    case hs256 = "HS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"

    /// - Parameter name: As in `alg`. RFC 9864 names Ed25519 by its curve.
    init?(name: String) {
        self.init(rawValue: name == "Ed25519" ? "EdDSA" : name)
    }
}
