// What an operator may set. Values are checked where they are parsed; this is what they come to.

package import Webhooks

/// The service's configuration.
package struct ServiceConfiguration: Sendable {
    /// This program's version: what streams and the command line tell.
    package static let version = "1.0.0"

    /// Address to listen on.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port: UInt16 = 8080
    /// Ticks per second, 1 to 1,000.
    package var tickRate = 60
    /// Threads that serve requests, and as many that write streams; 0 takes one a core.
    package var workers = 0
    /// Folder of the viewer; nil serves none.
    package var publicDirectory: String?
    /// Starts the demo's tickers, progresses and schedules.
    package var isDemo = false
    /// Host names beyond the loopback ones that requests may name.
    package var allowedHosts: [String] = []
    /// Longest request body, in bytes.
    package var bodyLimit = 64 * 1024
    /// Longest body of a batch, in bytes.
    package var batchLimit = 4 * 1024 * 1024
    /// Most lines of a batch.
    package var batchLines = 10_000
    /// Most streams at a time.
    package var maximumStreams = 15_000
    /// Most named events kept for replay.
    package var historyEvents = 10_000
    /// Seconds a named event is kept for replay.
    package var historySeconds = 900.0
    /// Most answers kept for requests with an `Idempotency-Key`.
    package var retryKeys = 100_000
    /// Seconds such an answer is kept.
    package var retrySeconds = 86_400.0
    /// Seconds a stream may take nothing before it is cut off.
    package var stallTimeout = 30.0
    /// Seconds between heartbeats of a stream that has nothing else to send.
    package var heartbeat = 15.0
    /// Seconds a drain may take.
    package var drainTimeout = 10.0
    package var webhooks = WebhookConfiguration()

    package init() {}
}
