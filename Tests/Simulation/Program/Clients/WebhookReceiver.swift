// The service that webhooks call: it answers late, or not at all, or with an error.

import Base
import Machine
import Wire

/// Receives webhooks of all servers.
final class WebhookReceiver: @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Receives a call, and passes its outcome on.
    typealias Call = (_ id: String, _ url: String, _ body: [UInt8], @escaping (WebhookOutcome) -> Void) -> Void

    private let world: World
    /// The probability that a call fails.
    var failureRate = 0.0

    init(_ world: World) { self.world = world }

    func call(_ id: String, _ url: String, _ body: [UInt8], outcome: @escaping (WebhookOutcome) -> Void) {
        world.after(world.nanoseconds(.milliseconds(1)...(.milliseconds(40)))) { [self] in
            let isLost = world.happens(failureRate / 2)
            guard !isLost else { return answer(.failed("no connection"), to: outcome) }
            let status = world.happens(failureRate / 2) ? 503 : 200
            world.history.write("called", at: world.now) {
                $0.member("id", id)
                $0.member("status", status)
                $0.member("body", String(decoding: body, as: UTF8.self))
            }
            answer(.answered(status: status, retryAfter: nil), to: outcome)
        }
    }

    private func answer(_ result: WebhookOutcome, to outcome: @escaping (WebhookOutcome) -> Void) {
        world.after(world.nanoseconds(.milliseconds(1)...(.milliseconds(40)))) { outcome(result) }
    }
}
