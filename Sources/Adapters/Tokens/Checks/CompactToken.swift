// Parses a compact token (RFC 7515 section 3.1) without trusting any of it.

/// A well-formed compact JWS. Its signature may be wrong.
struct CompactToken {
    /// The signing input: the first two parts as sent.
    let signed: [UInt8]
    let header: JWTHeader
    let claims: [UInt8]
    let signature: [UInt8]

    init(_ text: String) throws(JWTRefusal) {
        guard text.utf8.count <= JWTLimits.token else { throw .tooLong }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count != 5 else { throw .encrypted }
        guard parts.count == 3, let header = Base64URL.bytes(parts[0]), let claims = Base64URL.bytes(parts[1]),
            let signature = Base64URL.bytes(parts[2])
        else { throw .malformed }
        self.header = try JWTHeader(header)
        guard !signature.isEmpty else { throw .unsigned }
        guard claims.count <= JWTLimits.claims, JSONObject(claims) != nil else { throw .malformedClaims }
        self.claims = claims
        self.signature = signature
        signed = Array(bytes.prefix(parts[0].count + 1 + parts[1].count))
    }
}
