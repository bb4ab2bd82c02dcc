// The service's time: nanoseconds since the Unix epoch, running on the monotonic clock. Set by the wall clock: when that is
// set, the tick thread takes it over at a moment of its own, and moves what runs on elapsed time along. Or by the clock of
// a log that several processes share. Read in one place and passed on as a value.

import Base
import OperatingSystem
import Persistence
import Publishing
package import Replication
import Synchronization
package import Tween

/// Wall time anchored to the monotonic clock.
package final class ServiceClock: Sendable {
    /// Nanoseconds by which the wall clock may differ before it counts as set: more than a disciplined clock drifts in
    /// a day's worth of looks, less than anybody sees.
    static let tolerance: Int64 = 50_000_000
    /// Nanoseconds between looks while something waits for a date and nothing else happens.
    static let lookInterval: Int64 = 1_000_000_000

    /// Nanoseconds after its instant at which a tick is made where the time is a log's: what others append before a tick
    /// has come by then, so that all make the same frames of it.
    static let latencyOfLog: Int64 = 2_000_000

    /// Unix nanoseconds at monotonic zero.
    private let anchor: Atomic<Int64>
    /// The same when it was last followed, where the time is a log's.
    private let followed = Atomic<Int64>(0)
    /// Unix nanoseconds by the machine's clock.
    private let wallTime: @Sendable () -> Int64
    /// Whether the time is a log's, whatever the machine's clock shows.
    private let isOfLog: Bool
    /// What is known of a log's clock.
    private let estimate = Mutex(ClockEstimate())
    /// Nanoseconds by which entries have set a log's clock, of those that were carried out.
    private let logShift = Atomic<Int64>(0)
    /// Nanoseconds between ticks.
    package let period: Int64

    /// - Parameters:
    ///   - tickRate: Ticks a second.
    ///   - wallTime: Unix nanoseconds.
    package init(tickRate: Int, wallTime: @escaping @Sendable () -> Int64 = ServiceClock.systemTime) {
        period = 1_000_000_000 / Int64(tickRate)
        self.wallTime = wallTime
        isOfLog = false
        anchor = Atomic(wallTime().subtractingSaturated(SystemClock.monotonic()))
    }

    /// A clock that shows a log's time, from the first look at that on.
    /// - Parameters:
    ///   - tickRate: Ticks a second.
    ///   - wallTime: Unix nanoseconds, which tell only how far the machine's clock is off.
    package init(
        ofLogWithTickRate tickRate: Int, wallTime: @escaping @Sendable () -> Int64 = ServiceClock.systemTime
    ) {
        period = 1_000_000_000 / Int64(tickRate)
        self.wallTime = wallTime
        isOfLog = true
        anchor = Atomic(0)
    }

    /// Unix nanoseconds by the machine's clock.
    package static let systemTime: @Sendable () -> Int64 = { SystemClock.wall() }

    /// Takes over a wall clock that was set since the last look, or what is known by now of the log's clock.
    /// - Returns: By how many nanoseconds the wall clock, or the log's, was set; nil when it was not.
    func follow() -> Int64? {
        guard !isOfLog else {
            approachLog()
            let found = anchor.load(ordering: .relaxed)
            let known = followed.exchange(found, ordering: .relaxed)
            let shift = found.subtractingSaturated(known)
            return known != 0 && shift.magnitude >= Self.tolerance.magnitude ? shift : nil
        }
        let before = monotonic()
        let wall = wallTime()
        // Whoever was stopped between the two readings has measured nothing.
        guard monotonic() - before < 1_000_000 else { return nil }
        let known = anchor.load(ordering: .relaxed)
        let found = wall.subtractingSaturated(before)
        let shift = found.subtractingSaturated(known)
        guard shift.magnitude >= Self.tolerance.magnitude else { return nil }
        anchor.store(found, ordering: .relaxed)
        return shift
    }

    // MARK: - A log's time

    /// Takes in a look at the log's clock; from any thread.
    package func add(_ sample: ClockEstimate.Sample) {
        estimate.withLock { $0.add(sample) }
        // Whoever waits for the first look knows the time as soon as it is there.
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

    /// A board is followed of whose log entries have set the clock by so many nanoseconds: instants are told with that.
    func follow(logSetBy nanoseconds: Int64) {
        logShift.store(nanoseconds, ordering: .relaxed)
        approachLog()
    }

    /// Goes to what is known by now of a log's clock at once: nobody was told another time yet.
    func settle() { estimate.withLock { $0.settle(at: monotonic()) } }

    /// An entry set the log's clock by so many nanoseconds more.
    func shiftLog(byNanoseconds nanoseconds: Int64) {
        logShift.wrappingAdd(nanoseconds, ordering: .relaxed)
        approachLog()
    }

    /// The most by which the log's time may be wrong here, in nanoseconds; nil where the time is no log's, or not known.
    package var uncertainty: Int64? { estimate.withLock { $0.uncertainty(at: monotonic()) } }

    /// By how many nanoseconds the log's time is ahead of the machine's clock; nil where the time is no log's, or not known.
    package var offset: Int64? {
        guard uncertainty != nil else { return nil }
        var best = (took: Int64.max, offset: Int64(0))
        // Whoever was stopped between two readings has measured nothing.
        for _ in 0..<Self.readings where best.took > Self.goodReading {
            let (before, wall) = (monotonic(), wallTime())
            let took = monotonic() - before
            let offset = instant(monotonic: before + took / 2).nanoseconds.subtractingSaturated(wall)
            if took < best.took { best = (took, offset) }
        }
        return best.offset
    }

    /// The most readings of both clocks, and how many nanoseconds one takes that needs no other.
    private static let readings = 10
    private static let goodReading: Int64 = 10_000

    // MARK: - Reading

    /// Nanoseconds of the monotonic clock.
    package func monotonic() -> Int64 { SystemClock.monotonic() }

    package func instant(monotonic: Int64) -> Instant {
        Instant(nanoseconds: anchor.load(ordering: .relaxed).addingSaturated(monotonic))
    }

    /// Negative for what was before the machine started.
    package func monotonic(of instant: Instant) -> Int64 {
        instant.nanoseconds.subtractingSaturated(anchor.load(ordering: .relaxed))
    }

    /// The timetable of ticks, until the clock is set.
    var grid: TickGrid {
        TickGrid(
            anchor: anchor.load(ordering: .relaxed), period: period, from: isOfLog ? .epoch : .start)
    }

    private var latency: Int64 { isOfLog ? Self.latencyOfLog : 0 }

    /// The newest tick that may be made.
    var currentTick: Int64 { dueTick(at: now()) }

    /// The newest tick that may be made at an instant.
    func dueTick(at now: Instant) -> Int64 { tick(of: now.advanced(byNanoseconds: -latency)) }

    /// When a tick is to be made, in monotonic nanoseconds.
    func monotonic(ofTick tick: Int64) -> Int64 {
        let grid = grid
        return grid.monotonic(of: grid.instant(tick: tick)).addingSaturated(latency)
    }

    /// The number of the tick at or before an instant.
    package func tick(of instant: Instant) -> Int64 { grid.tick(of: instant) }

    /// The instant of a tick.
    package func instant(tick: Int64) -> Instant { grid.instant(tick: tick) }

    /// Sleeps; for threads that have nothing to be woken by.
    func pause(nanoseconds: Int64) { SystemClock.sleep(nanoseconds: nanoseconds) }

    /// A look at the clock, for the store that is written by it.
    func look(lastEvent: Int64 = 0, shift: Int64 = 0) -> StoreClock {
        StoreClock(
            boot: ProcessFacts.machineRun(), uptime: SystemClock.sinceBoot(), instant: now(), lastEvent: lastEvent,
            shift: shift)
    }

    package func now() -> Instant { instant(monotonic: monotonic()) }
}
