// The thread that calls webhooks: one loop over all running transfers. It stores nothing; callers keep what must not be
// lost.

import CCurl
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
    private struct Inbox {
        var requests: [WebhookRequest] = []
        var isStopping = false
    }

    private let configuration: WebhookConfiguration
    /// Unix seconds.
    private let now: @Sendable () -> Int64
    private let report: @Sendable (String, WebhookOutcome) -> Void
    private let inbox = Mutex(Inbox())
    private let transfers: Transfers
    private let thread = Mutex<OwnedThread?>(nil)

    /// - Parameters:
    ///   - now: Unix seconds, for signature timestamps.
    ///   - report: Receives each request's ID and outcome, once, on the sender's thread.
    /// - Returns: nil when the system lacks the resources that libcurl needs.
    package init?(
        _ configuration: WebhookConfiguration, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (String, WebhookOutcome) -> Void
    ) {
        guard let transfers = Transfers() else { return nil }
        self.configuration = configuration
        self.now = now
        self.report = report
        self.transfers = transfers
    }

    /// Starts the thread.
    /// - Returns: false when no thread can be started.
    package func start() -> Bool {
        let thread = OwnedThread(name: "webhooks") { [self] in run() }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Starts a call at once. The caller limits how many run at a time.
    package func send(_ request: WebhookRequest) {
        inbox.withLock { $0.requests.append(request) }
        transfers.wake()
    }

    /// Aborts running calls without a report, and waits until the thread has ended.
    package func stop() {
        inbox.withLock { $0.isStopping = true }
        transfers.wake()
        thread.withLock { $0.take() }?.join()
    }

    private func run() {
        while true {
            let taken = inbox.withLock { inbox in
                defer { inbox.requests.removeAll() }
                return inbox.isStopping ? nil : inbox.requests
            }
            guard let taken else { break }
            for request in taken { begin(request) }
            for (id, outcome) in transfers.advance() { report(id, outcome) }
            transfers.wait()
        }
        transfers.end()
    }

    private func begin(_ request: WebhookRequest) {
        // Check again: the policy may have become stricter since the action was accepted.
        let url: WebhookURL
        do throws(WebhookRefusal) {
            url = try configuration.policy.check(request.url)
        } catch {
            report(request.id, .forbidden(error.reason))
            return
        }
        let timestamp = now()
        var headers = [
            "Content-Type: application/json", "webhook-id: \(request.id)", "webhook-timestamp: \(timestamp)",
            // Don't wait for a `100 Continue`, which most receivers never send.
            "Expect:",
        ]
        if let secrets = configuration.secrets {
            let signature = secrets.signature(id: request.id, timestamp: timestamp, body: request.body)
            headers.append("webhook-signature: \(signature)")
        }
        let begun = transfers.begin(
            request, over: url.scheme, headers: headers, timeout: configuration.timeout, policy: configuration.policy)
        if !begun { report(request.id, .failed("the system has no resources for another call")) }
    }
}
