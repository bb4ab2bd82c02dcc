// The function that GnuTLS calls for a certificate, with untyped pointers, as `shim.h` declares it.

import CGnuTLS
import CMicroHTTPD

/// Supplies the current certificate for a handshake; the connection holds it from then on.
/// - Returns: 0, or another value to abort the handshake.
func retrieveCertificate(
    _ session: UnsafeMutableRawPointer?, _ authorities: UnsafeRawPointer?, _ authorityCount: Int32,
    _ algorithms: UnsafeRawPointer?, _ algorithmCount: Int32, _ chain: UnsafeMutableRawPointer?,
    _ count: UnsafeMutablePointer<UInt32>?, _ key: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session, let chain = unsafe chain, let count = unsafe count, let key = unsafe key,
        // libmicrohttpd sets the session's pointer to its connection.
        let connection = unsafe gnutls_session_get_ptr(OpaquePointer(session)),
        let pair = unsafe Connection(OpaquePointer(connection)).record?.choosePair()
    else { return -1 }
    unsafe pair.show(
        chain.assumingMemoryBound(to: UnsafeMutablePointer<gnutls_pcert_st>?.self), count,
        key.assumingMemoryBound(to: gnutls_privkey_t?.self))
    return 0
}
