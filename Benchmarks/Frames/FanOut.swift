// Subscribers to what is published, without sockets.

import Base
import EventStream

/// Subscribers to topics on one shard.
struct FanOut: ~Copyable {
    private let hub: Hub
    private var shard: Shard
    private let topics: [TopicIndex]
    private let deliveries: Int

    init(topics count: Int, listeners: Int) {
        let inbox = ShardInbox()
        hub = Hub(inboxes: [inbox], configuration: HubConfiguration(), epoch: "bench")
        shard = Shard(
            index: 0, inbox: inbox, configuration: ShardConfiguration(), closed: { _, _ in }, wantsGreeting: { _ in })
        deliveries = count * listeners
        var slot: UInt32 = 0
        for topic in 0..<count {
            guard let pattern = TopicPattern(kind: .ticker, parsing: "t\(topic)") else { continue }
            for _ in 0..<listeners {
                let key = StreamID(loop: 0, slot: slot, generation: 1)
                shard.opened(key, now: 0)
                let parts = StreamParts(TopicSelection([pattern]), .json)
                hub.subscribe(Subscription(key: key, parts: parts), hello: []) { _, _, _ in .frame }
                slot += 1
            }
        }
        topics = (0..<count).map { [hub] in hub.topic(TopicName(kind: .ticker, id: "t\($0)")) }
    }

    mutating func nanosecondsPerDelivery() -> Double {
        let payload = Array(#"{"ticker":"t","value":123.456,"text":"Loading assets 0.123456"}"#.utf8)
        var buffer: [UInt8] = []
        let tick = Stopwatch.nanoseconds(runs: 7, calls: 200) { step in
            for topic in topics {
                hub.publishFrame(topic, .json) { $0.append(contentsOf: payload) }
            }
            let now = Int64(step) * 16_666_667
            hub.flush(now: now)
            shard.receive(now: now)
            while let key = shard.nextReady(now: now) {
                buffer.removeAll(keepingCapacity: true)
                _ = shard.fill(key, now: now, into: &buffer)
            }
        }
        return tick / Double(deliveries)
    }
}
