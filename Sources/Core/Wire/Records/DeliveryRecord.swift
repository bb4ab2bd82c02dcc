// A delivery as it is stored and as it is shown.

import Base
package import Board
import Tween

/// Writes and reads deliveries.
package enum DeliveryRecord {
    /// The record's body.
    package static func body(of delivery: Delivery) -> [UInt8] {
        RecordWriter.bytes { append(delivery, to: &$0) }
    }

    /// Writes the members of a record.
    static func append(_ delivery: Delivery, to record: inout some FieldWriter) {
        record.member("url", delivery.url)
        record.member("body", raw: delivery.body)
        record.member("kind", "\(delivery.by.kind)")
        record.member("by", delivery.by.id)
        record.member("created", at: delivery.created)
        record.member("attempts", delivery.attempts)
        record.member("due", at: delivery.due)
        if let failure = delivery.failure { record.member("failure", failure) }
        record.member("dead", delivery.isDead)
    }

    /// - Throws: A problem when the body is none that `body(of:)` writes.
    package static func delivery(_ id: String, body: [UInt8]) throws(Problem) -> Delivery {
        let document = try RecordParser.document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        let kind = try fields.required(fields.string("kind"), "kind")
        guard let kind = ResourceKind.allCases.first(where: { "\($0)" == kind }) else {
            throw .field("/kind", "is not a kind of resource")
        }
        var delivery = Delivery(
            id: id, url: try fields.required(fields.string("url"), "url"),
            body: try fields.source(of: try fields.required(fields.read("body"), "body"), "body"),
            by: ResourceName(kind, try fields.required(fields.string("by"), "by")),
            created: try fields.instant("created"))
        delivery.attempts = try fields.integer("attempts", in: 0...1_000_000) ?? 0
        delivery.due = try fields.instant("due")
        delivery.failure = try fields.string("failure")
        delivery.isDead = try fields.bool("dead") ?? false
        return delivery
    }

    /// How a delivery that was given up is shown.
    package static func show(_ delivery: Delivery, to json: inout JSONWriter) {
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
