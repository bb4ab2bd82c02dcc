// The log's clock as estimated by this replica, which detects that the server's clock was set.

import Base
import Replication
import Synchronization

/// The log's even time, derived from this process' monotonic clock. Any thread may use it.
final class LogClock: Sendable {
    /// Attempts to agree with other replicas that noticed a step at the same time.
    private static let attempts = 5
    /// The argument for scripts that accept any time.
    private static let anyTime = Array("any".utf8)

    private let estimate = Mutex(ClockEstimate())
    /// Receives clock samples without a step.
    private let pass: @Sendable (ClockEstimate.Sample) -> Void

    /// Monotonic nanoseconds.
    private let monotonic: @Sendable () -> Int64

    init(
        _ monotonic: @escaping @Sendable () -> Int64, _ pass: @escaping @Sendable (ClockEstimate.Sample) -> Void
    ) {
        self.monotonic = monotonic
        self.pass = pass
    }

    /// The expected log time in microseconds, as an argument for scripts; empty before the first sample.
    var expected: [UInt8] {
        let now = monotonic()
        let offset = estimate.withLock { $0.believedOffset(at: now) }
        return offset.map { Array(String(now.addingSaturated($0) / 1_000).utf8) } ?? []
    }

    /// The largest possible error of the estimate, in nanoseconds.
    var uncertainty: Int64 { estimate.withLock { $0.uncertainty(at: monotonic()) } ?? .max }

    /// Adds a sample.
    /// - Parameters:
    ///   - sent: Monotonic nanoseconds before the request.
    ///   - microseconds: The time in the reply.
    /// - Returns: false if the clock was set.
    func look(from sent: Int64, _ microseconds: Int64) -> Bool {
        let sample = ClockEstimate.Sample(
            sent: sent, received: monotonic(), shown: microseconds.multipliedSaturated(by: 1_000))
        guard estimate.withLock({ $0.step(in: sample) }) == nil else { return false }
        add(sample)
        return true
    }

    private func add(_ sample: ClockEstimate.Sample) {
        estimate.withLock { $0.add(sample) }
        pass(sample)
    }

    /// Samples the log's clock. If the server's clock was set, keeps the log's time running as if it had not been; the
    /// steward corrects it later with an entry. If only this replica's clock stood still, adopts the others' time.
    func settle(by connection: any RedisLink, _ keys: [[UInt8]]) throws(RedisError) {
        for _ in 0..<Self.attempts {
            let sent = monotonic()
            let reply = try LogScript.look.script.evaluate(on: connection, keys: keys, arguments: [Self.anyTime])
            guard let fields = reply.elements, fields.count == 2, let shown = fields[0].integer,
                let lead = fields[1].integer
            else { throw RedisError(.protocolError, "unexpected answer to TIME") }
            let sample = ClockEstimate.Sample(
                sent: sent, received: monotonic(), shown: shown.multipliedSaturated(by: 1_000))
            guard let step = estimate.withLock({ $0.step(in: sample) }) else { return add(sample) }
            let held = try LogScript.hold.script.evaluate(
                on: connection, keys: keys,
                arguments: [[UInt8]](words: String(lead), String(step / 1_000)) + [Self.anyTime])
            guard held.integer == 0 else { continue }
            estimate.withLock { $0 = ClockEstimate() }
            return add(sample)
        }
    }
}
