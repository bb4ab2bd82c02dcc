// `/v1/selftest`: a known pattern, by which clients can detect what is between them and the server: a proxy that buffers or
// compresses, a different clock, lost heartbeats.

import Base
import Board
import EventStream
import Tween
import Wire

/// The streams that receive the pattern, and when the next piece is due.
final class SelfTests: Timed {
    /// The number of pieces of a test, and the seconds between them.
    static let count = 50
    static let interval = 0.1
    /// A heartbeat precedes every piece with a multiple of this number.
    static let heartbeatEvery = 10

    /// What a stream is sent next.
    struct Piece {
        let key: StreamID
        /// Whether a heartbeat precedes it.
        let hasHeartbeat: Bool
        let event: [UInt8]
        /// Whether the stream ends with it.
        let isLast: Bool
    }

    private var sent: [StreamID: Int] = [:]
    private(set) var nextDue: Instant?

    func shift(byNanoseconds nanoseconds: Int64, at now: Instant, in engine: borrowing Engine) {
        nextDue = nextDue?.advanced(byNanoseconds: nanoseconds)
    }

    func begin(_ key: StreamID, at now: Instant) {
        sent[key] = 0
        if nextDue == nil { nextDue = now }
    }

    func end(_ key: StreamID) {
        sent[key] = nil
        if sent.isEmpty { nextDue = nil }
    }

    /// Takes the pieces that are due.
    func dequeue(at now: Instant) -> [Piece] {
        guard let due = nextDue, due <= now else { return [] }
        var pieces: [Piece] = []
        for (key, count) in sent.sorted(by: { $0.key < $1.key }) {
            pieces.append(
                Piece(
                    key: key, hasHeartbeat: count % Self.heartbeatEvery == 0, event: Self.event(count, at: now),
                    isLast: count + 1 == Self.count))
            sent[key] = count + 1 == Self.count ? nil : count + 1
        }
        // Pieces keep to a fixed grid; after a delay two never come at once.
        let next = due.advanced(bySeconds: Self.interval)
        nextDue = sent.isEmpty ? nil : max(next, now.advanced(bySeconds: Self.interval / 2))
        return pieces
    }

    private static func event(_ number: Int, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("n", number)
            $0.member("of", count)
            $0.member("interval", interval)
            $0.member("t", Int(now.nanoseconds))
        }
        return SSE.event("selftest", payload: json.bytes)
    }
}
