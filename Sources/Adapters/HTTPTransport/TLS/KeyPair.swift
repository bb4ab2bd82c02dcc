// A certificate with its key in GnuTLS' form. Their pointers are only used here.

import CGnuTLS
import Glibc

/// A certificate chain and the key of its first certificate; freed with its last reference.
@safe final class KeyPair: @unchecked Sendable {
    // @unchecked because: it never changes after the initialiser.
    private let pointer: UnsafeMutablePointer<tweencast_key_pair>

    /// - Parameters:
    ///   - chain: PEM; the server's own certificate may be at any place.
    ///   - key: PEM, without a password.
    init(chain: [UInt8], key: [UInt8]) throws(CertificateError) {
        guard let raw = unsafe calloc(1, MemoryLayout<tweencast_key_pair>.size) else {
            throw CertificateError(.certificate, "there is no memory for it")
        }
        let pair = unsafe raw.bindMemory(to: tweencast_key_pair.self, capacity: 1)
        unsafe pointer = unsafe pair
        var code = unsafe tweencast_read_chain(pair, chain, UInt32(clamping: chain.count))
        guard code == 0 else { throw CertificateError(.certificate, "no certificate can be read: \(Self.text(code))") }
        code = unsafe tweencast_read_key(pair, key, UInt32(clamping: key.count))
        guard code != GNUTLS_E_CERTIFICATE_KEY_MISMATCH else {
            throw CertificateError(.key, "it is not the key of the certificate")
        }
        guard code == 0 else { throw CertificateError(.key, "no key can be read: \(Self.text(code))") }
    }

    deinit { unsafe tweencast_free_key_pair(pointer) }

    private static func text(_ code: Int32) -> String {
        unsafe gnutls_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    /// Returns why clients reject the certificate at this time; nil if they don't.
    /// - Parameter time: Unix seconds.
    func warning(at time: Int64) -> String? {
        let (begins, expires) = unsafe (pointer.pointee.begins, pointer.pointee.expires)
        if time < begins { return "the certificate is not valid yet" }
        return time >= expires ? "the certificate has expired" : nil
    }

    /// Supplies both to a handshake. GnuTLS keeps the pointers for the whole session, so the caller must keep this object as
    /// long.
    func show(
        _ chain: UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>,
        _ count: UnsafeMutablePointer<UInt32>, _ key: UnsafeMutablePointer<gnutls_privkey_t?>
    ) {
        unsafe chain.pointee = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: gnutls_pcert_st.self)
        unsafe count.pointee = pointer.pointee.count
        unsafe key.pointee = pointer.pointee.key
    }
}
