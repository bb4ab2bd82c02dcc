// What a tick takes from the tracks that move and are watched. Tracks refer to names, texts and requests, and copying
// one counts all of those references; this is apart from them, and counts none.

import Tween

/// What a moving track shows at an instant.
package struct Sample: Sendable {
    /// The track's slot.
    package let slot: Int
    /// Tells this state of the track apart from all others of the board.
    package let serial: UInt64
    /// The value on its way; nil when it is there, and may be exact.
    package let value: Double?
}

/// A moving track's motion, until the next change of the track.
struct MovingTrack: Sendable {
    private let motion: Motion
    /// From when on it shows its end.
    private let settled: Instant
    private let slot: Int
    private let serial: UInt64

    init(_ motion: Motion, slot: Int, serial: UInt64) {
        self.motion = motion
        settled = motion.settled ?? Instant(nanoseconds: .max)
        self.slot = slot
        self.serial = serial
    }

    /// Mutating so that it is used where it lies, not copied; it stays as it is.
    @inline(__always)
    mutating func sample(at now: Instant) -> Sample {
        Sample(slot: slot, serial: serial, value: now < settled ? motion.value(at: now) : nil)
    }
}
