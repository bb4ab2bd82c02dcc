// The certificate for TLS handshakes, read from its files at start and on each reload.
//
// Each connection holds the pair of its own handshake, so a replaced pair is released with the last connection that uses it.

import Glibc
import OperatingSystem
import Synchronization

/// A server's certificate, which can be reloaded while it runs.
package final class Certificates: Sendable {
    /// TLS 1.3 and 1.2 with forward secrecy (ECDHE) and authenticated ciphers (AEAD), in the client's order, since only the
    /// client knows whether it has AES in hardware. What this excludes (CBC, RSA key exchange, finite-field groups of the
    /// client's choice, SHA-1, anything below 128 bits) has been attacked before, and no browser of the last ten years needs
    /// it. GnuTLS' own NORMAL would allow TLS 1.0 and CBC.
    static let ciphers =
        "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-GCM:+CHACHA20-POLY1305:+AES-256-GCM"
        + ":-MAC-ALL:+AEAD:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
        + ":-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1"
    /// The most bytes of a file; the longest certificate chains are far shorter.
    package static let maximumBytes = 1 << 20

    private let chain: String
    private let key: String
    private let pair: Mutex<KeyPair>

    /// - Parameters:
    ///   - chain: A file with the certificate chain in PEM.
    ///   - key: A file with its key in PEM.
    package init(chain: String, key: String) throws(CertificateError) {
        self.chain = chain
        self.key = key
        pair = Mutex(try Self.read(chain: chain, key: key))
    }

    /// Reads the files again, for new handshakes. An unusable pair changes nothing.
    package func reload() throws(CertificateError) {
        let fresh = try Self.read(chain: chain, key: key)
        pair.withLock { $0 = fresh }
    }

    /// Why clients currently reject the certificate; nil if they don't.
    package var warning: String? { current.warning(at: Int64(time(nil))) }

    var current: KeyPair { pair.withLock { $0 } }

    private static func read(chain: String, key: String) throws(CertificateError) -> KeyPair {
        try KeyPair(chain: contents(chain, of: .certificate), key: contents(key, of: .key))
    }

    private static func contents(
        _ path: String, of part: CertificateError.Part
    ) throws(CertificateError) -> [UInt8] {
        do throws(FileBytes.Failure) {
            return try FileBytes.read(path, limit: maximumBytes)
        } catch {
            switch error {
            case .unreadable: throw CertificateError(part, "the file can't be read")
            case .tooLong: throw CertificateError(part, "the file is longer than \(maximumBytes) bytes")
            }
        }
    }
}
