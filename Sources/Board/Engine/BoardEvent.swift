// What happened on a board, in order, for those who listen. Each event holds the values of its own instant.

package import Labels
package import Tween

/// Why a motion is over.
package enum CompletionReason: String, Hashable, Sendable {
    case finished, superseded, cancelled, removed
}

/// Why a resource left the board.
package enum RemovalReason: String, Hashable, Sendable {
    case deleted, cancelled, completed
}

/// A named event.
package enum BoardEvent: Sendable {
    /// - Parameter isInstant: The motion took no time, so that no frame could show it before.
    case complete(ResourceName, animation: UInt64, reason: CompletionReason, Reading, isInstant: Bool)
    case milestone(ResourceName, animation: UInt64, value: ExactDecimal)
    case paused(ResourceName?)
    case resumed(ResourceName?)
    case removed(ResourceName, RemovalReason)
    case scheduled(ResourceName, due: Instant)
    case fired(ResourceName, due: Instant, count: Int)
    case notification(name: String, data: [UInt8]?, by: ResourceName)
    case webhook(url: String, data: [UInt8]?, by: ResourceName)
    /// An action could not be carried out.
    case failed(by: ResourceName, CommandError)
}

/// What a track shows at an instant.
package struct Reading: Hashable, Sendable {
    /// The unrounded number.
    package var value: Position
    package var text: [UInt8]
    /// Progress with a maximum only: the unclamped share.
    package var fraction: Double?
    package var percent: Int?
}

/// A number on its way or at rest.
package enum Position: Hashable, Sendable {
    /// At rest on a value as it was given.
    case exact(ExactDecimal)
    /// In between.
    case moving(Double)

    package var double: Double {
        switch self {
        case .exact(let value): value.double
        case .moving(let value): value
        }
    }
}
