// What can be done to a motion, by the words that clients use.

/// A playback operation without its values.
package enum PlaybackVerb: String, CaseIterable, Sendable {
    case pause, resume, cancel, finish, seek, rate
}
