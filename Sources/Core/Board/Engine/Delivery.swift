// A webhook to be sent: what its action requested, and its attempts. Kept until a receiver has accepted it.

package import Tween

/// One webhook.
package struct Delivery: Hashable, Sendable {
    /// Unique for ever; receivers recognize a repeated delivery by it.
    package var id: String
    package var url: String
    /// The JSON body.
    package var body: [UInt8]
    /// The resource whose action it is.
    package var by: ResourceName
    package var created: Instant
    /// How many attempts have ended.
    package var attempts = 0
    /// When the next attempt is due.
    package var due: Instant
    /// Why the last attempt failed.
    package var failure: String?
    /// Given up: it stays until an operator retries or removes it.
    package var isDead = false

    package init(id: String, url: String, body: [UInt8], by: ResourceName, created: Instant) {
        self.id = id
        self.url = url
        self.body = body
        self.by = by
        self.created = created
        due = created
    }

    /// Bytes that count towards the limit of waiting deliveries.
    package var size: Int { url.utf8.count + body.count }
}
