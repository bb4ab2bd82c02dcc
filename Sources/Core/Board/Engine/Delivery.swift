// A webhook on its way out: what an action asked for, and how far it has come. Kept until it has been taken.

package import Tween

/// One webhook.
package struct Delivery: Hashable, Sendable {
    /// Unique for ever; receivers know a repeated delivery by it.
    package var id: String
    package var url: String
    /// What is posted, JSON.
    package var body: [UInt8]
    /// Whose action it is.
    package var by: ResourceName
    package var created: Instant
    /// Attempts that have ended.
    package var attempts = 0
    /// When the next attempt is due.
    package var due: Instant
    /// Why the last attempt came to nothing.
    package var failure: String?
    /// Given up: it waits for somebody to look at it.
    package var isDead = false

    package init(id: String, url: String, body: [UInt8], by: ResourceName, created: Instant) {
        self.id = id
        self.url = url
        self.body = body
        self.by = by
        self.created = created
        due = created
    }

    /// Bytes that count towards what may wait.
    package var size: Int { url.utf8.count + body.count }
}
