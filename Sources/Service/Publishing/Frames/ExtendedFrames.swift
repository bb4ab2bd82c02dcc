// The frames of a tick that cost more than a number: wheels and display strings. They are made between two ticks, a portion
// at a time, so that neither subscribers of plain numbers nor writers wait for them.

import Base
package import Board
import Tween
package import Wire

/// A moving track, and the hub's number of the owner whose share its frames use.
package struct OwnedSample: Sendable {
    package let sample: Sample
    package let owner: Int32

    package init(_ sample: Sample, of owner: Int32) {
        self.sample = sample
        self.owner = owner
    }
}

/// The moving tracks whose extended frames of the last tick are not made yet. Owners share the work: next is one who has had
/// least, so whoever asks for more than fits gets fewer frames a second, and others get theirs.
package struct ExtendedFrames {
    /// The most work of one tick: the frames of about 1,000 tracks with wheels or strings. If more tracks move, or time runs
    /// short, the tracks take turns, and plain frames keep their rate.
    static let mostWork = 8_000
    /// The work that every tick has room for: some 60 tracks with wheels or strings.
    static let leastWork = 500
    /// By how much the room for work grows with each tick that is on time.
    static let recovery = 100
    /// The work of one portion: about a millisecond.
    static let workPerPortion = 1_000

    /// The tracks of one owner.
    private struct Share {
        let owner: Int32
        var samples: [Sample] = []
        /// The index in `samples` of this tick's first track, and the number of tracks taken since.
        var first = 0
        var taken = 0
        /// The work of its frames in this tick.
        var work = 0

        var isDone: Bool { taken == samples.count }

        mutating func next() -> OwnedSample {
            var place = first + taken
            if place >= samples.count { place -= samples.count }
            taken += 1
            return OwnedSample(samples[place], of: owner)
        }
    }

    /// The tick that the frames belong to.
    private(set) var stamp = FrameStamp(unixNanoseconds: 0, tick: 0)
    var instant: Instant { Instant(nanoseconds: stamp.unixNanoseconds) }
    private var shares: [Share] = []
    /// The places in `shares` by owner.
    private var places: [Int32: Int] = [:]
    /// The places in `shares` of owners with tracks left, and the index of the one whose turn it is.
    private var open: [Int] = []
    private var turn = 0
    /// Owners with no more work than this have their turn before others.
    private var level = 0
    /// The place in `shares` of the owner that had the last turn; -1 if there was none, or if it and all before it have no
    /// tracks any more.
    private var last = -1
    private var work = 0
    /// Plain frames miss a tick, too.
    private var room = WorkRoom(most: Self.mostWork, least: Self.leastWork, recovery: Self.recovery)

    package init() {}

    /// Whether no more frames of the last tick will be made: all are, or its room is used up.
    package var isEmpty: Bool { open.isEmpty || work >= room.work }

    /// Begins a tick and skips what is left of the last one.
    /// - Parameter isLate: Whether ticks before it were missed.
    package mutating func begin(_ samples: [OwnedSample], stamp: FrameStamp, isLate: Bool = false) {
        skipRest()
        room.beginTick(isLate: isLate)
        self.stamp = stamp
        var place = 0
        for sample in samples { add(sample, near: &place) }
        if shares.contains(where: { $0.samples.isEmpty }) { forgetOwners() }
        for place in shares.indices { shares[place].first %= shares[place].samples.count }
        // If time is too short for all owners, those who were left out come first.
        for place in shares.indices where place > last { open.append(place) }
        for place in shares.indices where place <= last { open.append(place) }
    }

    /// - Parameter place: The place of the owner before, who is often the same; then the place of this one.
    private mutating func add(_ sample: OwnedSample, near place: inout Int) {
        if place >= shares.count || shares[place].owner != sample.owner {
            place = places[sample.owner] ?? shares.count
        }
        if place == shares.count {
            places[sample.owner] = place
            shares.append(Share(owner: sample.owner))
        }
        shares[place].samples.append(sample.sample)
    }

    /// Forgets owners without tracks.
    private mutating func forgetOwners() {
        last -= shares.prefix(last + 1).count { $0.samples.isEmpty }
        shares.removeAll { $0.samples.isEmpty }
        places.removeAll(keepingCapacity: true)
        for place in shares.indices { places[shares[place].owner] = place }
    }

    /// Skips the tracks whose frames were not made; they come first at the next tick.
    mutating func skipRest() {
        for place in shares.indices {
            if !shares[place].isDone { shares[place].first += shares[place].taken }
            shares[place].samples.removeAll(keepingCapacity: true)
            (shares[place].taken, shares[place].work) = (0, 0)
        }
        open.removeAll(keepingCapacity: true)
        (turn, level, work) = (0, 0, 0)
    }

    /// The work count at which a portion that begins now ends.
    var endOfPortion: Int { min(work + Self.workPerPortion, room.work) }

    /// Takes the next sample; nil at the end of the portion or when none is left.
    mutating func next(upTo end: Int) -> OwnedSample? {
        guard work < end, !open.isEmpty else { return nil }
        while open.count > 1, shares[open[turn]].work > level { passTurn() }
        last = open[turn]
        let sample = shares[last].next()
        if shares[last].isDone {
            open.remove(at: turn)
            turn -= 1
            passTurn()
        }
        return sample
    }

    private mutating func passTurn() {
        turn += 1
        guard turn == open.count else { return }
        turn = 0
        level = .max
        for place in open { level = min(level, shares[place].work) }
    }

    /// Adds the work that the frames of the last sample took.
    mutating func spend(_ work: Int) {
        self.work += work
        shares[last].work += work
    }
}
