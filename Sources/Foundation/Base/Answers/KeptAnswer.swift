// Answers kept for retries, as the machine remembers them and a store has them.

/// An answer as it is kept: small, but enough to repeat it.
package struct KeptAnswer: Hashable, Sendable {
    package var status: Int
    /// Everything but status and body, one line each: `Name: value` for the headers that differ between answers, then what
    /// replaces the body. Parsed only for a retry, since most answers are never repeated. Opaque to a store.
    package let head: String
    package var body: [UInt8]

    package init(status: Int, head: String = "", body: [UInt8]) {
        (self.status, self.head, self.body) = (status, head, body)
    }

    /// The bytes of its head and body.
    package var size: Int { head.utf8.count + body.count }
}

/// A kept answer, or the answers to a part of a batch, with the request that they are for.
package struct StoredAnswer: Hashable, Sendable {
    package var key: String
    package var fingerprint: UInt64
    package var answer: KeptAnswer
    /// Unix nanoseconds after which it may be deleted.
    package var expires: Int64

    package init(key: String, fingerprint: UInt64, answer: KeptAnswer, expires: Int64) {
        (self.key, self.fingerprint, self.answer, self.expires) = (key, fingerprint, answer, expires)
    }
}
