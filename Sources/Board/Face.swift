// How a track's number is shown: one of two faces.

/// What turns a track's value into text.
package enum Face: Hashable, Sendable {
    case ticker(TickerFace)
    case progress(ProgressFace)
}
