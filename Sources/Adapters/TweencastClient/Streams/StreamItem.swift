// What comes on a stream: frames, events, and what becomes of the connection.

import FoundationEssentials

/// What a resource shows at an instant.
public struct ResourceFrame: Hashable, Sendable {
    public let topic: Topic
    public let text: String
    /// The number behind the text, not rounded.
    public let value: Double?
    /// How much of a progress is done, from 0 to 1; nil while the maximum is unknown.
    public let fraction: Double?
}

/// What has happened to a resource.
public struct StreamEvent: Hashable, Sendable {
    /// `complete`, `removed` and so on: docs/streams.md lists them.
    public let name: String
    /// The resource or notification; nil for an event of all of them.
    public let topic: Topic?
    /// Why a motion ended, or a resource was removed.
    public let reason: String?
    /// What the resource shows, where the event has it.
    public let frame: ResourceFrame?
    /// The event as it came, JSON.
    public let json: String
}

/// What comes on a stream.
public enum StreamItem: Hashable, Sendable {
    /// A connection is open; the state of each topic follows.
    case connected
    case frame(ResourceFrame)
    case event(StreamEvent)
    /// The connection has ended, or there was none; another one follows.
    case disconnected(reason: String)
}

/// A line of a stream.
struct StreamLine: Decodable, Sendable {
    struct Contents: Decodable, Sendable {
        let ticker: String?
        let progress: String?
        let schedule: String?
        let notification: String?
        let text: String?
        let value: Double?
        let fraction: Double?
        let reason: String?

        var topic: Topic? {
            ticker.map { Topic(.ticker, $0) } ?? progress.map { Topic(.progress, $0) }
                ?? schedule.map { Topic(.schedule, $0) } ?? notification.map { Topic(.notification, $0) }
        }

        var frame: ResourceFrame? {
            guard let topic, let text else { return nil }
            return ResourceFrame(topic: topic, text: text, value: value, fraction: fraction)
        }
    }

    let event: String
    let id: String?
    /// Milliseconds before the next connection.
    let retry: Int?
    let data: Contents

    /// - Returns: nil if the line is not understood, and thus ignored: a later version may send it.
    init?(_ bytes: some Collection<UInt8>) {
        guard let line = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = line
    }
}
