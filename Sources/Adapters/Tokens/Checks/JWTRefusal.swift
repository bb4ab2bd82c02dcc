// Why tokens are refused.

/// What is wrong with a token. Its words hold nothing of the token, so they may be logged and told to whoever sent it.
package enum JWTRefusal: Error, Hashable, Sendable, CaseIterable {
    /// More bytes than are looked at.
    case tooLong
    /// Not three parts of base64url, or a header that is no JSON object or has a member of the wrong type.
    case malformed
    /// Five parts: a JWE.
    case encrypted
    /// `alg` is `none`, however it is written, or there is nothing where the signature belongs.
    case unsigned
    /// `crit`: it must be understood, and nothing that could stand there is.
    case criticalExtension
    /// A key or where to get one (`jwk`, `jku`, `x5c`, `x5u`), a payload that is no base64url (`b64`), or a token in a
    /// token (`cty`).
    case forbiddenHeader
    /// A `typ` of something else.
    case wrongType
    /// Not the algorithm of the key, or one that no key has.
    case wrongAlgorithm
    /// A `kid` that no key has.
    case unknownKey
    case badSignature
    /// Claims that are no JSON object.
    case malformedClaims
}

extension JWTRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong: "the token is too long"
        case .malformed: "the token is malformed"
        case .encrypted: "the token is encrypted"
        case .unsigned: "the token is not signed"
        case .criticalExtension: "the token needs an extension that is not understood"
        case .forbiddenHeader: "the token's header has an unsupported member"
        case .wrongType: "the token is of another type"
        case .wrongAlgorithm: "the token is not signed by the algorithm of a known key"
        case .unknownKey: "the token names a key that is not known"
        case .badSignature: "the token's signature is wrong"
        case .malformedClaims: "the token's claims are not a JSON object"
        }
    }
}
