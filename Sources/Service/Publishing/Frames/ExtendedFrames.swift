// The frames of a tick that cost more than a number: wheels and display strings. They are made between two ticks, a portion
// at a time, so that neither subscribers of plain numbers nor writers wait for them.

package import Board
package import Tween
package import Wire

/// The moving tracks whose extended frames of the last tick are not made yet.
package struct ExtendedFrames {
    /// The most work of one tick: the frames of about 1,000 tracks with wheels or strings. If more tracks move, or time runs
    /// short, the tracks take turns, and plain frames keep their rate.
    static let mostWork = 8_000
    /// The work that every tick has room for: some 60 tracks with wheels or strings.
    static let leastWork = 500
    /// How much more work a tick on time has room for than the one before.
    static let recovery = 100
    /// The work of one portion: about a millisecond.
    static let workPerPortion = 1_000

    /// The tick that the frames belong to.
    private(set) var stamp = FrameStamp(unixNanoseconds: 0, tick: 0)
    private(set) var instant = Instant(nanoseconds: 0)
    private var samples: [Sample] = []
    /// The index in `samples` of this tick's first track, and the number of tracks taken since.
    private var first = 0
    private var taken = 0
    private var work = 0
    /// The work of this tick. It is halved when a tick was missed, since plain frames miss it too, and grows from tick to tick
    /// while none is: so extended frames get fewer a second before plain ones do.
    private var room = Self.mostWork

    package init() {}

    /// Whether nothing is left of the last tick.
    package var isEmpty: Bool { taken == samples.count || work >= room }

    /// Begins a tick and skips what is left of the last one.
    /// - Parameter isLate: Whether ticks before it were missed.
    package mutating func begin(_ samples: [Sample], stamp: FrameStamp, isLate: Bool = false, at now: Instant) {
        leaveOutRest()
        room = isLate ? max(room / 2, Self.leastWork) : min(room + Self.recovery, Self.mostWork)
        if !samples.isEmpty { first %= samples.count }
        self.samples.append(contentsOf: samples)
        (self.stamp, instant) = (stamp, now)
    }

    /// Skips the tracks whose frames were not made; they come first at the next tick.
    mutating func leaveOutRest() {
        if taken < samples.count { first += taken }
        samples.removeAll(keepingCapacity: true)
        (taken, work) = (0, 0)
    }

    /// The work count at which a portion that begins now ends.
    var endOfPortion: Int { min(work + Self.workPerPortion, room) }

    /// Takes the next sample; nil at the end of the portion or when none is left.
    mutating func next(upTo end: Int) -> Sample? {
        guard work < end, taken < samples.count else { return nil }
        defer { taken += 1 }
        return samples[(first + taken) % samples.count]
    }

    /// Adds the work that a sample's frames took.
    mutating func spend(_ work: Int) { self.work += work }
}
