// Checks whether a key signed a token. Ignores the claims, even `exp`.

extension JWTKey {
    /// Returns whether the signature is valid. The key's algorithm must be the token's.
    func hasSigned(_ token: CompactToken) -> Bool {
        switch material {
        case .secret(let secret):
            // In constant time, so that timing doesn't reveal how many bytes of a guess are right.
            Hashes.areSame(token.signature, Hashes.hmac(of: token.signed, secret: secret))
        case .pair(let pair): pair.hasSigned(token, by: algorithm)
        }
    }
}

extension KeyPair {
    fileprivate func hasSigned(_ token: CompactToken, by algorithm: JWTAlgorithm) -> Bool {
        guard token.signature.count == signatureSize,
            let signature = algorithm == .es256 ? ECDSASignature.der(token.signature) : token.signature,
            let key = try? PublicKey(), key.read(pem: publicKey)
        else { return false }
        return key.verify(signature, of: token.signed, by: algorithm)
    }
}
