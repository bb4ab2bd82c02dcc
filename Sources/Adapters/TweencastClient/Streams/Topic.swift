// What a stream is asked for.

/// What a stream follows: a resource or a notification, or all whose names begin alike.
public struct Topic: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case ticker, progress, schedule, notification
    }

    public let kind: Kind
    /// An id; with `*` at its end, every id that begins with it.
    public let name: String

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
    /// Seconds of silence before a heartbeat, at least 1. After two missing ones and a second the connection counts as dead.
    public var heartbeat = 5 {
        didSet { heartbeat = max(1, heartbeat) }
    }

    /// Seconds of silence after which a stream is dead.
    var silence: Int { 2 * heartbeat + 1 }

    public init() {}

    func path(of topics: [Topic]) -> String {
        let names = topics.map { "\($0.kind.rawValue)=\(ServerAddress.escaped($0.name))" }
        let rate = framesPerSecond.map { ["fps=\($0)"] } ?? []
        let mode = sendsMotions ? ["mode=motion"] : []
        return "/v1/events?" + (names + rate + mode + ["as=ndjson", "heartbeat=\(heartbeat)"]).joined(separator: "&")
    }
}
