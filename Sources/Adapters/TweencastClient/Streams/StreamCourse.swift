// Follows a stream over its connections: where to go on, and when. docs/streams.md, What a good client does.

/// What a stream has come to. A value: the connections are elsewhere.
struct StreamCourse: Sendable {
    /// The id from which the next connection goes on.
    private(set) var lastID: String?
    private var retry = Duration.seconds(2)
    /// Attempts since anything came.
    private var failures = 0
    private var rest: [UInt8] = []

    /// The longest pause that this client chooses by itself.
    private static let longest = Duration.seconds(30)
    /// The most bytes of a line, as the contract says; a longer one is dropped.
    private static let lineBytes = 65_536

    /// What follows from bytes.
    struct Progress: Sendable {
        var items: [StreamItem] = []
        /// Whether the server ends the stream: `bye`.
        var isEnding = false
    }

    /// Takes bytes of the stream.
    mutating func receive(_ bytes: [UInt8]) -> Progress {
        failures = 0
        var progress = Progress()
        var coming = bytes[...]
        while let end = coming.firstIndex(of: UInt8(ascii: "\n")) {
            receive(line: rest + coming.prefix(upTo: end), &progress)
            rest = []
            coming = coming.suffix(from: coming.index(after: end))
        }
        rest += coming
        if rest.count > Self.lineBytes { rest = [] }
        return progress
    }

    /// A connection begins: what was left of the one before is no line.
    mutating func begin() { rest = [] }

    private mutating func receive(line bytes: [UInt8], _ progress: inout Progress) {
        guard !progress.isEnding, let line = StreamLine(bytes) else { return }
        if let id = line.id { lastID = id }
        if let milliseconds = line.retry { retry = .milliseconds(max(0, milliseconds)) }
        switch line.event {
        case "hello", "heartbeat", "rate": break
        case "frame": if let frame = line.data.frame { progress.items.append(.frame(frame)) }
        case "bye":
            progress.isEnding = true
            progress.items.append(.disconnected(reason: "the server says goodbye: \(line.data.reason ?? "")"))
        default:
            progress.items.append(
                .event(
                    StreamEvent(
                        name: line.event, topic: line.data.topic, reason: line.data.reason, frame: line.data.frame,
                        json: String(decoding: bytes, as: UTF8.self))))
        }
    }

    /// No stream came of an attempt.
    mutating func fail() { failures += 1 }

    /// How long to wait before the next connection.
    /// - Parameter asked: The answer's `Retry-After` in seconds.
    func pause(asked: Int?) -> Duration {
        if let asked { return .seconds(min(asked, Self.longestAsked)) }
        let doubled = retry * (1 << min(max(0, failures - 1), 5))
        return max(retry, min(doubled, Self.longest))
    }

    /// The most seconds that this client waits for an answer's `Retry-After`.
    private static let longestAsked = 60
}
