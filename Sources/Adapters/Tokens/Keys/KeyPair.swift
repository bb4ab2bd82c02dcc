// RSA and elliptic-curve keys by GnuTLS: reads, checks and exports them. No pointer leaves this file and DatumBytes.

import CGnuTLS

/// A public key that suits its algorithm, and the private key if given. Kept as PEM: each use makes new GnuTLS handles, so
/// threads share nothing.
struct KeyPair: Sendable {
    /// PEM of a SubjectPublicKeyInfo, whatever the input's format.
    let publicKey: [UInt8]
    let privateKey: [UInt8]?
    /// Bytes of a signature in a token.
    let signatureSize: Int

    init(_ algorithm: JWTAlgorithm, pem: [UInt8]) throws(JWTKeyError) {
        let key = try PublicKey()
        let secret = try PrivateKey()
        let isPrivate = secret.read(pem: pem)
        guard isPrivate ? key.read(publicHalfOf: secret) : key.read(pem: pem) else {
            throw JWTKeyError("\(algorithm.rawValue) needs a PEM public key, or a private one without a password")
        }
        try self.init(algorithm, key, privateKey: isPrivate ? pem : nil)
    }

    init(_ algorithm: JWTAlgorithm, _ key: borrowing PublicKey, privateKey: [UInt8]?) throws(JWTKeyError) {
        signatureSize = try key.signatureSize(for: algorithm)
        guard let pem = key.pem() else { throw .noMemory }
        publicKey = pem
        self.privateKey = privateKey
    }
}

/// A GnuTLS handle of a public key.
@safe struct PublicKey: ~Copyable {
    private let handle: gnutls_pubkey_t

    init() throws(JWTKeyError) {
        var made: gnutls_pubkey_t?
        guard unsafe gnutls_pubkey_init(&made) == 0, let made = unsafe made else { throw .noMemory }
        unsafe handle = made
    }

    deinit { unsafe gnutls_pubkey_deinit(handle) }

    func read(pem: [UInt8]) -> Bool {
        unsafe DatumBytes.lend(pem) { unsafe gnutls_pubkey_import(handle, $0, GNUTLS_X509_FMT_PEM) == 0 }
    }

    func read(publicHalfOf key: borrowing PrivateKey) -> Bool { unsafe key.give(to: handle) }

    /// Reads big-endian numbers, as in a JWK.
    func read(modulus: [UInt8], exponent: [UInt8]) -> Bool {
        unsafe DatumBytes.lend(modulus) { modulus in
            unsafe DatumBytes.lend(exponent) { unsafe gnutls_pubkey_import_rsa_raw(handle, modulus, $0) == 0 }
        }
    }

    /// Reads a point of P-256.
    func read(x: [UInt8], y: [UInt8]) -> Bool {
        unsafe DatumBytes.lend(x) { x in
            unsafe DatumBytes.lend(y) {
                unsafe gnutls_pubkey_import_ecc_raw(handle, GNUTLS_ECC_CURVE_SECP256R1, x, $0) == 0
            }
        }
    }

    /// Reads a point of Ed25519 as encoded by RFC 8032.
    func read(ed25519 point: [UInt8]) -> Bool {
        unsafe DatumBytes.lend(point) {
            unsafe gnutls_pubkey_import_ecc_raw(handle, GNUTLS_ECC_CURVE_ED25519, $0, nil) == 0
        }
    }

    func pem() -> [UInt8]? {
        unsafe DatumBytes.copy { unsafe gnutls_pubkey_export2(handle, GNUTLS_X509_FMT_PEM, $0) }
    }

