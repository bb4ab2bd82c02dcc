// Calls webhooks. It stores nothing; callers keep what must not be lost.

import HTTPClient
package import Machine
import OperatingSystem
import Synchronization

/// One POST.
package struct WebhookRequest: Hashable, Sendable {
    /// The same for every attempt, so that receivers recognize a repeated delivery.
    package var id: String
    package var url: String
    /// JSON.
    package var body: [UInt8]

    package init(id: String, url: String, body: [UInt8]) {
        self.id = id
        self.url = url
        self.body = body
    }
}

/// How webhooks are called.
package struct WebhookConfiguration: Sendable {
    package var policy = WebhookPolicy.closed
    /// Only nil if the policy allows no host.
    package var secrets: WebhookSecrets?
    /// Seconds a call may take.
    package var timeout = 10.0

    package init() {}
}

/// Sends webhook requests.
package final class WebhookSender: Sendable {
    private let transfers = TransferLoop(named: "webhooks", keeping: 32)
    fileprivate let configuration: WebhookConfiguration
    /// Unix seconds.
    fileprivate let now: @Sendable () -> Int64
    fileprivate let report: @Sendable (String, WebhookOutcome) -> Void

    /// - Parameters:
    ///   - now: Unix seconds, for signature timestamps.
    ///   - report: Receives each request's ID and outcome, once, on the sender's thread; on the caller's if no call can begin.
    package init(
        _ configuration: WebhookConfiguration, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String, WebhookOutcome) -> Void
    ) {
        self.configuration = configuration
        self.now = now
        self.report = report
    }

    /// Starts a call at once. The caller limits how many run at a time.
    package func send(_ request: WebhookRequest) { transfers.begin(WebhookCall(request, of: self)) }

    /// Aborts running calls without a report, and waits until the thread has ended.
    package func stop() { transfers.stop() }
}

/// One call.
private final class WebhookCall: TransferReceiver {
    private let call: WebhookRequest
    private let sender: WebhookSender
    /// Whether the last address was rejected.
    private let isRejected = Atomic(false)

    init(_ call: WebhookRequest, of sender: WebhookSender) {
        self.call = call
        self.sender = sender
    }

    /// The signed request, if the policy allows it.
    var request: TransferRequest? {
        let configuration = sender.configuration
        // Check again: the policy may have become stricter since the action was accepted.
        let url: TransferURL
        do throws(WebhookRefusal) {
            url = try configuration.policy.check(call.url)
        } catch {
            sender.report(call.id, .forbidden(error.reason))
            return nil
        }
        let timestamp = sender.now()
        var headers = [
            "Content-Type: application/json", "webhook-id: \(call.id)", "webhook-timestamp: \(timestamp)",
            // Don't wait for a `100 Continue`, which most receivers never send.
            "Expect:",
        ]
        if let secrets = configuration.secrets {
            let signature = secrets.signature(id: call.id, timestamp: timestamp, body: call.body)
            headers.append("webhook-signature: \(signature)")
        }
        let timeout = Duration.seconds(configuration.timeout)
        var request = TransferRequest(url: call.url, body: call.body, headers: headers, bound: .whole(timeout))
        (request.agent, request.authorities) = ("Tweencast", AuthorityFile.path)
        request.connectTimeout = timeout
        request.admits = { [self, policy = configuration.policy] address, port in
            let isAdmitted = IPAddress(bytes: address).map { policy.admits($0, port: port, over: url.scheme) } ?? false
            isRejected.store(!isAdmitted, ordering: .relaxed)
            return isAdmitted
        }
        return request
    }

    /// Discards the response body: only the status matters.
    func receive(_ bytes: [UInt8], _ head: TransferEnd.Head) -> Bool { true }

    func finish(_ end: TransferEnd) {
        switch end {
        case .complete(let head):
            sender.report(
                call.id, .answered(status: head.status, retryAfter: head.retryAfter.map { Double($0) }))
        case .failed where isRejected.load(ordering: .relaxed):
            sender.report(call.id, .forbidden("the host's address is not public, nor listed with this port"))
        case .failed(let reason, _): sender.report(call.id, .failed(reason))
        case .cancelled: break
        }
    }
}
