// What can be asked of a board, and what it answers or refuses.

package import Base

/// One change, to be applied at an instant.
package enum Command: Hashable, Sendable {
    // What is large is boxed: a command passes through many hands on its way from its request to the board.

    /// Start or retarget; makes the track where there is none.
    indirect case update(ResourceName, TrackUpdate)
    /// Set label, format and default timing without moving.
    indirect case define(ResourceName, TrackUpdate)
    case remove(ResourceName)
    case play(ResourceName, PlaybackOperation)
    indirect case schedule(ResourceName, ScheduleDefinition)
    /// Tells something to those who listen to notifications of a name.
    case notify(name: String, data: [UInt8]?)
    case pauseSchedule(ResourceName)
    case resumeSchedule(ResourceName)
    case pauseAllSchedules
    case resumeAllSchedules
    case removeAllSchedules
}

/// Playback control of a track's motion.
package enum PlaybackOperation: Hashable, Sendable {
    case pause
    case resume
    /// Stop where it is.
    case cancel
    /// Jump to the end.
    case finish
    /// To a share of the active duration, 0 ≤ … ≤ 1.
    case seekFraction(Double)
    /// To seconds after its start, delay included.
    case seekSeconds(Double)
    /// Playback rate; 0 holds.
    case rate(Double)
}

/// What became of an accepted command.
package struct Acceptance: Hashable, Sendable {
    /// The resource was made by this command.
    package var created: Bool
    /// The resource after the command; zero where it is gone or the command named none.
    package var revision: UInt64
    /// The motion that answers this update; nil where nothing moves because of it.
    package var animation: UInt64?
    /// Nothing changed: the update equalled the running motion.
    package var unchanged: Bool
    /// The update came behind one that its sender sent later, by their sequence numbers.
    package var isLate: Bool

    package init(
        created: Bool = false, revision: UInt64, animation: UInt64? = nil, unchanged: Bool = false, isLate: Bool = false
    ) {
        self.created = created
        self.revision = revision
        self.animation = animation
        self.unchanged = unchanged
        self.isLate = isLate
    }
}

/// Why a command was refused; the board is as it was.
package enum CommandError: Error, Hashable, Sendable {
    case notFound(ResourceName)
    /// `interrupt: reject` met a running motion.
    case running(ResourceName)
    /// `interrupt: queue` found the queue full.
    case queueFull(limit: Int)
    /// `If-Match` or `If-None-Match` expected another revision.
    /// - Parameter current: nil where there is no such resource.
    case preconditionFailed(Precondition.Failure, current: UInt64?)
    /// The board holds as many resources as it may.
    case boardFull(ResourceKind, limit: Int)
    /// The board holds as many bytes as it may.
    case boardOutOfMemory(limit: Int)
    /// A field's value can't be taken in this state.
    case invalid(field: String, reason: String)
    /// The operation makes no sense for this motion now.
    case conflict(reason: String)
}