    /// Returns the bytes of a signature by this key.
    /// - Throws: If the key doesn't suit the algorithm.
    func signatureSize(for algorithm: JWTAlgorithm) throws(JWTKeyError) -> Int {
        var bits: UInt32 = 0
        let kind = unsafe gnutls_pubkey_get_pk_algorithm(handle, &bits)
        switch algorithm {
        case .hs256: throw PublicKeyDetector.refusal
        case .rs256:
            guard kind == Int32(bitPattern: GNUTLS_PK_RSA.rawValue) else {
                throw JWTKeyError("RS256 needs an RSA key, and this is another kind")
            }
            guard JWTLimits.modulus.contains(Int(bits)) else {
                throw JWTKeyError(
                    "RS256 needs an RSA key of \(JWTLimits.modulus.lowerBound) to \(JWTLimits.modulus.upperBound) bits; "
                        + "this one has \(bits)")
            }
            guard hasFitExponent else { throw JWTKeyError("this RSA key's public exponent is not fit for signatures") }
            guard hasFitModulus else {
                throw JWTKeyError("anybody can find out this RSA key's private half (CVE-2017-15361); make another key")
            }
            return (Int(bits) + 7) / 8
        case .es256:
            guard kind == Int32(bitPattern: GNUTLS_PK_ECDSA.rawValue), isOnP256 else {
                throw JWTKeyError("ES256 needs a key on the curve P-256 (prime256v1), and this is another kind")
            }
            return ECDSASignature.size
        case .edDSA:
            guard kind == Int32(bitPattern: GNUTLS_PK_EDDSA_ED25519.rawValue) else {
                throw JWTKeyError("EdDSA needs an Ed25519 key, and this is another kind")
            }
            return Self.ed25519SignatureSize
        }
    }

    /// Bytes of a signature (RFC 8032 section 5.1.6).
    private static let ed25519SignatureSize = 64

    /// Returns whether a signature in GnuTLS' own format is valid.
    func verify(_ signature: [UInt8], of message: [UInt8], by algorithm: JWTAlgorithm) -> Bool {
        unsafe DatumBytes.lend(message) { message in
            unsafe DatumBytes.lend(signature) {
                unsafe gnutls_pubkey_verify_data2(handle, algorithm.method, 0, message, $0) == 0
            }
        }
    }

    /// With an exponent of 1 every text is its own signature; an even exponent is invalid.
    private var hasFitExponent: Bool {
        guard let exponent = unsafe DatumBytes.copy({ unsafe gnutls_pubkey_export_rsa_raw(handle, nil, $0) }) else {
            return false
        }
        let digits = exponent.drop { $0 == 0 }
        guard let last = digits.last, last & 1 == 1 else { return false }
        return digits.count > 1 || last > 1
    }

    private var hasFitModulus: Bool {
        guard let bytes = unsafe DatumBytes.copy({ unsafe gnutls_pubkey_export_rsa_raw(handle, $0, nil) }) else {
            return false
        }
        let modulus = RSAModulus(bytes)
        return !modulus.hasSmallFactor && !modulus.isGuessable
    }

    private var isOnP256: Bool {
        var curve = GNUTLS_ECC_CURVE_INVALID
        return unsafe gnutls_pubkey_export_ecc_raw(handle, &curve, nil, nil) == 0 && curve == GNUTLS_ECC_CURVE_SECP256R1
            && gnutls_pubkey_verify_params(handle) == 0
    }
}

/// A GnuTLS handle of a private key.
@safe struct PrivateKey: ~Copyable {
    private let handle: gnutls_privkey_t

    init() throws(JWTKeyError) {
        var made: gnutls_privkey_t?
        guard unsafe gnutls_privkey_init(&made) == 0, let made = unsafe made else { throw .noMemory }
        unsafe handle = made
    }

    deinit { unsafe gnutls_privkey_deinit(handle) }

    func read(pem: [UInt8]) -> Bool {
        unsafe DatumBytes.lend(pem) {
            unsafe gnutls_privkey_import_x509_raw(handle, $0, GNUTLS_X509_FMT_PEM, nil, 0) == 0
        }
    }

    fileprivate func give(to key: gnutls_pubkey_t) -> Bool {
        unsafe gnutls_pubkey_import_privkey(key, handle, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE), 0) == 0
    }

    /// Returns a signature in GnuTLS' own format.
    func signature(of message: [UInt8], by algorithm: JWTAlgorithm) -> [UInt8]? {
        unsafe DatumBytes.lend(message) { message in
            unsafe DatumBytes.copy {
                unsafe gnutls_privkey_sign_data2(handle, algorithm.method, 0, message, $0)
            }
        }
    }
}

extension JWTAlgorithm {
    /// GnuTLS' name; HMACs are no signatures there.
    fileprivate var method: gnutls_sign_algorithm_t {
        switch self {
        case .hs256: GNUTLS_SIGN_UNKNOWN
        case .rs256: GNUTLS_SIGN_RSA_SHA256
        case .es256: GNUTLS_SIGN_ECDSA_SHA256
        case .edDSA: GNUTLS_SIGN_EDDSA_ED25519
        }
    }
}
