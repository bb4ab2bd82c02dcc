// What a log reports, for tests that wait for it.

import OperatingSystem
import Replication
import Synchronization

@testable import ReplicationRedis

struct NeverCame: Error {}

/// News of one log, for whoever waits for some.
final class News: Sendable {
    private let inbox = Mailbox<LogNotice>(capacity: .max)
    private let seen = Mutex<[LogNotice]>([])

    func post(_ news: LogNotice) { _ = inbox.post(news) }

    /// Waits until there is something among the news, from the first on.
    func wait<Result>(_ find: ([LogNotice]) -> Result?) throws -> Result {
        let end = SystemClock.monotonic() + 30_000_000_000
        while SystemClock.monotonic() < end {
            if let result = find(seen.withLock { $0 }) { return result }
            var new: [LogNotice] = []
            _ = inbox.receive(into: &new, until: end)
            seen.withLock { $0 += new }
        }
        throw NeverCame()
    }

    /// How many have come.
    func count() -> Int {
        var new: [LogNotice] = []
        _ = inbox.receive(into: &new, until: SystemClock.monotonic())
        return seen.withLock { seen -> Int in
            seen += new
            return seen.count
        }
    }

    /// The newest session.
    var session: UInt64 {
        var session: UInt64 = 0
        for case .taken(_, let new) in seen.withLock({ $0 }) { session = new }
        return session
    }

    /// Waits until an entry has come, or is refused.
    func hasCome(_ name: UInt64) throws -> Bool {
        try wait { news in
            for one in news.reversed() {
                if case .entries(let entries) = one, entries.contains(where: { $0.position.name.rawValue == name }) {
                    return true
                }
                if case .refused(let names, _) = one, names.contains(where: { $0.rawValue == name }) { return false }
            }
            return nil
        }
    }

    /// Waits for so many entries.
    func entries(_ count: Int) throws -> [LogEntry] {
        try wait { news in
            var entries: [LogEntry] = []
            for case .entries(let new) in news { entries += new }
            return entries.count >= count ? entries : nil
        }
    }
}
