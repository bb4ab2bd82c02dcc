// Why there is no board: a server that can't reach its log at the start listens without one.

import Synchronization

/// The reason why there is no board yet, readable on any thread.
final class BoardUnavailability: Sendable {
    private let text = Mutex<String?>(nil)

    /// The reason; nil once the board is loaded.
    var reason: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
