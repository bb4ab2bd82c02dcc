// Reasons for rejecting a JWT before its claims are checked. `TokenRefusal` has the others.

/// What is wrong with the form, the header or the signature of a JWT. The text contains nothing of the token, so it may be logged and sent to the client.
package enum JWTRefusal: Error, Hashable, Sendable, CaseIterable {
    /// Longer than `JWTLimits.token`.
    case tooLong
    /// Not three parts of base64url, or the header is no JSON object or has a member of the wrong type.
    case malformed
    /// Five parts: a JWE.
    case encrypted
    /// `alg` is `none` in any spelling, or the signature is empty.
    case unsigned
    /// `crit`: it lists extensions that must be understood, and none is supported.
    case criticalExtension
    /// A key or its location (`jwk`, `jku`, `x5c`, `x5u`), a payload that is not base64url (`b64`), or a nested token
    /// (`cty`).
    case forbiddenHeader
    /// `typ` is neither `JWT` nor `at+jwt`.
    case wrongType
    /// No key that may have signed it has this algorithm.
    case wrongAlgorithm
    /// No key has this `kid`, and every key has an ID; or the `kid` is too long.
    case unknownKey
    case badSignature
    /// The claims are too long or no JSON object.
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
