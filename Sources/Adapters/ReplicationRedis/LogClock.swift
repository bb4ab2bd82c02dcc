// The log's clock as those know it who append to the log: by it they find out that it was set.

import Base
import OperatingSystem
import Replication
import Synchronization

/// The log's even time, by the monotonic clock of this process; from any thread.
final class LogClock: Sendable {
    /// How often it is tried to agree with others who found out at the same time.
    private static let attempts = 5
    /// What a script is told that is to take the time as it is.
    private static let anyTime = Array("any".utf8)

    private let estimate = Mutex(ClockEstimate())
    /// Takes looks on which nothing was found.
    private let pass: @Sendable (ClockEstimate.Sample) -> Void

    init(_ pass: @escaping @Sendable (ClockEstimate.Sample) -> Void) { self.pass = pass }

    /// The time now, in microseconds, as scripts are told to expect it; nothing before the first look.
    var expected: [UInt8] {
        let now = SystemClock.monotonic()
        let offset = estimate.withLock { $0.believedOffset(at: now) }
        return offset.map { Array(String(now.addingSaturated($0) / 1_000).utf8) } ?? []
    }

    /// The most by which what is believed is wrong, in nanoseconds.
    var uncertainty: Int64 { estimate.withLock { $0.uncertainty(at: SystemClock.monotonic()) } ?? .max }

    /// Takes a look in.
    /// - Parameters:
    ///   - sent: Monotonic nanoseconds before it was asked for.
    ///   - microseconds: What the clock showed.
    /// - Returns: false where the clock was set.
    func look(from sent: Int64, _ microseconds: Int64) -> Bool {
        let sample = ClockEstimate.Sample(
            sent: sent, received: SystemClock.monotonic(), shown: microseconds.multipliedSaturated(by: 1_000))
        guard estimate.withLock({ $0.step(in: sample) }) == nil else { return false }
        take(sample)
        return true
    }

    private func take(_ sample: ClockEstimate.Sample) {
        estimate.withLock { $0.add(sample) }
        pass(sample)
    }

    /// Looks at the clock, and where it was set has the log go on as if it had not been: the leader sets it right by an
    /// entry then. Whose own clock stood still while others went on goes by theirs.
    func settle(by connection: RedisConnection, _ keys: [[UInt8]]) throws(RedisError) {
        for _ in 0..<Self.attempts {
            let sent = SystemClock.monotonic()
            let reply = try LogScript.look.script.evaluate(on: connection, keys: keys, arguments: [Self.anyTime])
            guard let fields = reply.elements, fields.count == 2, let shown = fields[0].integer,
                let lead = fields[1].integer
            else { throw RedisError(.protocolError, "unexpected answer to TIME") }
            let sample = ClockEstimate.Sample(
                sent: sent, received: SystemClock.monotonic(), shown: shown.multipliedSaturated(by: 1_000))
            guard let step = estimate.withLock({ $0.step(in: sample) }) else { return take(sample) }
            let held = try LogScript.hold.script.evaluate(
                on: connection, keys: keys,
                arguments: [[UInt8]](words: String(lead), String(step / 1_000)) + [Self.anyTime])
            guard held.integer == 0 else { continue }
            estimate.withLock { $0 = ClockEstimate() }
            return take(sample)
        }
    }
}
