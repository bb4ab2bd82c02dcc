// Webhooks: written down with the change that asked for them, called when that is stored, tried again until taken.

import Board
import EventStream
import HTTPTransport
import Storage
import Tween
import Webhooks
import Wire

/// What somebody wants done with a webhook that was given up.
struct DeadLetterRequest: Sendable {
    enum Operation: Hashable, Sendable {
        case retry, discard
    }

    var id: String
    var operation: Operation
    var exchange: any Exchange
}

extension Conductor {
    /// Takes a webhook that an action asked for.
    func enqueueWebhook(_ url: String, data: [UInt8]?, by name: ResourceName, at now: Instant) {
        outbox.add(
            Delivery(
                id: webhookNames.next("wh-\(hub.epoch)"), url: url, body: data ?? Self.body(of: name), by: name,
                created: now))
    }

    /// What is posted for an action without data: whose it was.
    private static func body(of name: ResourceName) -> [UInt8] {
        var json = JSONWriter()
        json.object { $0.member("\(name.kind)", name.id) }
        return json.bytes
    }

    /// Calls what is due. Not while the store fails: what is delivered then could not be written down.
    func callWebhooks(at now: Instant) {
        guard outage == nil else { return }
        for delivery in outbox.takeDue(at: now) {
            statistics.webhookCalls += 1
            parts.call(WebhookRequest(id: delivery.id, url: delivery.url, body: delivery.body))
        }
    }

    /// Takes in how a call ended.
    func finishWebhook(_ id: String, _ outcome: WebhookOutcome, at now: Instant) {
        if outbox.finish(id, outcome, at: now, jitter: .random(in: 0..<1)) {
            statistics.webhooksDelivered += 1
        } else if let delivery = outbox.delivery(id), delivery.isDead {
            Log.write("webhook \(id) of \(delivery.by.kind) \(delivery.by.id) was given up: \(delivery.failure ?? "")")
        }
    }

    func apply(_ request: DeadLetterRequest, at now: Instant) {
        if let refusal { return request.exchange.send(.problem(refusal)) }
        let isDone =
            switch request.operation {
            case .retry: outbox.retry(request.id, at: now)
            case .discard: outbox.discard(request.id)
            }
        answer(request.exchange, .response(isDone ? .noContent : .problem(.notFound)))
    }

    /// What the store is to be told of the outbox.
    func webhookChanges() -> [StoreChange] {
        outbox.takeChanges().map { id in
            guard let delivery = outbox.delivery(id) else { return .delete(.delivery, id: id) }
            return .put(StoredRecord(kind: .delivery, id: id, body: DeliveryRecord.body(of: delivery)))
        }
    }
}
