// The names of playback operations in the API.

/// A playback operation without its values.
package enum PlaybackVerb: String, CaseIterable, Sendable {
    case pause, resume, cancel, finish, seek, rate
}
