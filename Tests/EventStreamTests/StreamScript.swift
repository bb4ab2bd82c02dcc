// One hub and one shard, driven by hand: what a stream would be sent, as text.

import Base
import EventStream
import Synchronization

/// A publisher and a subscriber without threads or sockets.
final class StreamScript {
    let hub: Hub
    var shard: Shard
    var now: Int64 = 0
    private let closures = Closures()

    /// The streams that the shard gave back, in order.
    var closed: [StreamID] { closures.keys.withLock { $0 } }

    /// Takes the streams that have asked for more of their greeting, in order.
    func takeRequests() -> [StreamID] {
        closures.options.withLock { options in
            defer { options = [] }
            return options
        }
    }

    private final class Closures: Sendable {
        let keys = Mutex<[StreamID]>([])
        let options = Mutex<[StreamID]>([])
    }

    /// Ids of the topics that were made by hand: those that stand for resources.
    private var made: Set<String> = []

    init(
        history: Int = 100, waitingBytes: Int = 1 << 20, topics: Int = 10_000, epoch: String = "e",
        past: PastEvents = PastEvents(maximumBytes: 0), hub change: (inout HubConfiguration) -> Void = { _ in },
        shard changeShard: (inout ShardConfiguration) -> Void = { _ in }
    ) {
        let inbox = ShardInbox()
        var configuration = HubConfiguration()
        configuration.historyEvents = history
        configuration.maximumTopicsPerStream = topics
        configuration.keepsLog = true
        change(&configuration)
        hub = Hub(inboxes: [inbox], configuration: configuration, epoch: epoch, past: past)
        var settings = ShardConfiguration()
        settings.maximumWaitingBytes = waitingBytes
        changeShard(&settings)
        shard = Shard(
            index: 0, inbox: inbox, configuration: settings,
            closed: { [closures] key, _ in closures.keys.withLock { $0.append(key) } },
            wantsGreeting: { [closures] key in closures.options.withLock { $0.append(key) } })
    }

    static func key(_ slot: UInt32, generation: UInt32 = 1) -> StreamID {
        StreamID(loop: 0, slot: slot, generation: generation)
    }

    func pattern(_ text: String) -> TopicPattern? { TopicPattern(kind: .ticker, parsing: text) }

    /// Opens a stream of tickers.
    func open(
        _ slot: UInt32, _ texts: String..., state: String = "", generation: UInt32 = 1,
        change: (inout Subscription) -> Void = { _ in }
    ) {
        let key = Self.key(slot, generation: generation)
        shard.opened(key, now: now)
        let selection = TopicSelection(texts.compactMap { pattern($0) })
        var subscription = Subscription(key: key, parts: StreamParts(selection, .json), retryMilliseconds: 9)
        change(&subscription)
        hub.subscribe(subscription, hello: Array("{}".utf8), existing: existing) { _, _, bytes in
            bytes.append(contentsOf: state.utf8)
            return .frame
        }
    }

    /// Goes on with all streams that have asked for it.
    /// - Returns: Whether there were any.
    @discardableResult
    func greet(state: String = "") -> Bool {
        let options = takeRequests()
        for key in options {
            hub.continueGreeting(key, existing: existing) { _, _, bytes in
                bytes.append(contentsOf: state.utf8)
                return .frame
            }
        }
        return !options.isEmpty
    }

    /// Goes on with all streams that have asked for it.
    /// - Parameter state: What a topic's state shows in a form.
    /// - Returns: Whether there were any.
    func greet(_ state: (TopicIndex, Variant) -> String) -> Bool {
        let options = takeRequests()
        for key in options {
            hub.continueGreeting(key, existing: existing) { topic, variant, bytes in
                bytes.append(contentsOf: state(topic, variant).utf8)
                return .frame
            }
        }
        return !options.isEmpty
    }

