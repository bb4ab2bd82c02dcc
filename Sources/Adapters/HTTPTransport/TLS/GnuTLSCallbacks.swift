// The functions that GnuTLS calls, in the form that libmicrohttpd takes them.

import CGnuTLS
import CMicroHTTPD

/// The certificate for a handshake: that of the moment, which the connection holds from now on.
/// - Returns: 0, or anything else to break the handshake off.
func retrieveCertificate(
    _ session: UnsafeMutableRawPointer?, _ authorities: UnsafeRawPointer?, _ authorityCount: Int32,
    _ algorithms: UnsafeRawPointer?, _ algorithmCount: Int32, _ chain: UnsafeMutableRawPointer?,
    _ count: UnsafeMutablePointer<UInt32>?, _ key: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe session, let chain = unsafe chain, let count = unsafe count, let key = unsafe key,
        // The library has the session point to its connection.
        let connection = unsafe gnutls_session_get_ptr(OpaquePointer(session)),
        let pair = unsafe Connection(OpaquePointer(connection)).record?.choosePair()
    else { return -1 }
    unsafe pair.show(
        chain.assumingMemoryBound(to: UnsafeMutablePointer<gnutls_pcert_st>?.self), count,
        key.assumingMemoryBound(to: gnutls_privkey_t?.self))
    return 0
}
