// Samples of the moving tracks that are watched. Copying a track counts references to names, texts and requests; these types
// have no references.

import Tween

/// What a moving track shows at an instant.
package struct Sample: Sendable {
    /// The track's slot.
    package let slot: Int
    /// Distinguishes this state of the track from all others on the board.
    package let serial: UInt64
    /// The value in motion; nil at the end, where it may be exact.
    package let value: Double?
}

/// A moving track's motion, until the next change of the track.
struct MovingTrack: Sendable {
    private let motion: Motion
    /// From this instant it shows its end.
    private let settled: Instant
    private let slot: Int
    let serial: UInt64

    init(_ motion: Motion, slot: Int, serial: UInt64) {
        self.motion = motion
        settled = motion.settled ?? Instant(nanoseconds: .max)
        self.slot = slot
        self.serial = serial
    }

    /// Mutating only to be used in place without a copy; it changes nothing.
    @inline(__always)
    mutating func sample(at now: Instant) -> Sample {
        Sample(slot: slot, serial: serial, value: now < settled ? motion.value(at: now) : nil)
    }
}
