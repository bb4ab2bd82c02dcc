// Tokens that this program signs.

import Wire

extension JWTKey {
    /// Returns a compact JWS of these claims with `alg`, `typ` and the key's `kid`, if it has one.
    /// - Parameter claims: A JSON object; it is signed as given.
    /// - Throws: If the key is public, or the claims are too long or no object.
    package func sign(claims: [UInt8]) throws(JWTKeyError) -> String {
        guard JSONObject(claims) != nil else { throw JWTKeyError("claims must be a JSON object") }
        var header = JSONWriter()
        header.object {
            $0.member("alg", algorithm.rawValue)
            $0.member("typ", "JWT")
            if let id { $0.member("kid", id) }
        }
        let signed = Base64URL.text(header.bytes) + "." + Base64URL.text(claims)
        let token = signed + "." + Base64URL.text(try signature(of: Array(signed.utf8)))
        guard token.utf8.count <= JWTLimits.token else {
            throw JWTKeyError("the claims are too long for a token of \(JWTLimits.token) bytes")
        }
        return token
    }

    func signature(of message: [UInt8]) throws(JWTKeyError) -> [UInt8] {
        switch material {
        case .secret(let secret): return Hashes.hmac(of: message, secret: secret)
        case .pair(let pair):
            guard let pem = pair.privateKey else { throw JWTKeyError("a public key can't sign") }
            let key = try PrivateKey()
            guard key.read(pem: pem), let made = key.signature(of: message, by: algorithm),
                let signature = algorithm == .es256 ? ECDSASignature.bytes(der: made) : made
            else { throw JWTKeyError("the key can't sign") }
            return signature
        }
    }
}
