// The queue of log lines, limited in total and per message and minute. The owner provides the writing and the time.

import Base

/// Lines that wait to be written. A line that doesn't fit is dropped and counted; the log reports it once there is
/// room, or when the minute of its message ends.
struct LogQueue {
    /// The most lines that wait.
    static let maximumLines = 1_000
    /// The most bytes that wait.
    static let maximumBytes = 256 * 1_024
    /// The share of either limit that records may take. Clients cause them, so they must leave room for errors.
    private static let recordShare = (taken: 3, of: 4)
    /// The most lines with one message in a minute, except records.
    static let linesPerMinute = 60
    private static let minute: Int64 = 60_000_000_000

    /// The identity of a message, without its fields.
    private struct MessageKey: Hashable {
        var kind: LogKind
        var message: String
    }

    /// The lines of one message in the minute that began with its first line.
    private struct Quota {
        var began: Int64
        var lines = 0
        var dropped = 0
    }

    private var quotas: [MessageKey: Quota] = [:]
    private var entries: [LogMessage] = []
    private(set) var bytes = 0
    /// Lines that found no room since the last `dequeue`.
    private var unfit = 0
    /// Lines not written, for any reason.
    private(set) var dropped: UInt64 = 0

    var count: Int { entries.count }

    /// Adds a line.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: Whether to wake the writer: there is a line, or a first dropped one changes `nextDue`.
    mutating func add(_ entry: LogMessage, at now: Int64) -> Bool {
        guard !entry.isRecord else { return append(entry) }
        let key = MessageKey(kind: entry.kind, message: entry.message)
        endMinute(of: key, at: now, entry.time)
        var quota = quotas[key] ?? Quota(began: now)
        let isWithin = quota.lines < Self.linesPerMinute
        if isWithin {
            quota.lines += 1
            _ = append(entry)
        } else {
            quota.dropped += 1
            dropped += 1
        }
        quotas[key] = quota
        return isWithin || quota.dropped == 1
    }

    /// Counts lines that were taken but could not be written.
    mutating func drop(_ count: Int) { dropped += UInt64(clamping: count) }

    /// When the writer must look even if no line arrives: the end of a minute in which lines were dropped.
    var nextDue: Int64? {
        quotas.values.filter { $0.dropped > 0 }.map { $0.began.addingSaturated(Self.minute) }.min()
    }

    /// Removes and returns everything that waits.
    /// - Parameter time: Unix nanoseconds.
    mutating func dequeue(at now: Int64, _ time: Int64) -> [LogMessage] {
        // First what waits: a report needs room.
        let lines = dequeueAll(time)
        for key in sortedKeys { endMinute(of: key, at: now, time) }
        return lines + dequeueAll(time)
    }

    /// Removes and returns everything that waits, and reports dropped lines although their minutes have not ended.
    mutating func dequeueLast(_ time: Int64) -> [LogMessage] {
        let lines = dequeueAll(time)
        for key in sortedKeys { _ = reportDropped(of: key, time) }
        return lines + dequeueAll(time)
    }

    private var sortedKeys: [MessageKey] { quotas.keys.sorted { $0.message < $1.message } }

    private mutating func dequeueAll(_ time: Int64) -> [LogMessage] {
        if unfit > 0 {
            entries.append(
                LogMessage(
                    time: time, level: .warning, kind: .service,
                    message: "log lines dropped: standard error is not being read fast enough",
                    fields: [("lines", .whole(unfit))]))
            unfit = 0
        }
        bytes = 0
        defer { entries = [] }
        return entries
    }

    private mutating func endMinute(of key: MessageKey, at now: Int64, _ time: Int64) {
        guard let quota = quotas[key], now.subtractingSaturated(quota.began) >= Self.minute else { return }
        if reportDropped(of: key, time) { quotas[key] = nil }
    }

    /// - Returns: false if there was no room for the report; the count is kept.
    private mutating func reportDropped(of key: MessageKey, _ time: Int64) -> Bool {
        guard let count = quotas[key]?.dropped, count > 0 else { return true }
        let report = LogMessage(
            time: time, level: .warning, kind: key.kind, message: "repeated log lines dropped",
            fields: [("text", .text(key.message)), ("lines", .whole(count))])
        guard hasRoom(for: report) else { return false }
        _ = append(report)
        quotas[key]?.dropped = 0
        return true
    }

    /// - Returns: Whether the line was added, or is the first to be dropped.
    private mutating func append(_ entry: LogMessage) -> Bool {
        guard hasRoom(for: entry) else {
            unfit += 1
            dropped += 1
            return unfit == 1
        }
        entries.append(entry)
        bytes += entry.size
        return true
    }

    private func hasRoom(for entry: LogMessage) -> Bool {
        let share = entry.isRecord ? Self.recordShare : (taken: 1, of: 1)
        return entries.count < Self.maximumLines * share.taken / share.of
            && bytes + entry.size <= Self.maximumBytes * share.taken / share.of
    }
}
