// Unpredictable secrets.

import CGnuTLS

/// Text that nobody can guess.
package enum SecureRandom {
    /// Returns the base64url text of this many random bytes, from GnuTLS' generator for keys.
    package static func text(bytes count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = unsafe gnutls_rnd(GNUTLS_RND_KEY, &bytes, count)
        // The bytes would be predictable then, and no caller can continue without a secret.
        precondition(code == 0, "GnuTLS has no random bytes")
        return Base64URL.text(bytes)
    }
}
