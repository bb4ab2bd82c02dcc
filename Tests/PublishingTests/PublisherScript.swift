// A machine, a publisher and one shard of streams, by values: no thread, no socket, no store.

import Base
import Board
import EventStream
import Machine
import TestSupport
import Testing
import Tween
import Wire

@testable import Publishing

/// A machine, a publisher and the one shard of its streams; each turn is published at once.
final class PublisherScript {
    var script = MachineScript()
    let publisher: Publisher
    private var shard: Shard

    init(planner: any ReaderPlanner = NoFormats()) {
        let inbox = ShardInbox()
        let hub = Hub(inboxes: [inbox], configuration: HubConfiguration(), epoch: "e")
        let grid = TickGrid(anchor: 0, period: 100_000_000)
        publisher = Publisher(hub, grid: grid, configuration: Publisher.Configuration(), planner: planner, seed: 1)
        shard = Shard(
            index: 0, inbox: inbox, configuration: ShardConfiguration(), closed: { _, _ in }, wantsGreeting: { _ in })
    }

    private var nanoseconds: Int64 { script.now.nanoseconds }

    /// The stream that answers an update which was the last thing to happen.
    func open(answering update: Request, of name: ResourceName, variant: Variant, after seconds: Double = 0) throws {
        let kind = TopicKind.resource(name.kind)
        let key = StreamID(loop: 0, slot: 0, generation: 1)
        shard.opened(key, now: nanoseconds)
        let request = StreamRequest(
            parts: StreamParts(
                TopicSelection([try #require(TopicPattern(kind: kind, parsing: name.id))]), variant))
        let before = script.machine.lastEventID
        let asked = script.now
        take(update)
        let start = StreamStart(
            name: name, after: before, until: .motion(1), track: script.machine.engine.track(name), isAgain: false,
            at: asked)
        if seconds > 0 {
            script.wait(seconds)
            take()
        }
        publisher.open(
            OpenedStream(request, answering: start), key, of: &script.machine, at: script.now)
    }

    func open(
        _ topics: String..., slot: UInt32 = 0, kind: TopicKind = .ticker, variant: Variant = .json,
        locale: String? = nil, of owner: String? = nil, after lastEventID: String? = nil,
        permit: (any StreamPermit)? = nil
    ) throws {
        let patterns = try topics.map { try #require(TopicPattern(kind: kind, parsing: $0)) }
        let key = Self.key(slot)
        shard.opened(key, now: nanoseconds)
        var request = StreamRequest(
            parts: StreamParts(TopicSelection(patterns), variant), locale: locale, lastEventID: lastEventID)
        request.permit = permit
        request.owner = owner
        publisher.open(OpenedStream(request), key, of: &script.machine, at: script.now)
    }

    /// An open stream is to hear other topics.
    func change(
        _ slot: UInt32 = 0, to topics: String..., variant: Variant = .json, locale: String? = nil,
        permit: (any StreamPermit)? = nil
    ) throws -> Publisher.StreamChangeOutcome {
        let patterns = try topics.map { try #require(TopicPattern(kind: .ticker, parsing: $0)) }
        var request = StreamRequest(parts: StreamParts(TopicSelection(patterns), variant), locale: locale)
        request.permit = permit
        return publisher.change(Self.key(slot), to: request, of: &script.machine, at: script.now)
    }

    /// A stream has gone.
    func close(_ slot: UInt32) {
        shard.closed(Self.key(slot))
        publisher.close(Self.key(slot), of: &script.machine, at: script.now)
    }

    private static func key(_ slot: UInt32) -> StreamID { StreamID(loop: 0, slot: slot, generation: 1) }

    func take(_ requests: Request...) {
        publisher.advance(to: script.now, in: script.machine)
        publisher.publish(script.take(requests), of: &script.machine)
    }

    func tick() {
        take()
        flush()
    }

    /// Sends what was published.
    func flush() { publisher.tick(nanoseconds / 100_000_000, of: &script.machine, at: script.now) }

    /// The lines that the stream was sent since the last look, without those of the greeting.
    func sent() -> [String] {
        shard.receive(now: nanoseconds)
        var bytes: [UInt8] = []
        while let key = shard.nextReady(now: nanoseconds) { _ = shard.fill(key, now: nanoseconds, into: &bytes) }
        Chunk.unwrap(&bytes)
        let text = String(decoding: bytes, as: UTF8.self).replacing(/id: [^\n]*\n(?=event: hello)/, with: "")
        return text.split(separator: "\n").map(String.init).filter {
            !$0.hasPrefix("retry") && !$0.contains("hello") && !$0.contains("tickRate")
        }
    }
}
