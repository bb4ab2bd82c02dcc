// Lines of the log on their way out: bounded in all, and bounded a minute by what they say. Pure: what writes them, and time,
// are its owner's matter.

import Base

/// Lines that wait to be written. What doesn't fit is left out, counted, and told of when there is room.
struct LogQueue {
    /// The most lines that wait.
    static let maximumLines = 1_000
    /// The most bytes that wait.
    static let maximumBytes = 256 * 1_024
    /// The share of either that records may take: clients bring them, and what went wrong is to find room beside them.
    private static let recordShare = (taken: 3, of: 4)
    /// The most lines with one message in a minute, records aside.
    static let linesPerMinute = 60
    private static let minute: Int64 = 60_000_000_000

    /// What a line says, whatever its fields hold.
    private struct Saying: Hashable {
        var kind: LogKind
        var message: String
    }

    /// What was said in the minute that began with its first line.
    private struct Share {
        var began: Int64
        var lines = 0
        var leftOut = 0
    }

    private var shares: [Saying: Share] = [:]
    private var entries: [LogMessage] = []
    private(set) var bytes = 0
    /// Lines that found no room since the last were taken.
    private var unfit = 0
    /// Lines that were left out, for either reason.
    private(set) var leftOut: UInt64 = 0

    var count: Int { entries.count }

    /// Takes a line.
    /// - Parameter now: Monotonic nanoseconds.
    /// - Returns: Whether there is something new for whoever writes: a line, or a first one that was left out.
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

    /// Counts lines that were taken, and found nobody to read them.
    mutating func leaveOut(_ count: Int) { leftOut += UInt64(clamping: count) }

    /// When somebody should look though no line comes: a minute ends in which lines were left out.
    var nextDue: Int64? {
        shares.values.filter { $0.leftOut > 0 }.map { $0.began.addingSaturated(Self.minute) }.min()
    }

    /// Takes out all that waits.
    /// - Parameter time: Unix nanoseconds.
    mutating func take(at now: Int64, _ time: Int64) -> [LogMessage] {
        for saying in shares.keys.sorted(by: { $0.message < $1.message }) { endMinute(of: saying, at: now, time) }
        return takeAll(time)
    }

    /// Takes out all that waits and tells what was left out, though minutes have not ended.
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
                time: time, level: .warning, kind: saying.kind, message: "more lines of a kind were left out",
                fields: [("kind", .text(saying.message)), ("lines", .whole(count))]))
    }

    /// - Returns: Whether there was room for it, or it is the first for which there was none.
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
