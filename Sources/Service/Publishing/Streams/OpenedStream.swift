// A stream between its request and its subscription.

import Base
package import EventStream
package import Machine

/// A stream that is ready to be subscribed.
package struct OpenedStream: Sendable {
    package var request: StreamRequest
    /// Where a stream that answers a request begins.
    package var start: StreamStart?

    /// Whether the greeting comes before the socket.
    package var isGreeted = false

    package init(_ request: StreamRequest, isGreeted: Bool = false) {
        self.request = request
        self.isGreeted = isGreeted
    }

    /// Creates the stream that answers an update.
    package init(_ request: StreamRequest, answering start: StreamStart) {
        self.request = request
        self.start = start
        if start.isAgain { self.request.lastEventID = start.after.description }
    }
}
