// Whether there is a board: a server whose log is out of reach when it starts listens without one.

import Synchronization

/// Why there is no board yet, for those who ask for it; from any thread.
final class BoardUnavailability: Sendable {
    private let text = Mutex<String?>(nil)

    /// Nil once there is one.
    var reason: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
