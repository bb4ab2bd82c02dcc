// A configured key: read and checked once, and bound to one algorithm.

/// A key and its one algorithm.
package struct JWTKey: Sendable {
    enum Material: Sendable {
        case secret([UInt8])
        case pair(KeyPair)
    }

    /// The `kid` that tokens refer to. A key without an ID is tried with every token of its algorithm.
    package let id: String?
    package let algorithm: JWTAlgorithm
    let material: Material
    /// Identifies the key and reveals nothing of a secret.
    package let thumbprint: SecretDigest

    /// - Parameters:
    ///   - contents: For HS256 the secret's bytes, without a trailing line break; for the others a PEM public key, or a
    ///     private key, which can also sign.
    ///   - id: The `kid` that tokens refer to.
    package init(
        _ algorithm: JWTAlgorithm, file contents: [UInt8], id: String? = nil
    ) throws(JWTKeyError) {
        guard contents.count <= JWTLimits.file else {
            throw JWTKeyError("a key's file can have \(JWTLimits.file) bytes at most")
        }
        guard algorithm == .hs256 else {
            try self.init(algorithm, id: id, material: .pair(try KeyPair(algorithm, pem: contents)))
            return
        }
        guard !PublicKeyDetector.isLikely(contents) else { throw PublicKeyDetector.refusal }
        var secret = contents
        if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
        if secret.count < contents.count, secret.last == UInt8(ascii: "\r") { secret.removeLast() }
        try self.init(secret: secret, id: id)
    }

    /// A key for HS256.
    init(secret: [UInt8], id: String?) throws(JWTKeyError) {
        guard !PublicKeyDetector.isLikely(secret) else { throw PublicKeyDetector.refusal }
        guard secret.count >= JWTLimits.secret else {
            throw JWTKeyError(
                "an HS256 secret needs \(JWTLimits.secret) bytes or more, of a generator; this one has \(secret.count)")
        }
        try self.init(.hs256, id: id, material: .secret(secret))
    }

    init(_ algorithm: JWTAlgorithm, id: String?, material: Material) throws(JWTKeyError) {
        guard id.map({ (1...JWTLimits.keyID).contains($0.utf8.count) }) ?? true else {
            throw JWTKeyError("a key's id has 1 to \(JWTLimits.keyID) bytes")
        }
        self.id = id
        self.algorithm = algorithm
        self.material = material
        let known: [UInt8] =
            switch material {
            case .secret(let secret): Hashes.hmac(of: Array("thumbprint".utf8), secret: secret)
            case .pair(let pair): pair.publicKey
            }
        thumbprint = SecretDigest(of: Array(algorithm.rawValue.utf8) + known)
    }
}

/// No form of printing shows any part of the key.
extension JWTKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(algorithm.rawValue) key" + (id.map { " \($0)" } ?? "") }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
