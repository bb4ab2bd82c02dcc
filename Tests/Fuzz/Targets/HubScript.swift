// A hub and a shard, driven by hand: what one stream of everything is sent, as bytes.

import Base
import EventStream

final class HubScript {
    private let hub: Hub
    private var shard: Shard
    private static let key = StreamID(loop: 0, slot: 0, generation: 1)
    private static let topic = TopicName(kind: .ticker, id: "t")

    init(epoch: String, past: PastEvents = PastEvents(maximumBytes: 0)) {
        let inbox = ShardInbox()
        hub = Hub(inboxes: [inbox], configuration: HubConfiguration(), epoch: epoch, past: past)
        shard = Shard(
            index: 0, inbox: inbox, configuration: ShardConfiguration(), closed: { _, _ in }, wantsGreeting: { _ in })
    }

    /// Opens the stream.
    /// - Parameter id: That of the event that it saw last.
    /// - Returns: What it is sent at once.
    func open(_ variant: Variant = .json, after id: String? = nil) -> [UInt8] {
        shard.opened(Self.key, now: 0)
        let patterns = TopicKind.allCases.compactMap { TopicPattern(kind: $0, parsing: "*") }
        let subscription = Subscription(
            key: Self.key, parts: StreamParts(TopicSelection(patterns), variant), lastEventID: id, retryMilliseconds: 9)
        hub.subscribe(subscription, hello: Array("{}".utf8)) { _, _, _ in .frame }
        return drain()
    }

    func publish(_ name: String, _ payload: [UInt8]) {
        hub.publish(event: name, number: hub.lastEventID.number + 1, on: Self.topic, payload: payload)
    }

    func frame(_ payload: [UInt8], _ variant: Variant) {
        hub.publishFrame(hub.topic(Self.topic), variant, isFinal: true) { $0.append(contentsOf: payload) }
    }

    /// What waits for the stream.
    func drain() -> [UInt8] {
        hub.flush(now: 0)
        shard.receive(now: 0)
        var bytes: [UInt8] = []
        while let key = shard.nextReady(now: 0) {
            guard !shard.fill(key, now: 0, into: &bytes) else { break }
        }
        Chunk.unwrap(&bytes)
        return bytes
    }
}
