// Many motions a tick, and many listeners of one.

import Board
import EventStream
import Labels
import Tween
import Wire

/// Watched tickers, sampled as a tick samples them.
struct Crowd {
    private var engine: Engine

    init(count: Int) {
        engine = Engine(configuration: Engine.Configuration(planner: LocalePlans()))
        let start = Instant(nanoseconds: 0)
        guard
            let update = try? UpdateDecoder.update(
                Array(#"{"to":1000000,"duration":3600}"#.utf8), kind: .ticker, role: .update)
        else { preconditionFailure("no update") }
        for index in 0..<count {
            let name = ResourceName(.ticker, "t\(index)")
            _ = try? engine.apply(.update(name, update), at: start)
            if let slot = engine.slot(of: name) { engine.setWatched(true, slot: slot, at: start) }
        }
    }

    func nanosecondsPerMotion() -> Double {
        var text: [UInt8] = []
        var bytes: [UInt8] = []
        let prefix = FramePrefix(ResourceName(.ticker, "t"))
        let tick = Stopwatch.nanoseconds(runs: 5, calls: 5) { step in
            let now = Instant(nanoseconds: Int64(step + 1) * 16_666_667)
            bytes.removeAll(keepingCapacity: true)
            for slot in engine.sampled {
                guard let track = engine.tracks[slot] else { continue }
                let position = track.position(at: now)
                text.removeAll(keepingCapacity: true)
                track.appendText(position, at: now, escaped: true, to: &text)
                FrameEncoder.append(
                    prefix, value: position, fraction: nil, percent: nil, escapedText: text, stamp: nil, to: &bytes)
            }
        }
        return tick / Double(engine.sampled.count)
    }
}

/// Listeners of topics on one shard.
struct FanOut {
    private let hub: Hub
    private let shard: Shard
    private let topics: [TopicIndex]
    private let deliveries: Int

    init(topics count: Int, listeners: Int) {
        let inbox = ShardInbox()
        hub = Hub(inboxes: [inbox], configuration: HubConfiguration(), epoch: "bench")
        shard = Shard(index: 0, inbox: inbox, configuration: ShardConfiguration()) { _ in }
        deliveries = count * listeners
        var slot: UInt32 = 0
        for topic in 0..<count {
            guard let pattern = TopicPattern(kind: .ticker, parsing: "t\(topic)") else { continue }
            for _ in 0..<listeners {
                let key = StreamKey(shard: 0, slot: slot, generation: 1)
                shard.opened(key, now: 0)
                hub.subscribe(Subscription(key: key, patterns: [pattern]), hello: []) { _, _, _ in .frame }
                slot += 1
            }
        }
        topics = (0..<count).map { [hub] in hub.topic(TopicName(kind: .ticker, id: "t\($0)")) }
    }

    func nanosecondsPerDelivery() -> Double {
        let payload = Array(#"{"ticker":"t","value":123.456,"text":"Loading assets 0.123456"}"#.utf8)
        var buffer: [UInt8] = []
        let tick = Stopwatch.nanoseconds(runs: 7, calls: 200) { step in
            for topic in topics {
                hub.beginFrame(topic, .json)
                hub.bytes.append(contentsOf: payload)
                hub.endFrame()
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
