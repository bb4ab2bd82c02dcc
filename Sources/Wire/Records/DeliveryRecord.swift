// A delivery as it is stored and as it is shown.

package import Board
import Primitives
import Tween

/// Writes and reads deliveries.
package enum DeliveryRecord {
    /// The record's body.
    package static func body(of delivery: Delivery) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("url", delivery.url)
            $0.member("body", raw: delivery.body)
            $0.member("kind", "\(delivery.by.kind)")
            $0.member("by", delivery.by.id)
            $0.member("created", String(delivery.created.nanoseconds))
            $0.member("attempts", delivery.attempts)
            $0.member("due", String(delivery.due.nanoseconds))
            if let failure = delivery.failure { $0.member("failure", failure) }
            $0.member("dead", delivery.isDead)
        }
        return json.bytes
    }

    /// - Throws: A problem when the body is none that `body(of:)` writes.
    package static func delivery(_ id: String, body: [UInt8]) throws(Problem) -> Delivery {
        let document = try UpdateDecoder.document(body, from: .stored)
        var fields = try FieldReader(document, document.root, pointer: "")
        let kind = try fields.required(fields.string("kind"), "kind")
        guard let kind = ResourceKind.allCases.first(where: { "\($0)" == kind }) else {
            throw .field("/kind", "is not a kind of resource")
        }
        var delivery = Delivery(
            id: id, url: try fields.required(fields.string("url"), "url"),
            body: document.source(of: try fields.required(fields.take("body"), "body")),
            by: ResourceName(kind, try fields.required(fields.string("by"), "by")),
            created: Instant(nanoseconds: try fields.integer64("created")))
        delivery.attempts = try fields.integer("attempts", in: 0...1_000_000) ?? 0
        delivery.due = Instant(nanoseconds: try fields.integer64("due"))
        delivery.failure = try fields.string("failure")
        delivery.isDead = try fields.bool("dead") ?? false
        return delivery
    }

    /// How a delivery that was given up is shown.
    package static func append(_ delivery: Delivery, to json: inout JSONWriter) {
        json.object {
            $0.member("id", delivery.id)
            $0.member("url", delivery.url)
            $0.member("by") { $0.member("\(delivery.by.kind)", delivery.by.id) }
            $0.member("created", Timestamp.text(delivery.created))
            $0.member("attempts", delivery.attempts)
            if let failure = delivery.failure { $0.member("failure", failure) }
            $0.member("data", raw: delivery.body)
        }
    }
}
