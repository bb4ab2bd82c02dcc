// Webhook signatures according to the Standard Webhooks specification (1.0.0).

import CGnuTLS
import FoundationEssentials

/// The secrets that sign deliveries. There are several during a rotation.
package struct WebhookSecrets: Sendable {
    /// The allowed number of bytes of a secret.
    package static let size = 24...64

    private let keys: [[UInt8]]

    /// - Parameter text: `whsec_` and base64; several secrets are separated by commas or spaces.
    /// - Returns: nil if one can't be read, or is too short or too long.
    package init?(_ text: String) {
        var keys: [[UInt8]] = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            let digits = part.hasPrefix("whsec_") ? part.dropFirst(6) : part
            guard let key = Data(base64Encoded: String(digits)), Self.size.contains(key.count) else { return nil }
            keys.append([UInt8](key))
        }
        guard !keys.isEmpty else { return nil }
        self.keys = keys
    }

    /// Returns the value of `webhook-signature`: HMAC-SHA256 of `id.timestamp.body` under each secret.
    /// - Parameter timestamp: Unix seconds of this attempt.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let message = Array("\(id).\(timestamp).".utf8) + body
        return keys.map { "v1,\(Data(Self.digest(of: message, key: $0)).base64EncodedString())" }
            .joined(separator: " ")
    }

    private static func digest(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let code = unsafe gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, message, message.count, &digest)
        precondition(code == 0, "SHA-256 is part of every build of GnuTLS")
        return digest
    }
}