    /// Lets a topic's resource go.
    func forget(_ id: String) {
        made.remove(id)
        if let topic = hub.index(of: TopicName(kind: .ticker, id: id)) { hub.release(topic) }
    }

    /// The topics that were made and that a selection fits, in order.
    func existing(_ selection: TopicSelection, from place: inout SelectionPlace?, most: Int) -> [TopicIndex] {
        let names = made.sorted().map { TopicName(kind: .ticker, id: $0) }.filter { selection.matches($0) }
        let rest = names.filter { name in place?.after.map { name.id > $0 } ?? true }
        place = rest.count > most ? SelectionPlace(after: rest[most - 1].id) : nil
        return rest.prefix(most).compactMap { hub.index(of: $0) }
    }

    func topic(_ id: String) -> TopicIndex {
        made.insert(id)
        return hub.topic(TopicName(kind: .ticker, id: id))
    }

    /// Everything that a stream is sent until nothing is left, however many portions it takes.
    func drainAll(_ slot: UInt32, state: String = "") -> String {
        var text = ""
        repeat { text += drain()[slot] ?? "" } while greet(state: state)
        return text
    }

    func frame(
        _ id: String, _ text: String, variant: Variant = .json, for audience: FrameAudience = .all,
        isFinal: Bool = false
    ) {
        hub.publishFrame(topic(id), variant, for: audience, isFinal: isFinal) { $0.append(contentsOf: text.utf8) }
    }

    func event(_ name: String, _ id: String, _ effect: Hub.EventEffect = .none) {
        publish(name, on: TopicName(kind: .ticker, id: id), effect, payload: Array("{}".utf8))
    }

    /// Publishes an event behind all others.
    func publish(
        _ name: String, on topic: TopicName, _ effect: Hub.EventEffect = .none, payload: [UInt8]
    ) {
        hub.publish(
            event: name, number: hub.lastEventID.number + 1, on: topic, effect: effect, payload: payload)
    }

    func tick() {
        hub.flush(now: now)
        shard.receive(now: now)
    }

    /// What every stream that is ready is sent, by slot.
    func drain() -> [UInt32: String] {
        shard.receive(now: now)
        var sent: [UInt32: String] = [:]
        while let key = shard.nextReady(now: now) {
            var bytes: [UInt8] = []
            let isOver = shard.fill(key, now: now, into: &bytes)
            Chunk.unwrap(&bytes)
            sent[key.slot, default: ""] += String(decoding: bytes, as: UTF8.self) + (isOver ? "<end>" : "")
            if isOver { shard.closed(key) }
        }
        return sent
    }

    // MARK: - What the shard says of itself

    var waitingBytes: Int { shard.waitingBytes }
    var slowStreams: UInt64 { shard.counters.slowStreams }
    var nextDeadline: Int64 { shard.nextDeadline }

    func statistics(of key: StreamID) -> StreamStatistics? { shard.statistics(of: key) }

    /// Appends what waits for a stream, without the frames of its chunks.
    func fill(_ key: StreamID, now: Int64, into bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        defer { Chunk.unwrap(&bytes, from: start) }
        return shard.fill(key, now: now, into: &bytes)
    }

    /// Takes what waits for one stream, as its socket would.
    /// - Returns: Whether there was anything, and it was not the stream's end.
    func fillOne(_ slot: UInt32) -> Bool {
        let key = Self.key(slot)
        var total = 0
        repeat {
            var bytes: [UInt8] = []
            if fill(key, now: 0, into: &bytes) { return false }
            total += bytes.count
        } while shard.waitingEvents(of: key) > 0
        return total > 0
    }
}

extension StreamParts {
    /// The same topics in one form.
    func with(_ variant: Variant) -> StreamParts { StreamParts(selection, variant) }
}

extension String {
    /// Without the ids of `hello` and `reset`, which are places and no events.
    var withoutPlaces: String { replacing(/id: [^\n]*\n(?=event: (?:hello|reset)\n)/, with: "") }
}
