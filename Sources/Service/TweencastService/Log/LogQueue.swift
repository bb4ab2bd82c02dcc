// The queue of log lines, limited in total and per message and minute. The owner provides the writing and the time.

import Base

/// Lines that wait to be written. A line that doesn't fit is dropped and counted, and the log reports it once there is room.
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
    private struct Saying: Hashable {
        var kind: LogKind
        var message: String
    }

    /// The lines of one message in the minute that began with its first line.
    private struct Share {
        var began: Int64
        var lines = 0
        var leftOut = 0
    }

    private var shares: [Saying: Share] = [:]
    private var entries: [LogMessage] = []
    private(set) var bytes = 0
    /// Lines that found no room since the last `take`.
    private var unfit = 0
    /// Lines dropped for either reason.
    private(set) var leftOut: UInt64 = 0

    var count: Int { entries.count }

    /// Adds a line.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: Whether the writer has something to do: write a line, or note when a first dropped line must be reported.
    mutating func add(_ entry: LogMessage, at now: Int64) -> Bool {
        guard !entry.isRecord else { return append(entry) }
        let saying = Saying(kind: entry.kind, message: entry.message)
        endMinute(of: saying, at: now, entry.time)
        var share = shares[saying] ?? Share(began: now)
        let isWithin = share.lines < Self.linesPerMinute
        if isWithin {
            share.lines += 1
            _ = append(entry)
        } else {
            share.leftOut += 1
            leftOut += 1
        }
        shares[saying] = share
        return isWithin || share.leftOut == 1
    }

    /// Counts lines that were taken but could not be written.
    mutating func leaveOut(_ count: Int) { leftOut += UInt64(clamping: count) }

    /// When the writer must look even if no line arrives: the end of a minute in which lines were dropped.
    var nextDue: Int64? {
        shares.values.filter { $0.leftOut > 0 }.map { $0.began.addingSaturated(Self.minute) }.min()
    }

    /// Removes and returns everything that waits.
    /// - Parameter time: Unix nanoseconds.
    mutating func take(at now: Int64, _ time: Int64) -> [LogMessage] {
        for saying in shares.keys.sorted(by: { $0.message < $1.message }) { endMinute(of: saying, at: now, time) }
        return takeAll(time)
    }

    /// Removes and returns everything that waits, and reports dropped lines although their minutes have not ended.
    mutating func takeLast(_ time: Int64) -> [LogMessage] {
        for saying in shares.keys.sorted(by: { $0.message < $1.message }) { reportDropped(of: saying, time) }
        return takeAll(time)
    }

    private mutating func takeAll(_ time: Int64) -> [LogMessage] {
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

    private mutating func endMinute(of saying: Saying, at now: Int64, _ time: Int64) {
        guard let share = shares[saying], now.subtractingSaturated(share.began) >= Self.minute else { return }
        reportDropped(of: saying, time)
        shares[saying] = nil
    }

    private mutating func reportDropped(of saying: Saying, _ time: Int64) {
        guard let count = shares[saying]?.leftOut, count > 0 else { return }
        shares[saying]?.leftOut = 0
        _ = append(
            LogMessage(
                time: time, level: .warning, kind: saying.kind, message: "log lines of one kind dropped",
                fields: [("kind", .text(saying.message)), ("lines", .whole(count))]))
    }

    /// - Returns: Whether the line was added, or is the first to be dropped.
    private mutating func append(_ entry: LogMessage) -> Bool {
        let size = entry.size
        let share = entry.isRecord ? Self.recordShare : (taken: 1, of: 1)
        guard entries.count < Self.maximumLines * share.taken / share.of,
            bytes + size <= Self.maximumBytes * share.taken / share.of
        else {
            unfit += 1
            leftOut += 1
            return unfit == 1
        }
        entries.append(entry)
        bytes += size
        return true
    }
}
