// Commands to a board, and its results and errors.

package import Base

/// One change, to be applied at an instant.
package enum Command: Hashable, Sendable {
    // Large values are boxed: a command is copied often between its request and the board.

    /// Starts or retargets a motion; creates the track if there is none.
    indirect case update(ResourceName, TrackUpdate)
    /// Sets label, format and default timing without a motion.
    indirect case define(ResourceName, TrackUpdate)
    case remove(ResourceName)
    case play(ResourceName, PlaybackOperation)
    indirect case schedule(ResourceName, ScheduleDefinition)
    /// Publishes a notification to the subscribers of its name.
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
    /// Stops at the current value.
    case cancel
    /// Jumps to the end.
    case finish
    /// Jumps to a share of the active duration, from 0 to 1.
    case seekFraction(Double)
    /// Jumps to seconds after the start, delay included.
    case seekSeconds(Double)
    /// Sets the playback rate; 0 holds.
    case rate(Double)
}

/// The result of an accepted command.
package struct Acceptance: Hashable, Sendable {
    /// The command created the resource.
    package var created: Bool
    /// The resource's revision after the command; zero if it was removed or the command named none.
    package var revision: UInt64
    /// The motion that the update started or belongs to; nil if nothing moves because of it.
    package var animation: UInt64?
    /// Nothing changed: the update equals the running motion.
    package var unchanged: Bool
    /// The update arrived after one with a higher sequence number.
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

/// Why a command was rejected. The board is unchanged.
package enum CommandError: Error, Hashable, Sendable {
    case notFound(ResourceName)
    /// `interrupt: reject`, and a motion is running.
    case running(ResourceName)
    /// `interrupt: queue`, and the queue is full.
    case queueFull(waiting: Int)
    /// `If-Match` or `If-None-Match` doesn't hold.
    /// - Parameter current: The resource's revision; nil if there is no such resource.
    case preconditionFailed(Precondition.Failure, current: UInt64?)
    /// The board has as many resources as its limit allows.
    case boardFull(ResourceKind, limit: Int)
    /// The board uses as many bytes as its limit allows.
    case boardOutOfMemory(limit: Int)
    /// A field's value is invalid in this state.
    case invalid(field: String, reason: String)
    /// The operation doesn't apply to this motion now.
    case conflict(reason: String)
}
