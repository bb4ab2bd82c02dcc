// Verifies signatures of tokens with the known keys (RFC 7515 section 5.2, RFC 8725). `TokenAuthority` checks the claims.

/// The keys whose tokens are accepted. Safe to use from any thread.
package struct JWTKeySet: Sendable {
    /// A token with a valid signature.
    package struct Verified: Hashable, Sendable {
        /// The bytes of the JSON object. Its claims have not been checked.
        package let claims: [UInt8]
        /// The thumbprint of the key that signed it.
        package let key: SecretDigest
    }

    private let keys: [JWTKey]

    package init(_ keys: [JWTKey]) { self.keys = keys }

    package var isEmpty: Bool { keys.isEmpty }

    /// Returns whether one of the keys has this thumbprint.
    package func contains(_ thumbprint: SecretDigest) -> Bool { keys.contains { $0.thumbprint == thumbprint } }

    /// Verifies that one of the keys signed a token.
    /// - Parameter token: A compact JWS.
    /// - Throws: Why it is rejected: `badSignature` also if the right key is beyond the `JWTLimits.triedKeys` that fit.
    package func verify(_ token: String) throws(JWTRefusal) -> Verified {
        let token = try CompactToken(token)
        for key in try candidates(for: token.header) where key.hasSigned(token) {
            return Verified(claims: token.claims, key: key.thumbprint)
        }
        throw .badSignature
    }

    /// Returns the keys to try: those with the header's key ID, else those without an ID; all keys if the header has no ID.
    /// Of these, only those of the header's algorithm, and at most `JWTLimits.triedKeys`.
    private func candidates(for header: JWTHeader) throws(JWTRefusal) -> ArraySlice<JWTKey> {
        var matching = keys
        if let id = header.keyID {
            // Compares bytes: Swift treats canonically equivalent strings as equal.
            matching = keys.filter { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
            if matching.isEmpty { matching = keys.filter { $0.id == nil } }
            guard !matching.isEmpty else { throw .unknownKey }
        }
        let fitting = matching.filter { $0.algorithm == header.algorithm }
        guard !fitting.isEmpty else { throw .wrongAlgorithm }
        return fitting.prefix(JWTLimits.triedKeys)
    }
}
