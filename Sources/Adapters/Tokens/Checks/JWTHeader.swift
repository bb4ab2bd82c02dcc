// A token's header (RFC 7515 section 4). Nobody has vouched for it yet: it may say which of the known keys it is about, and
// has no say in anything else.

/// What a header says, when that is nothing that would refuse the token.
struct JWTHeader {
    /// Members that bring a key along, lead to one, or give the token's parts another meaning. To ignore them would be
    /// right as well (RFC 8725 section 3.10); no honest issuer sends them, so whoever does is told no at once.
    private static let forbidden = ["jwk", "jku", "x5c", "x5u", "b64", "cty"]
    /// In lower case. RFC 9068 section 4 has the last two for access tokens.
    private static let types: Set<String> = ["jwt", "at+jwt", "application/at+jwt"]

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
