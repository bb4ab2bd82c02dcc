// Hashes by GnuTLS, and their constant-time comparison.

import CGnuTLS

enum Hashes {
    /// Bytes of a SHA-256 digest and of its HMAC.
    static let size = 32

    static func sha256(of bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        let code = unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest)
        precondition(code == 0, "SHA-256 is part of every build of GnuTLS")
        return digest
    }

    static func hmac(of bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        let code = unsafe gnutls_hmac_fast(GNUTLS_MAC_SHA256, secret, secret.count, bytes, bytes.count, &digest)
        precondition(code == 0, "SHA-256 is part of every build of GnuTLS")
        return digest
    }

    /// Returns whether all bytes are equal, in time that depends only on their number.
    static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return unsafe gnutls_memcmp(one, other, one.count) == 0
    }
}
