// The thread that calls webhooks: one loop over all transfers that are under way. It keeps nothing; what must not be
// lost is kept by whoever hands it in.

package import Base
import CCurl
import OperatingSystem
import Synchronization

/// One POST.
package struct WebhookRequest: Hashable, Sendable {
    /// The same for every attempt: receivers know a repeated delivery by it.
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
    /// Nil only where the policy allows no host.
    package var secrets: WebhookSecrets?
    /// Seconds a call may take.
    package var timeout = 10.0

    package init() {}
}

/// Calls webhooks.
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
    ///   - now: Unix seconds; what a signature's timestamp is.
    ///   - report: Told of each request's outcome by its id, once, on the sender's thread.
    /// - Returns: nil when the system refuses what the library needs.
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

    /// - Returns: false when no thread can be started.
    package func start() -> Bool {
        let thread = OwnedThread(name: "webhooks") { [self] in run() }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Begins a call at once; whoever calls bounds how many are under way.
    package func send(_ request: WebhookRequest) {
        inbox.withLock { $0.requests.append(request) }
        transfers.wake()
    }

    /// Breaks off what is under way, without a report, and waits for the thread's end.
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
        // Looked at anew: the list may have become shorter since the action was accepted.
        do throws(WebhookRefusal) {
            _ = try configuration.policy.check(request.url)
        } catch {
            report(request.id, .forbidden(error.reason))
            return
        }
        let timestamp = now()
        var headers = [
            "Content-Type: application/json", "webhook-id: \(request.id)", "webhook-timestamp: \(timestamp)",
            // No pause for a `100 Continue` that most receivers never send.
            "Expect:",
        ]
        if let secrets = configuration.secrets {
            let signature = secrets.signature(id: request.id, timestamp: timestamp, body: request.body)
            headers.append("webhook-signature: \(signature)")
        }
        let begun = transfers.begin(
            request, headers: headers, timeout: configuration.timeout, policy: configuration.policy)
        if !begun { report(request.id, .failed("the system has no resources for another call")) }
    }
}
