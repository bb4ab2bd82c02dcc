// How a track's number is shown: one of two faces.

/// What turns a track's value into text.
package enum Face: Hashable, Sendable {
    case ticker(TickerFace)
    case progress(ProgressFace)

    /// The decimals of the target that the number is shown with, where neither a client nor a format fixes them. They
    /// stay when a motion is cancelled, whatever decimals the value has by then.
    package var inferredDecimals: Int {
        switch self {
        case .ticker(let face): face.inferredDecimals
        case .progress(let face): face.inferredDecimals
        }
    }
}
