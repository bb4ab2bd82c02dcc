// Whether a key has signed a token: the one place that asks libjwt.
//
// What libjwt 1.10 does was read in its source. It keeps no state between calls, and neither do GnuTLS and jansson beyond
// seeds that they make once, so any number of threads may ask. It looks at no claim, not even `exp`.

import CGnuTLS
import CJWT

extension JWTKey {
    /// Whether the signature is right. The key's algorithm must be the token's.
    func hasSigned(_ token: CompactToken) -> Bool {
        switch material {
        case .secret(let secret):
            // Not by libjwt: as it was released, 1.10 compares HMACs by strcmp, whose time tells how many characters
            // were right (CVE-2024-25189). Debian has mended that; here it doesn't matter whose build it is.
            Hashes.areSame(token.signature, Hashes.hmac(of: token.signed, secret: secret))
        case .pair(let pair):
            // Of ES256 libjwt takes signatures of 132 bytes as well, with zeros in between: a second text of the token.
            token.signature.count == pair.signatureSize
                && (token.header.isPlain ? pair.isTaken(token, by: algorithm) : pair.hasSigned(token, by: algorithm))
        }
    }
}

extension KeyPair {
    /// Whether libjwt takes a token. Numbers beyond 64 bits and escaped NULs in claims are nothing to its parser, so a token
    /// that has them is refused.
    fileprivate func isTaken(_ token: CompactToken, by algorithm: JWTAlgorithm) -> Bool {
        var taken: OpaquePointer?
        let code = unsafe jwt_decode(&taken, token.text, publicKey, Int32(clamping: publicKey.count))
        defer { unsafe jwt_free(taken) }
        // A success is none without the algorithm: where there is no memory for its copy of the key, libjwt answers so
        // before it has looked at anything.
        guard code == 0, unsafe taken != nil else { return false }
        return unsafe jwt_get_alg(taken) == (algorithm == .es256 ? JWT_ALG_ES256 : JWT_ALG_RS256)
    }

    /// The same by GnuTLS itself. For types that libjwt 1.10 doesn't take: any but `JWT`, so none of RFC 9068.
    fileprivate func hasSigned(_ token: CompactToken, by algorithm: JWTAlgorithm) -> Bool {
        guard let signature = algorithm == .es256 ? ECDSASignature.der(token.signature) : token.signature,
            let key = try? PublicKey(), key.read(pem: publicKey)
        else { return false }
        return key.verify(signature, of: token.signed, by: algorithm)
    }
}
