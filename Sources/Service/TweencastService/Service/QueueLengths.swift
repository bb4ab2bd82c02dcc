// How much waits in the service's queues, for the table of limits.

/// Queues of whatever keeps the changes: a store of this process, or a log that replicas share. The other's are nil.
struct PersistenceQueues {
    var commits: Int?
    var commitBytes: Int?
    /// Requests of clients on their way through the log.
    var requests: Int?
    var requestBytes: Int?
    /// This replica's own requests, not yet written to the log.
    var ownRequests: Int?
}

/// Queues that other threads share with the tick thread. nil where there is none.
struct SharedQueues: Sendable {
    /// Messages to the tick thread.
    var messages: Int?
    var batchLines: Int?
    var batchBytes: Int?
    var logLines: Int?
    var logBytes: Int?
    var auditBytes: Int?
}
