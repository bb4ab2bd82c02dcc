// What a stream is asked for.

/// What a stream follows: a resource or a notification, or all whose names begin alike.
public struct Topic: Hashable, Sendable {
    /// What can be followed.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// One of a server's.
        case ticker, progress, schedule, notification
    }

    /// What it is.
    public let kind: Kind
    /// An id; with `*` at its end, every id that begins with it.
    public let name: String

    /// Creates a topic. A stream of one that nothing can have throws `ClientError.invalidRequest`.
    public init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

/// Options of a stream.
public struct StreamOptions: Hashable, Sendable {
    /// The most frames a second of each topic; nil for those of the server.
    public var framesPerSecond: Double?

    /// Whether `motion` events come in place of frames, from which `RemoteMotion` computes what is shown.
    public var sendsMotions = false
    /// Seconds of silence before a heartbeat, clamped to 1...60. After two missing ones and a second the connection counts as
    /// dead.
    public var heartbeat = 5 {
        didSet { heartbeat = min(max(1, heartbeat), 60) }
    }

    /// Seconds of silence after which a stream is dead.
    var silence: Int { 2 * heartbeat + 1 }

    /// Creates the usual options.
    public init() {}

    func path(of topics: [Topic]) throws(ClientError) -> String {
        if let topic = topics.first(where: { !ResourceName.isValidPattern($0.name) }) {
            throw .invalidRequest(ResourceName.refusal(topic.name))
        }
        let names = topics.map { "\($0.kind.rawValue)=\(ServerAddress.escaped($0.name))" }
        let rate = framesPerSecond.map { ["fps=\($0)"] } ?? []
        let mode = sendsMotions ? ["mode=motion"] : []
        return "/v1/events?" + (names + rate + mode + ["as=ndjson", "heartbeat=\(heartbeat)"]).joined(separator: "&")
    }
}
