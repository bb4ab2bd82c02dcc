// The file of certificate authorities, which calls over https check servers by.

import Glibc

/// Finds the file.
package enum AuthorityFile {
    /// The variable that names another file, here as for OpenSSL and curl.
    package static let variable = "SSL_CERT_FILE"

    /// Where Debian has it, which Debian's libcurl was built for, then Fedora, then openSUSE.
    private static let usual = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// The file that `variable` names, else the machine's; nil if there is none: then calls over https fail.
    package static var path: String? { named ?? usual.first(where: isReadable) }

    /// Why the file that `variable` names is of no use; nil if it can be read or none is named.
    package static var complaint: String? {
        named.flatMap { isReadable($0) ? nil : "\(variable): \($0) can't be read" }
    }

    private static var named: String? {
        let path = unsafe getenv(variable).map { unsafe String(cString: $0) }
        return path?.isEmpty == true ? nil : path
    }

    private static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
