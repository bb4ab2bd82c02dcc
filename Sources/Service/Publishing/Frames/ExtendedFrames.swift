// The frames of a tick that take more than a number to make: wheels, strings. They are made between that tick and the
// next, a portion at a time, so that neither those who watch plain numbers nor those who change something wait for them.

import Tween
import Wire

/// Moving tracks whose extended frames of the last tick are still to be made.
struct ExtendedFrames {
    /// The work of one tick: the frames of about 1,000 tracks with wheels or strings. Where more move, or where there is
    /// no time for them, each has its turn, and the others' frames keep their rate.
    static let workPerTick = 8_000
    /// The work of one portion: about a millisecond.
    static let workPerPortion = 1_000

    /// The tick that they are of.
    private(set) var stamp = FrameStamp(unixNanoseconds: 0, tick: 0)
    private(set) var instant = Instant(nanoseconds: 0)
    private var slots: [Int] = []
    /// Where in `slots` the first of this tick stands, and how many have been taken since.
    private var first = 0
    private var taken = 0
    private var work = 0

    /// Nothing is left of the last tick.
    var isEmpty: Bool { taken == slots.count || work >= Self.workPerTick }

    /// Begins a tick; what is left of the last one is left out.
    mutating func begin(_ slots: [Int], stamp: FrameStamp, at now: Instant) {
        leaveOutRest()
        if !slots.isEmpty { first %= slots.count }
        self.slots.append(contentsOf: slots)
        (self.stamp, instant) = (stamp, now)
    }

    /// Leaves out what was not made; it has its turn first at the next tick.
    mutating func leaveOutRest() {
        if taken < slots.count { first += taken }
        slots.removeAll(keepingCapacity: true)
        (taken, work) = (0, 0)
    }

    /// The work at which a portion ends that begins now.
    var endOfPortion: Int { min(work + Self.workPerPortion, Self.workPerTick) }

    /// Takes the slot whose turn it is; nil at the end of the portion, or when nothing is left.
    mutating func next(upTo end: Int) -> Int? {
        guard work < end, taken < slots.count else { return nil }
        defer { taken += 1 }
        return slots[(first + taken) % slots.count]
    }

    /// Counts what it took to make the frames of a slot.
    mutating func spend(_ work: Int) { self.work += work }
}
