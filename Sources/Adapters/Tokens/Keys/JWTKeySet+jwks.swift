// Reads keys from JWK Sets (RFC 7517).
//
// Keys for other purposes are skipped, as section 5 asks: another `kty`, `crv` or `alg`, a `use` other than `sig`, `key_ops`
// without `verify`. Keys for this purpose that can't be used are errors, so that the operator learns of them now and not
// when tokens are rejected. Private members are ignored; such keys verify, and don't sign.

import Wire

extension JWTKeySet {
    /// Returns the keys of a JWK Set, for `JWTKeySet(_:)`. The algorithm is that of `alg`, or else the one for its `kty`.
    /// Two keys of one algorithm can't share an ID, since a token selects its key by both.
    /// - Throws: If it is no JWK Set, a key is broken or weak, two keys of one algorithm share an ID, there are too many
    ///   keys or no usable one, or it mixes secrets with public keys.
    package static func keys(ofJWKS bytes: [UInt8]) throws(JWTKeyError) -> [JWTKey] {
        guard bytes.count <= JWTLimits.file else {
            throw JWTKeyError("a set of keys can have \(JWTLimits.file) bytes at most")
        }
        guard let object = JSONObject(bytes), case .array(let nodes) = object["keys"] else {
            throw JWTKeyError("a JWK Set is a JSON object with an array \"keys\", and this is none")
        }
        guard nodes.count <= JWTLimits.keys else {
            throw JWTKeyError("a set can have \(JWTLimits.keys) keys at most; this one has \(nodes.count)")
        }
        var keys: [JWTKey] = []
        var ids: [JWTAlgorithm: Set<String>] = [:]
        var kinds: Set<String> = []
        for (place, node) in nodes.enumerated() {
            guard let jwk = JSONObject(node) else { throw JWTKeyError("key \(place + 1) of the set is no object") }
            do {
                guard let kind = try text("kty", of: jwk) else { throw JWTKeyError("it has no kty") }
                kinds.insert(kind)
                guard let key = try key(of: jwk, kind: kind) else { continue }
                if let id = key.id, !ids[key.algorithm, default: []].insert(id).inserted {
                    throw JWTKeyError("its kid is that of a key before it, of the same kind")
                }
                keys.append(key)
            } catch {
                throw JWTKeyError("key \(place + 1) of the set: \(error)")
            }
        }
        // Everyone who has the public keys would have the secret too, even one that is not used here.
        guard !kinds.contains("oct") || kinds.isDisjoint(with: asymmetricKinds) else {
            throw JWTKeyError("the set has secrets (kty oct) beside public keys; give each of them a file of its own")
        }
        guard !keys.isEmpty else {
            let names = JWTAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw JWTKeyError("the set has no key that verifies \(names)")
        }
        return keys
    }

    private static let asymmetricKinds: Set = ["RSA", "EC", "OKP"]

    /// - Returns: nil for a key with another purpose.
    private static func key(of jwk: JSONObject, kind: String) throws(JWTKeyError) -> JWTKey? {
        guard let algorithm = try algorithm(of: jwk, kind: kind), try isForVerifying(jwk) else { return nil }
        let id = try text("kid", of: jwk)
        switch algorithm {
        case .hs256: return try JWTKey(secret: try number("k", of: jwk), id: id)
        case .rs256:
            let key = try PublicKey()
            guard key.read(modulus: try number("n", of: jwk), exponent: try number("e", of: jwk)) else {
                throw JWTKeyError("its n and e make no RSA key")
            }
            return try JWTKey(.rs256, id: id, material: .pair(try KeyPair(.rs256, key, privateKey: nil)))
        case .es256:
            let x = try number("x", of: jwk)
            let y = try number("y", of: jwk)
            // RFC 7518 section 6.2.1.2: with all leading zeros.
            let key = try PublicKey()
            guard x.count == ECDSASignature.size / 2, y.count == x.count, key.read(x: x, y: y) else {
                throw JWTKeyError("its x and y are no point of P-256 in 32 bytes each")
            }
            return try JWTKey(.es256, id: id, material: .pair(try KeyPair(.es256, key, privateKey: nil)))
        case .edDSA:
            let key = try PublicKey()
            guard key.read(ed25519: try number("x", of: jwk)) else {
                throw JWTKeyError("its x is no point of Ed25519 in 32 bytes")
            }
            return try JWTKey(.edDSA, id: id, material: .pair(try KeyPair(.edDSA, key, privateKey: nil)))
        }
    }

    private static func algorithm(of jwk: JSONObject, kind: String) throws(JWTKeyError) -> JWTAlgorithm? {
        let algorithm: JWTAlgorithm
        switch kind {
        case "oct": algorithm = .hs256
        case "RSA": algorithm = .rs256
        case "EC":
            guard let curve = try text("crv", of: jwk) else { throw JWTKeyError("it has no crv") }
            guard curve == "P-256" else { return nil }
            algorithm = .es256
        case "OKP":
            guard let curve = try text("crv", of: jwk) else { throw JWTKeyError("it has no crv") }
            guard curve == "Ed25519" else { return nil }
            algorithm = .edDSA
        default: return nil
        }
        guard let name = try text("alg", of: jwk) else { return algorithm }
        return JWTAlgorithm(name: name) == algorithm ? algorithm : nil
    }

    private static func isForVerifying(_ jwk: JSONObject) throws(JWTKeyError) -> Bool {
        let use = try text("use", of: jwk)
        guard use == nil || use == "sig" else { return false }
        guard let operations = jwk["key_ops"] else { return true }
        guard case .array(let names) = operations else { throw JWTKeyError("its key_ops is no array") }
        return names.contains { name in
            guard case .string("verify") = name.content else { return false }
            return true
        }
    }

    private static func text(_ name: String, of jwk: JSONObject) throws(JWTKeyError) -> String? {
        try jwk.text(name, else: JWTKeyError("its \(name) is no string"))
    }

    /// Returns the bytes of a base64url member.
    private static func number(_ name: String, of jwk: JSONObject) throws(JWTKeyError) -> [UInt8] {
        guard let text = try text(name, of: jwk) else { throw JWTKeyError("it has no \(name)") }
        guard let bytes = Base64URL.bytes(Array(text.utf8)), !bytes.isEmpty else {
            throw JWTKeyError("its \(name) is no base64url")
        }
        return bytes
    }
}
