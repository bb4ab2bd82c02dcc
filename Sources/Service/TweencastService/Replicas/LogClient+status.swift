// What a replica reports of its connection to the log: in `/readyz`, `/v1/clients` and `/metrics`.

import Machine
import Persistence
import Replication
import Wire

extension LogClient: PersistenceStatus {
    func append(to json: inout JSONWriter) {
        json.member("replica") { json in
            json.member("name", name)
            json.member("steward", isSteward)
            json.member("position", String(reported.sequence))
            json.member("lag", Int(clamping: lag))
            json.member("digest", String(digest.value, radix: 16))
            json.member("clockOffset", Double(clock.offset ?? 0) / 1e9)
            json.member("clockUncertainty", Double(clock.uncertainty ?? 0) / 1e9)
            json.list("replicas") { json in for replica in membership.replicas { json.string(replica.name.utf8) } }
        }
    }

    private var lag: UInt64 {
        membership.head.sequence > reported.sequence ? membership.head.sequence - reported.sequence : 0
    }

    var unreadiness: String? {
        switch status {
        case .following:
            membership.missing.map { "the Redis has lost \($0); the replica that is furthest writes the board back" }
        case .away(let failure) where failure.code == .damaged: "\(failure.reason): \(failure)"
        case .away(let failure): failure.reason
        case .stopped(.anotherFormat(let format)):
            "the replication log continues in format \(format), which this version doesn't read; run the other replicas' version"
        case .stopped(.zones(let version)):
            "the board uses the time zones of \(version), which this machine lacks: install them, then send SIGHUP"
        case .stopped(let reason): "the replication log has an unreadable entry: \(reason)"
        case .loading(nil): "the board is being loaded"
        case .loading: "can't load the board; the replica's own log says why"
        }
    }

    var storeName: String { "redis" }

    func addMetrics(to page: inout MetricsPage) {
        page.add(.replicas, membership.replicas.count)
        page.add(.logPosition, reported.sequence)
        page.add(.logLag, lag)
        page.add(.logPending, pending.requestCount)
        page.add(.logEntriesSent, sentCount)
        page.add(.logFollowing, status == .following ? 1 : 0)
        page.add(.boardReloads, reloads)
        page.add(.steward, isSteward ? 1 : 0)
        page.add(.logClockOffset, seconds: Double(clock.offset ?? 0) / 1e9)
        page.add(.logClockUncertainty, seconds: Double(clock.uncertainty ?? 0) / 1e9)
    }

    /// A shared log has no files here.
    func addFiles() -> @Sendable (inout MetricsPage) -> Void { { _ in } }

    var queues: PersistenceQueues {
        PersistenceQueues(requests: pending.requestCount, requestBytes: pending.byteCount, ownRequests: unsaid.count)
    }
}
