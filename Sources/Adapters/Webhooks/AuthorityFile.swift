// The machine's file of certificate authorities, which calls over https check receivers by.

import Glibc

/// Finds the file.
package enum AuthorityFile {
    /// Where Debian has it, which Debian's libcurl was built for, then Fedora, then openSUSE.
    private static let usual = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// nil if the machine has none: then calls over https fail.
    package static var path: String? { usual.first { unsafe access($0, R_OK) == 0 } }
}
