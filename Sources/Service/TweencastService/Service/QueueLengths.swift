// The lengths of the service's queues, for the table of limits.

/// Queues of the persistence: a store of this process, or a shared log. Values of the other kind are nil.
struct PersistenceQueues {
    var commits: Int?
    var commitBytes: Int?
    /// Requests from clients in flight through the log.
    var requests: Int?
    var requestBytes: Int?
    /// This replica's own requests that are not in the log yet.
    var ownRequests: Int?
}

/// Queues that other threads share with the tick thread; nil if there is none.
struct SharedQueues: Sendable {
    /// Messages to the tick thread.
    var messages: Int?
    var batchLines: Int?
    var batchBytes: Int?
    var logLines: Int?
    var logBytes: Int?
    var auditBytes: Int?
}
