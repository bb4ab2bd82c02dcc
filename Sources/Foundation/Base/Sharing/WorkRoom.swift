// How much work a tick has room for, where the work of some clients must not delay the frames of others.

/// Room for work in each tick. It is halved when a tick was missed, and grows from tick to tick while none is: so what uses
/// it gets fewer frames a second before others do.
package struct WorkRoom: Sendable {
    private let most: Int
    /// What every tick has room for.
    private let least: Int
    /// By how much the room grows with each tick that is on time.
    private let recovery: Int
    /// The work that this tick has room for.
    package private(set) var work: Int

    package init(most: Int, least: Int, recovery: Int) {
        (self.most, self.least, self.recovery) = (most, least, recovery)
        work = most
    }

    /// - Parameter isLate: Whether ticks before this one were missed.
    package mutating func beginTick(isLate: Bool) {
        work = isLate ? max(work / 2, least) : min(work + recovery, most)
    }
}
