// Log lines about streams.

import EventStream
import Publishing

extension Log {
    /// Logs that a stream ended. The line counts against its message's quota, so clients that open and close streams can't
    /// flood the log.
    /// - Parameter now: Monotonic nanoseconds.
    static func write(_ stream: ClosedStream, _ end: StreamEnd, at now: Int64) {
        guard standard.level <= .info else { return }
        var fields: LogMessage.Fields = [
            ("reason", .text(end.reason.rawValue)), ("client", .text(stream.origin.client)),
            ("topics", .whole(stream.topics)), ("seconds", .real(seconds(since: end.opened ?? now, now))),
            ("frames", .whole(Int(clamping: end.statistics.frames))),
            ("left_out", .whole(Int(clamping: end.statistics.leftOut))),
            ("events", .whole(Int(clamping: end.statistics.events))), ("bytes", .whole(Int(clamping: end.bytes))),
            ("request", .text(stream.origin.request)),
        ]
        if let holder = stream.holder { fields.insert(("who", .text(holder)), at: 1) }
        standard.write(.stream, .info, "ended", fields)
    }

    /// Logs that a stream was refused, to be tried again later.
    static func write(_ refusal: StreamRefusal, _ origin: StreamOrigin) {
        // A draining server refuses every stream, so that is no warning.
        let level: LogLevel = refusal == .draining ? .info : .warning
        write(
            .limit, level, "a stream was refused",
            ["reason": .text(refusal.rawValue), "client": .text(origin.client), "request": .text(origin.request)])
    }

    /// Rounds to the millisecond.
    private static func seconds(since start: Int64, _ now: Int64) -> Double {
        (Double(max(0, now - start)) / 1e6).rounded() / 1e3
    }
}
