// That a server is away, where `tweencast watch` has no row to say so.

import TweencastClient

/// Says once in each outage that there is no connection. The end of a connection is none yet: the next one mostly succeeds.
struct WatchOutage: Sendable {
    private enum State {
        case connected, disconnected, reported
    }

    private let server: String
    private var state = State.disconnected

    init(server: String) { self.server = server }

    /// - Returns: What is to be said; mostly nothing.
    mutating func receive(_ item: StreamItem) -> String? {
        switch (item, state) {
        case (.disconnected, .connected):
            state = .disconnected
            return nil
        case (.disconnected(let reason), .disconnected):
            state = .reported
            return "no connection to \(server) (\(reason)), trying again"
        case (.disconnected, .reported): return nil
        case (.connected, _), (.frame, _), (.event, _):
            state = .connected
            return nil
        }
    }
}
