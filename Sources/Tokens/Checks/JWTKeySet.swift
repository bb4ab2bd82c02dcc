// Tokens held against the keys that are known (RFC 7519 section 7.2, RFC 8725).

/// The keys whose tokens are taken. Any number of threads may ask.
package struct JWTKeySet: Sendable {
    private let keys: [JWTKey]

    package init(_ keys: [JWTKey]) { self.keys = keys }

    /// The claims of a token that one of the keys has signed: the JSON object's bytes. What they claim is not looked at.
    /// - Parameter token: A compact JWS.
    package func verify(_ token: String) throws(JWTRefusal) -> [UInt8] {
        let token = try CompactToken(token)
        for key in try candidates(for: token.header) where key.hasSigned(token) { return token.claims }
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
