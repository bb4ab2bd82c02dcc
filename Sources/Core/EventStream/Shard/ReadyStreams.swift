// Which stream a shard serves next. Server-Sent Events are copied to streams as they are; streams in other forms have theirs
// rewritten. Both kinds alternate, and rewriting has a limit in each tick: beyond it streams wait for the next.

import Base

/// The streams with something to send.
struct ReadyStreams: ~Copyable {
    /// The work of rewriting, in units of about 100 nanoseconds.
    enum Work {
        /// The most of one tick: about a third of it.
        static let most = 50_000
        /// What every tick has room for.
        static let least = 3_000
        static let recovery = 600
        /// Copying what was made for another stream.
        static let copy = 1

        /// Reading a number of bytes, and writing them in another form.
        static func rewriting(_ bytes: Int) -> Int { 10 + bytes / 16 }
    }

    private var plain = TurnQueue()
    private var rewritten = TurnQueue()
    /// Whether the next turn is for one whose events are rewritten, if any waits.
    private var isForRewritten = false
    private var room = WorkRoom(most: Work.most, least: Work.least, recovery: Work.recovery)
    /// The work since `end` was set.
    private var work = 0
    /// When the next tick's room begins.
    private var end = Int64.min
    private var isLate = false
    /// Nanoseconds between ticks.
    private let interval: Int64

    init(tickRate: Double) { interval = Int64(saturating: 1e9 / max(tickRate, 1)) }

    mutating func append(_ slot: Int, isRewritten: Bool) {
        if isRewritten { rewritten.append(slot) } else { plain.append(slot) }
    }

    /// Records that a slot is served, so that others come first.
    mutating func recordTurn(of slot: Int, isRewritten: Bool) {
        if isRewritten { rewritten.recordTurn(of: slot) } else { plain.recordTurn(of: slot) }
    }

    /// Records that a slot is newly used, whatever its stream will be: it doesn't come before those that waited longer.
    mutating func recordOpening(of slot: Int) {
        plain.recordTurn(of: slot)
        rewritten.recordTurn(of: slot)
    }

    /// Returns the next slot; nil when none waits, or none that there is room for.
    mutating func next(now: Int64) -> Int? {
        if now >= end, rewritten.count > 0 { beginTick(now: now) }
        let hasRoom = work < room.work
        if isForRewritten, hasRoom, let slot = rewritten.next() {
            isForRewritten = false
            return slot
        }
        isForRewritten = true
        return plain.next() ?? (hasRoom ? rewritten.next() : nil)
    }

    private mutating func beginTick(now: Int64) {
        room.beginTick(isLate: isLate)
        isLate = false
        work = 0
        end = now + interval
    }

    /// Adds work spent on rewriting.
    mutating func spend(_ work: Int) { self.work += work }

    /// When streams that wait for room are served; `.max` if none does.
    var deadline: Int64 { rewritten.count > 0 && work >= room.work ? end : .max }

    /// Records that ticks were missed, or that their frames still wait: rewriting then gets less of the next.
    mutating func recordLateTick() { isLate = true }

    /// The waiting streams whose events are copied as they are, in order.
    var waitingPlain: ArraySlice<Int32> { plain.waiting }

    /// How many streams of each kind wait.
    struct Count {
        let plain: Int
        let rewritten: Int
    }

    var count: Count { Count(plain: plain.count, rewritten: rewritten.count) }

    /// Sorts the streams that were appended since a count by their last turns; those that waited then stay in front.
    mutating func orderLast(since count: Count) {
        plain.orderLast(plain.count - count.plain)
        rewritten.orderLast(rewritten.count - count.rewritten)
    }
}
