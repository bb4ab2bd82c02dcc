// A token's header (RFC 7515 section 4). It is unverified: it may only select one of the known keys.

/// The members of an acceptable header.
struct JWTHeader {
    /// Members that carry a key, link to one, or change what the token's parts mean. Ignoring them would be correct too (RFC
    /// 8725 section 3.10), but issuers of access tokens have no need of them, so such tokens are rejected.
    private static let forbidden = ["jwk", "jku", "x5c", "x5u", "b64", "cty"]
    /// In lower case; `at+jwt` is an access token (RFC 9068 section 4). The prefix may be left out (RFC 7515 section 4.1.9).
    private static let types: Set<String> = ["jwt", "application/jwt", "at+jwt", "application/at+jwt"]

    let algorithm: JWTAlgorithm
    let keyID: String?

    init(_ bytes: [UInt8]) throws(JWTRefusal) {
        guard bytes.count <= JWTLimits.header, let object = JSONObject(bytes) else { throw .malformed }
        guard !object.has("crit") else { throw .criticalExtension }
        guard !Self.forbidden.contains(where: { object.has($0) }) else { throw .forbiddenHeader }
        guard let name = try object.text("alg", else: JWTRefusal.malformed) else { throw .malformed }
        guard name.lowercased() != "none" else { throw .unsigned }
        guard let algorithm = JWTAlgorithm(name: name) else { throw .wrongAlgorithm }
        let type = try object.text("typ", else: JWTRefusal.malformed)?.lowercased()
        guard type.map({ Self.types.contains($0) }) ?? true else { throw .wrongType }
        self.algorithm = algorithm
        keyID = try object.text("kid", else: JWTRefusal.malformed)
        guard keyID.map({ $0.utf8.count <= JWTLimits.keyID }) ?? true else { throw .unknownKey }
    }
}
