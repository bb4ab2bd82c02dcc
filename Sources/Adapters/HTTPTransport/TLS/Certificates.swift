// The certificate that handshakes are shown, read from its files at the start and whenever somebody asks for it.
//
// A session goes on with the pair that its handshake was shown: each connection holds its own, so a replaced pair goes with
// the last connection that was made under it.

import Glibc
import Synchronization

/// A server's certificate, replaceable while it runs.
package final class Certificates: Sendable {
    /// TLS 1.3 and 1.2 with keys that nobody can find out later (ECDHE) and ciphers that can't be tampered with (AEAD); of
    /// those the client's favourite, since only it knows whether it has AES in hardware. What this leaves out (CBC, RSA key
    /// exchange, finite-field groups of the client's choice, SHA-1, anything below 128 bits) has been the way in before, and
    /// every browser of the last ten years does without. A list of GnuTLS's own, NORMAL, would let TLS 1.0 and CBC in.
    static let ciphers =
        "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-GCM:+CHACHA20-POLY1305:+AES-256-GCM"
        + ":-MAC-ALL:+AEAD:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA"
        + ":-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1"
    /// Bytes of a file: a chain of the longest certificates there are is far shorter.
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

    /// Reads the files again: handshakes from now on are shown what they hold. A pair that can't be used changes nothing.
    package func reload() throws(CertificateError) {
        let fresh = try Self.read(chain: chain, key: key)
        pair.withLock { $0 = fresh }
    }

    /// Why clients won't take the certificate just now; nil where they will.
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
