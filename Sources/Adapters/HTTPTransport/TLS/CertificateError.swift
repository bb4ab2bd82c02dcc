// Why a certificate or its key can't be used.

/// What is wrong with a certificate's files.
package struct CertificateError: Error, Hashable, Sendable {
    /// Which of the two files.
    package enum Part: Hashable, Sendable { case certificate, key }

    package let part: Part
    /// A message without the file's name.
    package let reason: String

    init(_ part: Part, _ reason: String) {
        self.part = part
        self.reason = reason
    }
}
