// A client's TLS session over a blocking socket, for `RawConnection`.

import CGnuTLS
import Glibc

/// A session that trusts one certificate, for the name localhost.
@safe final class ClientSession {
    private let session: gnutls_session_t
    private let credentials: gnutls_certificate_credentials_t
    /// The server's name; the session keeps the pointer.
    private let name = unsafe strdup("localhost")

    /// Performs the handshake.
    init(_ descriptor: Int32, trusting certificate: String) throws(RawConnection.Failure) {
        var made: gnutls_certificate_credentials_t?
        var begun: gnutls_session_t?
        unsafe gnutls_certificate_allocate_credentials(&made)
        unsafe gnutls_init(&begun, UInt32(GNUTLS_CLIENT.rawValue | GNUTLS_NO_SIGNAL.rawValue))
        guard let made = unsafe made, let begun = unsafe begun else {
            throw RawConnection.Failure(description: "no memory for TLS")
        }
        unsafe (credentials, session) = unsafe (made, begun)
        unsafe gnutls_certificate_set_x509_trust_file(credentials, certificate, GNUTLS_X509_FMT_PEM)
        unsafe gnutls_set_default_priority(session)
        unsafe gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
        unsafe gnutls_server_name_set(session, GNUTLS_NAME_DNS, name, "localhost".utf8.count)
        unsafe gnutls_session_set_verify_cert(session, name, 0)
        unsafe gnutls_transport_set_int2(session, descriptor, descriptor)
        var code: Int32
        repeat {
            code = unsafe gnutls_handshake(session)
        } while code < 0 && gnutls_error_is_fatal(code) == 0
            && tweencast_must_wait(Int(code)) == 0
        guard code == 0 else { throw failure("handshake", Int(code)) }
    }

    deinit {
        unsafe gnutls_deinit(session)
        unsafe gnutls_certificate_free_credentials(credentials)
        unsafe free(name)
    }

    func send(_ bytes: [UInt8]) throws(RawConnection.Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { raw in
                unsafe gnutls_record_send(session, raw.baseAddress.map { unsafe $0 + sent }, bytes.count - sent)
            }
            guard count > 0 else { throw failure("send", count) }
            sent += count
        }
    }

    /// - Returns: 0 at the end, whether the server closed the session properly or not.
    func receive(into chunk: inout [UInt8]) throws(RawConnection.Failure) -> Int {
        while true {
            errno = 0
            let count = unsafe gnutls_record_recv(session, &chunk, chunk.count)
            if count >= 0 { return count }
            // Interrupted, or a message of the session itself. A timeout, which errno reports, means a broken server.
            if count != GNUTLS_E_AGAIN || errno != EAGAIN, gnutls_error_is_fatal(Int32(clamping: count)) == 0 {
                continue
            }
            guard count == GNUTLS_E_PREMATURE_TERMINATION || count == GNUTLS_E_PULL_ERROR else {
                throw failure("recv", count)
            }
            return 0
        }
    }

    func sayGoodbye() { unsafe gnutls_bye(session, GNUTLS_SHUT_WR) }

    func renewKeys() throws(RawConnection.Failure) {
        let code = unsafe gnutls_session_key_update(session, UInt32(GNUTLS_KU_PEER))
        guard code == 0 else { throw failure("key update", Int(code)) }
    }

    /// The server's own certificate, in DER.
    var certificate: [UInt8] {
        var count: UInt32 = 0
        guard let list = unsafe gnutls_certificate_get_peers(session, &count), count > 0 else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: list.pointee.data, count: Int(list.pointee.size)))
    }

    private func failure(_ what: String, _ code: Int) -> RawConnection.Failure {
        let text = unsafe gnutls_strerror(Int32(clamping: code)).map { unsafe String(cString: $0) } ?? ""
        return RawConnection.Failure(description: "\(what): \(text)")
    }
}
