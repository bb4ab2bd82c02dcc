// A client's request for a stream, before it has a socket of its own.

import Base

/// The request that opened a stream.
package struct StreamOrigin: Hashable, Sendable {
    /// The effective client address; empty if it is unknown.
    package var client = ""
    /// The request id that its answer carries.
    package var request = ""

    package init() {}

    package init(client: String, request: String) {
        self.client = client
        self.request = request
    }
}

/// A requested stream.
package struct StreamRequest: Sendable {
    package var parts: StreamParts
    /// The reader's locale; nil: numbers are written as they were posted.
    package var locale: String?
    /// The options of the whole stream, apart from its locale.
    package var terms: StreamTerms
    /// Whether the stream is of one resource and ends with it.
    package var endsWithTopic: Bool
    package var lastEventID: String?
    /// Whether it receives the self-test's pattern instead of topics.
    package var isSelfTest: Bool
    /// How its events are written; nil for Server-Sent Events.
    package var encoding: StreamEncoding?
    /// The name by which it can be changed; nil if it can't be.
    package var name: StreamName?
    /// What allows it to stay open, and says what it may read; nil if nothing is checked or counted.
    package var permit: (any StreamPermit)? { didSet { terms.readable = permit?.readable } }
    /// The owner whose share of the total limits it counts towards; nil if only the totals apply.
    package var owner: String?
    /// The request that opened it.
    package var origin = StreamOrigin()
    /// Monotonic nanoseconds at which that request's head was complete; 0 for a stream without a request.
    package var arrived: Int64 = 0

    package init(
        parts: StreamParts, locale: String? = nil, terms: StreamTerms = StreamTerms(), endsWithTopic: Bool = false,
        lastEventID: String? = nil, isSelfTest: Bool = false
    ) {
        self.parts = parts
        self.locale = locale
        self.terms = terms
        self.endsWithTopic = endsWithTopic
        // An empty id means that the client has seen no event (WHATWG HTML, section 9.2).
        self.lastEventID = lastEventID.flatMap { $0.isEmpty ? nil : $0 }
        self.isSelfTest = isSelfTest
    }

    /// The topics of all parts.
    package var selection: TopicSelection { parts.selection }
}
