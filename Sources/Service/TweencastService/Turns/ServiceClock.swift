// The service's time: nanoseconds since the Unix epoch, advanced by the monotonic clock. It follows the wall clock, and the
// tick thread adopts a change of that between turns and shifts what depends on elapsed time. Or it follows the clock of a
// shared log. The time is read in one place and passed on as a value.

import Base
import Machine
import OperatingSystem
import Persistence
import Publishing
package import Replication
import Synchronization
package import Tween

/// Wall time anchored to the monotonic clock.
package final class ServiceClock: Sendable {
    /// Nanoseconds by which the wall clock may differ before it counts as set: more than a disciplined clock drifts in a
    /// day, less than anyone notices.
    static let tolerance: Int64 = 50_000_000
    /// Nanoseconds between two readings of the wall clock while a schedule waits for a date.
    static let lookInterval: Int64 = 1_000_000_000

    /// Nanoseconds by which a tick is delayed with a log's time. What other replicas append before the tick has arrived by
    /// then, so that all make the same frames.
    static let latencyOfLog: Int64 = 2_000_000

    /// Unix nanoseconds at monotonic zero.
    private let anchor: Atomic<Int64>
    /// The anchor at the last `update`, with a log's time.
    private let followed = Atomic<Int64>(0)
    let machine: MachineClock
    /// Whether the time is a log's rather than the machine's.
    private let isOfLog: Bool
    /// The estimate of the log's clock.
    private let estimate = Mutex(ClockEstimate())
    /// Nanoseconds by which the applied log entries have set the log's clock.
    private let logShift = Atomic<Int64>(0)
    /// Nanoseconds between ticks.
    package let period: Int64

    /// - Parameter tickRate: Ticks per second.
    package init(tickRate: Int, machine: MachineClock = .system) {
        period = 1_000_000_000 / Int64(tickRate)
        self.machine = machine
        isOfLog = false
        anchor = Atomic(machine.wall().subtractingSaturated(machine.monotonic()))
    }

    /// Creates a clock that shows a log's time once that has been sampled.
    /// - Parameters:
    ///   - tickRate: Ticks per second.
    ///   - machine: Its wall clock only serves to measure how far the log's time is ahead of it.
    package init(ofLogWithTickRate tickRate: Int, machine: MachineClock = .system) {
        period = 1_000_000_000 / Int64(tickRate)
        self.machine = machine
        isOfLog = true
        anchor = Atomic(0)
    }

    /// Adopts the wall clock if it was set since the last call, or the present estimate of the log's clock.
    /// - Returns: The nanoseconds by which that clock was set; nil if it was not.
    func update() -> Int64? {
        guard !isOfLog else {
            approachLog()
            let found = anchor.load(ordering: .relaxed)
            let known = followed.exchange(found, ordering: .relaxed)
            let shift = found.subtractingSaturated(known)
            return known != 0 && shift.magnitude >= Self.tolerance.magnitude ? shift : nil
        }
        let before = monotonic()
        let wall = machine.wall()
        // If the thread was suspended between the two readings, they are useless.
        guard monotonic() - before < 1_000_000 else { return nil }
        let known = anchor.load(ordering: .relaxed)
        let found = wall.subtractingSaturated(before)
        let shift = found.subtractingSaturated(known)
        guard shift.magnitude >= Self.tolerance.magnitude else { return nil }
        anchor.store(found, ordering: .relaxed)
        return shift
    }

    // MARK: - Log time

    /// Adds a sample of the log's clock. Any thread may call this.
    package func add(_ sample: ClockEstimate.Sample) {
        estimate.withLock { $0.add(sample) }
        // The first sample sets the time at once, as a start waits for it.
        if anchor.load(ordering: .relaxed) == 0 { approachLog() }
    }

    private func approachLog() {
        let (offset, shift) = estimate.withLock { estimate in
            let shift = estimate.approach(at: monotonic())
            return (estimate.offset, shift)
        }
        if let shift {
            Log.write(
                .clock, .warning, "the estimate of the log's clock was corrected",
                ["seconds": .real(Double(shift) / 1e9)])
        }
        if let offset { anchor.store(offset.addingSaturated(logShift.load(ordering: .relaxed)), ordering: .relaxed) }
    }

    /// Adopts the total clock shift of a newly followed log, as the board's instants include it.
    func adjust(logSetBy nanoseconds: Int64) {
        logShift.store(nanoseconds, ordering: .relaxed)
        approachLog()
    }

    /// Jumps to the best estimate of the log's clock; allowed only before any time was shown.
    func settle() { estimate.withLock { $0.settle(at: monotonic()) } }

    /// Adds a shift that a log entry made to the log's clock.
    func shiftLog(byNanoseconds nanoseconds: Int64) {
        logShift.wrappingAdd(nanoseconds, ordering: .relaxed)
        approachLog()
    }

    /// The maximum error of the log's time here, in nanoseconds; nil if the time is not a log's, or unknown.
    package var uncertainty: Int64? { estimate.withLock { $0.uncertainty(at: monotonic()) } }

    /// Nanoseconds by which the log's time is ahead of the machine's clock; nil if the time is not a log's, or unknown.
    package var offset: Int64? {
        guard uncertainty != nil else { return nil }
        var best = (took: Int64.max, offset: Int64(0))
        // If the thread was suspended between two readings, they are useless.
        for _ in 0..<Self.readings where best.took > Self.goodReading {
            let (before, wall) = (monotonic(), machine.wall())
            let took = monotonic() - before
            let offset = instant(monotonic: before + took / 2).nanoseconds.subtractingSaturated(wall)
            if took < best.took { best = (took, offset) }
        }
        return best.offset
    }

    /// The most attempts to read both clocks, and the nanoseconds within which one is good enough.
    private static let readings = 10
    private static let goodReading: Int64 = 10_000

    // MARK: - Reading

    /// Nanoseconds of the monotonic clock.
    package func monotonic() -> Int64 { machine.monotonic() }

    package func instant(monotonic: Int64) -> Instant {
        Instant(nanoseconds: anchor.load(ordering: .relaxed).addingSaturated(monotonic))
    }

    /// Returns monotonic nanoseconds; negative for instants before the computer started.
    package func monotonic(of instant: Instant) -> Int64 {
        instant.nanoseconds.subtractingSaturated(anchor.load(ordering: .relaxed))
    }

    /// The timetable of ticks, valid until the clock is set.
    var grid: TickGrid {
        TickGrid(
            anchor: anchor.load(ordering: .relaxed), period: period, from: isOfLog ? .epoch : .boot)
    }

    private var latency: Int64 { isOfLog ? Self.latencyOfLog : 0 }

    /// The newest tick that may run.
    var currentTick: Int64 { dueTick(at: now()) }

    /// Returns the newest tick that may run at an instant.
    func dueTick(at now: Instant) -> Int64 { tick(of: now.advanced(byNanoseconds: -latency)) }

    /// Returns when a tick is due, in monotonic nanoseconds.
    func monotonic(ofTick tick: Int64) -> Int64 {
        let grid = grid
        return grid.monotonic(of: grid.instant(tick: tick)).addingSaturated(latency)
    }

    /// Returns the number of the tick at or before an instant.
    package func tick(of instant: Instant) -> Int64 { grid.tick(of: instant) }

    /// Returns the instant of a tick.
    package func instant(tick: Int64) -> Instant { grid.instant(tick: tick) }

    /// Sleeps, on a thread that nothing wakes.
    func pause(nanoseconds: Int64) { SystemClock.sleep(nanoseconds: nanoseconds) }

    /// Reads the clock, for the store that keeps it with a board.
    func look(of machine: borrowing Machine) -> StoreClock {
        look(lastEvent: machine.lastEvent, shift: machine.shift, epoch: machine.epoch)
    }

    /// Reads the clock.
    func look(lastEvent: Int64 = 0, shift: Int64 = 0, epoch: String = "") -> StoreClock {
        StoreClock(
            boot: machine.run(), uptime: machine.sinceBoot(), instant: now(), lastEvent: lastEvent,
            shift: shift, epoch: epoch)
    }

    package func now() -> Instant { instant(monotonic: monotonic()) }
}
