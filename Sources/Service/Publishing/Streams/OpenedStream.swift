// A stream between its request and its subscription.

import Base
package import EventStream
package import Machine
package import Tween

/// A stream ready to be subscribed.
package struct OpenedStream: Sendable {
    package var request: StreamRequest
    /// Where it begins that answers a request, and the instant of that request.
    package var start: (at: StreamStart, on: Instant)?

    /// Its socket is still to come.
    package var isGreeted = false

    package init(_ request: StreamRequest, isGreeted: Bool = false) {
        self.request = request
        self.isGreeted = isGreeted
    }

    /// The stream that answers an update.
    package init(_ request: StreamRequest, answering start: StreamStart, at now: Instant) {
        self.request = request
        self.start = (start, now)
        if start.isAgain { self.request.lastEventID = start.after.description }
    }
}
