// What the log says of streams.

import EventStream
import Publishing

extension Log {
    /// Tells that a stream is over. Clients that open streams and leave have no more of the log than any other message.
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

    /// Tells that a stream was told to come back later.
    static func write(_ refusal: StreamRefusal, _ origin: StreamOrigin) {
        // One that ends tells so to everybody.
        let level: LogLevel = refusal == .draining ? .info : .warning
        write(
            .limit, level, "a stream was refused",
            ["reason": .text(refusal.rawValue), "client": .text(origin.client), "request": .text(origin.request)])
    }

    /// To the millisecond.
    private static func seconds(since start: Int64, _ now: Int64) -> Double {
        (Double(max(0, now - start)) / 1e6).rounded() / 1e3
    }
}
