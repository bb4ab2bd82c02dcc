// Tokens held against the keys that are known (RFC 7519 section 7.2, RFC 8725).

/// The keys whose tokens are taken. Any number of threads may ask.
package struct JWTKeySet: Sendable {
    /// A token whose signature is right.
    package struct Verified: Hashable, Sendable {
        /// The JSON object's bytes. What they claim was not looked at.
        package let claims: [UInt8]
        /// The thumbprint of the key that has signed it.
        package let key: SecretDigest
    }

    private let keys: [JWTKey]

    package init(_ keys: [JWTKey]) { self.keys = keys }

    package var isEmpty: Bool { keys.isEmpty }

    /// Whether one of the keys has this thumbprint.
    package func contains(_ thumbprint: SecretDigest) -> Bool { keys.contains { $0.thumbprint == thumbprint } }

    /// A token that one of the keys has signed.
    /// - Parameter token: A compact JWS.
    package func verify(_ token: String) throws(JWTRefusal) -> Verified {
        let token = try CompactToken(token)
        for key in try candidates(for: token.header) where key.hasSigned(token) {
            return Verified(claims: token.claims, key: key.thumbprint)
        }
        throw .badSignature
    }

    /// The keys that a header may be about: those that it names, else those without a name; all of them, where it names
    /// none. Of these the ones of its algorithm, and no more than are tried.
    private func candidates(for header: JWTHeader) throws(JWTRefusal) -> ArraySlice<JWTKey> {
        var named = keys
        if let id = header.keyID {
            // By bytes: strings are the same to Swift when they look the same.
            named = keys.filter { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
            if named.isEmpty { named = keys.filter { $0.id == nil } }
            guard !named.isEmpty else { throw .unknownKey }
        }
        let fitting = named.filter { $0.algorithm == header.algorithm }
        guard !fitting.isEmpty else { throw .wrongAlgorithm }
        return fitting.prefix(JWTLimits.triedKeys)
    }
}
