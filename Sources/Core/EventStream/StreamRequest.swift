// What a client asked of a stream, before it has a socket of its own.

import Base

/// The request that a stream began with.
package struct StreamOrigin: Hashable, Sendable {
    /// The client's address that counts; empty where it is not known.
    package var client = ""
    /// The name that its answer carries.
    package var request = ""

    package init() {}

    package init(client: String, request: String) {
        self.client = client
        self.request = request
    }
}

/// A stream as it is asked for.
package struct StreamRequest: Sendable {
    package var parts: StreamParts
    /// The reader's; nil: as things were posted.
    package var locale: String?
    /// Most frames a second; nil is every tick's.
    package var framesPerSecond: Double?
    /// Seconds of silence after which it is sent a heartbeat; nil is the server's.
    package var heartbeatSeconds: Int?
    package var endsAfterCompletion: Bool
    /// The stream is that of one resource and ends with it.
    package var endsWithTopic: Bool
    package var lastEventID: String?
    /// It is sent the self-test's pattern in place of topics.
    package var isSelfTest: Bool
    /// It is sent lines of JSON in place of events.
    package var isLines = false
    /// The name under which it can be changed; nil for one that can't be.
    package var name: StreamName?
    /// What it is let in by; nil where nobody is asked and nothing is counted.
    package var permit: (any StreamPermit)?
    /// Whose shares of what all streams have it counts towards; nil where the total alone is the bound.
    package var owner: String?
    /// The request that asked for it.
    package var origin = StreamOrigin()
    /// Monotonic nanoseconds at which that request's head was complete; 0 for a stream that nobody asked for.
    package var arrived: Int64 = 0

    package init(
        parts: StreamParts, locale: String? = nil, framesPerSecond: Double? = nil, endsAfterCompletion: Bool = false,
        endsWithTopic: Bool = false, lastEventID: String? = nil, isSelfTest: Bool = false
    ) {
        self.parts = parts
        self.locale = locale
        self.framesPerSecond = framesPerSecond
        self.endsAfterCompletion = endsAfterCompletion
        self.endsWithTopic = endsWithTopic
        // An empty one is that of a client that has seen none (WHATWG HTML, section 9.2).
        self.lastEventID = lastEventID.flatMap { $0.isEmpty ? nil : $0 }
        self.isSelfTest = isSelfTest
    }

    package var terms: StreamTerms {
        StreamTerms(
            framesPerSecond: framesPerSecond, heartbeatSeconds: heartbeatSeconds, once: endsAfterCompletion,
            readable: permit?.readable)
    }

    /// What any part of it names.
    package var selection: TopicSelection { parts.selection }
}
