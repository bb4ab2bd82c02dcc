// Secrets that nobody can guess.

import CGnuTLS

package enum SecureRandom {
    /// The base64url text of so many random bytes, from GnuTLS's generator for keys.
    package static func text(bytes count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = unsafe gnutls_rnd(GNUTLS_RND_KEY, &bytes, count)
        // What it would give then could be guessed, and nothing that is asked for a secret could do with less.
        precondition(code == 0, "can't get random bytes from the system")
        return Base64URL.text(bytes)
    }
}
