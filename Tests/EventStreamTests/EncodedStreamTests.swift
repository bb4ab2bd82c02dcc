// Streams whose events are rewritten: what one has made of a frame serves all, and none delays the others.

import Base
import Synchronization
import Testing

@testable import EventStream

/// Shows each topic's frame in capitals, up to a number of topics, and counts how often it made them.
private struct Capitals: StreamEncoder {
    final class Count: Sendable {
        let made = Mutex(0)
    }

    let count: Count
    var key: UInt64 = 9
    var most = Int.max
    private var shown: Set<Int> = []

    init(_ count: Count, key: UInt64 = 9, most: Int = .max) { (self.count, self.key, self.most) = (count, key, most) }

    var isFull: Bool { shown.count >= most }

    func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: events, as: UTF8.self).uppercased().utf8)
    }

    mutating func append(_ frame: inout NewestFrame, on link: Int, to buffer: inout [UInt8]) -> EncodedFrame {
        guard shown.contains(link) || !isFull else { return .hidden(from: frame.size) }
        shown.insert(link)
        if let known = frame.copy(key) {
            Chunk.append(known, to: &buffer)
            return .shared
        }
        count.made.withLock { $0 += 1 }
        let made = frame.withEvent { encoded($0) } ?? []
        frame.keep(made, as: key)
        Chunk.append(made, to: &buffer)
        return .made(from: frame.size)
    }
}

/// Has a row for one topic, which is the first letter of its frames; `removed` frees it.
private struct OneRow: StreamEncoder {
    private var shown: Character?

    var isFull: Bool { shown != nil }

    mutating func encoded(_ events: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: events, as: UTF8.self)
        if text.contains("event: removed") { shown = nil }
        guard text.hasPrefix("data: "), let topic = text.dropFirst(6).first, shown == nil || shown == topic else {
            return []
        }
        shown = topic
        return Array(text.utf8)
    }

    mutating func append(_ frame: inout NewestFrame, on link: Int, to buffer: inout [UInt8]) -> EncodedFrame {
        let made = frame.withEvent { encoded($0) } ?? []
        Chunk.append(made, to: &buffer)
        return made.isEmpty ? .hidden(from: frame.size) : .made(from: frame.size)
    }
}

@Suite struct EncodedStreamTests {
    private let script = StreamScript()
    private let count = Capitals.Count()

    /// - Parameter key: What its copies of frames are known by.
    private func open(_ slot: UInt32, _ pattern: String, key: UInt64 = 9, most: Int = .max) {
        let count = count
        script.open(slot, pattern) {
            $0.encoding = StreamEncoding("text/plain", of: .json) { Capitals(count, key: key, most: most) }
        }
    }

    @Test func `a frame is rewritten once for all streams with the same encoding`() {
        for slot in 0..<5 { open(UInt32(slot), "a") }
        open(5, "a", key: 10)
        _ = script.drain()
        for number in 0..<3 {
            script.frame("a", "frame \(number)")
            script.tick()
            let sent = script.drain()
            #expect(sent.count == 6 && sent.values.allSatisfy { $0 == "DATA: FRAME \(number)\n\n" }, "\(sent)")
        }
        #expect(count.made.withLock(\.self) == 6)
    }

    @Test func `a JSON lines stream that shares a copy gets the same bytes as the first`() {
        for slot in 0..<2 { script.open(UInt32(slot), "a") { $0.encoding = .lines } }
        _ = script.drain()
        script.frame("a", #"{"value":1}"#)
        script.tick()
        let sent = script.drain()
        #expect(sent == [0: "{\"event\":\"frame\",\"data\":{\"value\":1}}\n", 1: sent[0] ?? ""])
    }

    @Test func `a frame keeps only the newest encoded copies, and none when it is replaced`() {
        var frame = NewestFrame()
        frame.replace(by: Chunk.of(SSE.frame("a".utf8))[...])
        for key in 0..<UInt64(NewestFrame.mostCopies + 2) { frame.keep([UInt8(key)], as: key) }
        #expect(frame.copy(0) == nil && frame.copy(1) == nil)
        #expect(frame.copy(2) == [2] && frame.copy(9) == [9])
        frame.replace(by: Chunk.of(SSE.frame("b".utf8))[...])
        #expect(frame.copy(9) == nil)
    }

    @Test func `frames of hidden topics neither wake their stream nor count`() {
        open(0, "t*", most: 2)
        for number in 0..<50 { script.frame("t\(number)", "x") }
        script.tick()
        _ = script.drainAll(0)
        for number in 0..<50 { script.frame("t\(number)", "first") }
        script.tick()
        _ = script.drain()
        let frames = script.statistics(of: StreamScript.key(0))?.frames ?? 0
        for number in 2..<50 { script.frame("t\(number)", "second") }
        script.tick()
        let isReady = script.shard.nextReady(now: script.now) != nil
        #expect(!isReady)
        #expect(script.statistics(of: StreamScript.key(0))?.frames == frames)
        script.frame("t0", "third")
        script.tick()
        #expect(script.drain() == [0: "DATA: THIRD\n\n"])
    }

    @Test func `a hidden topic that gets a row by its final frame is shown from then on`() {
        script.open(0, "*") { $0.encoding = StreamEncoding("text/plain", of: .json) { OneRow() } }
        for text in ["a 1", "c 1"] {
            script.frame(String(text.prefix(1)), text)
            script.tick()
            _ = script.drain()
        }
        script.event("removed", "a")
        script.frame("c", "c 2", isFinal: true)
        script.tick()
        #expect(script.drain() == [0: "data: c 2\n\n"])
        script.frame("c", "c 3")
        script.tick()
        #expect(script.drain() == [0: "data: c 3\n\n"])
    }

    @Test func `a fill reads a bounded number of frames, hidden ones included`() {
        open(0, "t*", most: 2)
        _ = script.drain()
        for number in 0..<1_000 { script.frame("t\(number)", "x") }
        script.tick()
        var portions = 0
        while let key = script.shard.nextReady(now: script.now) {
            var bytes: [UInt8] = []
            _ = script.shard.fill(key, now: script.now, into: &bytes)
            portions += 1
        }
        #expect((3...10).contains(portions))
    }

    /// Rewriting a frame of 16 KB is some 1,000 units of work.
    private static let long = String(repeating: "x", count: 16_000)
    private static let streams = 100

    /// - Returns: How many of the streams whose frames are rewritten were served within a tick.
    private func servedInTick() -> Int {
        script.frame("long", Self.long)
        script.frame("plain", "1")
        script.tick()
        var served = 0
        var place = 0
        var isPlainServed = false
        while let key = script.shard.nextReady(now: script.now) {
            var bytes: [UInt8] = []
            _ = script.shard.fill(key, now: script.now, into: &bytes)
            isPlainServed = isPlainServed || key.slot == 0
            // Whoever gets a copy waits for no other, and at most one whose frames are rewritten is before it.
            #expect(isPlainServed || place == 0)
            if key.slot > 0 { served += 1 }
            place += 1
        }
        #expect(isPlainServed)
        return served
    }

    @Test func `rewriting within a tick is limited, and streams without it are served first`() {
        script.open(0, "plain")
        for slot in 1...Self.streams { open(UInt32(slot), "long", key: UInt64(100 + slot)) }
        _ = script.drain()
        script.now += 1_000_000_000
        let served = servedInTick()
        #expect(served > 10 && served < Self.streams)
        // The others are served with the next tick, whether it has frames or not.
        let deadline = script.nextDeadline
        #expect(deadline <= script.now + 17_000_000)
        script.now = deadline
        #expect(script.drain().count >= min(served, Self.streams - served))
    }

    @Test func `a late tick halves the work of rewriting`() {
        script.open(0, "plain")
        for slot in 1...Self.streams { open(UInt32(slot), "long", key: UInt64(100 + slot)) }
        _ = script.drain()
        func servedNext(isLate: Bool) -> Int {
            script.now += 17_000_000
            script.hub.beginTick(at: script.now, follows: true, isLate: isLate)
            return servedInTick()
        }
        let before = servedNext(isLate: false)
        _ = servedNext(isLate: true)
        let halved = servedNext(isLate: false)
        #expect((before * 4 / 10...before * 6 / 10).contains(halved), "\(before), then \(halved)")
        for _ in 0..<20 { _ = servedNext(isLate: true) }
        #expect((1...5).contains(servedNext(isLate: false)))
    }

    @Test func `an event that waits doesn't count as a late tick`() {
        script.open(0, "plain")
        for slot in 1...Self.streams { open(UInt32(slot), "long", key: UInt64(100 + slot)) }
        _ = script.drain()
        func servedNext() -> Int {
            script.now += 17_000_000
            script.hub.beginTick(at: script.now, follows: true)
            return servedInTick()
        }
        let before = servedNext()
        script.event("milestone", "plain")
        script.tick()
        let after = servedNext()
        #expect(after * 10 >= before * 9, "\(before), then \(after)")
    }

    @Test func `a stream held up by the rewriting limit is not ended as slow`() throws {
        let script = StreamScript(shard: { $0.maximumWaitingSeconds = 0.01 })
        for (slot, id) in [(UInt32(0), "a"), (1, "b")] {
            script.open(slot, id) { [count] in
                $0.encoding = StreamEncoding("text/plain", of: .json) { Capitals(count) }
            }
        }
        _ = script.drain()
        // Rewriting it takes more than the room of a tick.
        script.now = 1_000_000_000
        let large = Array(repeating: UInt8(ascii: "x"), count: ReadyStreams.Work.most * 20)
        script.publish("notification", on: TopicName(kind: .ticker, id: "a"), payload: large)
        script.tick()
        guard let first = script.shard.nextReady(now: script.now) else {
            Issue.record("no stream is ready")
            return
        }
        var bytes: [UInt8] = []
        _ = script.shard.fill(first, now: script.now, into: &bytes)
        #expect(first.slot == 0 && bytes.count > large.count)
        for milliseconds in [1, 7, 7] as [Int64] {
            script.now += milliseconds * 1_000_000
            script.event("milestone", "b")
            script.tick()
            let isServed = script.shard.nextReady(now: script.now) != nil
            #expect(!isServed)
        }
        #expect(script.slowStreams == 0)
        script.now = 1_100_000_000
        #expect(script.drain()[1]?.components("EVENT: MILESTONE") == 3)
    }

    @Test func `a reused slot queues behind rewritten streams that waited longer`() {
        var ready = ReadyStreams(tickRate: 60)
        for slot in 0..<3 { ready.recordTurn(of: slot, isRewritten: true) }
        ready.recordOpening(of: 0)
        ready.append(9, isRewritten: true)
        let waiting = ready.count
        for slot in 0..<3 { ready.append(slot, isRewritten: true) }
        ready.orderLast(since: waiting)
        var served: [Int] = []
        while let slot = ready.next(now: 0) { served.append(slot) }
        #expect(served == [9, 1, 2, 0])
    }

    @Test func `rewritten streams that wait for the next tick are served in turn`() {
        for slot in 1...Self.streams { open(UInt32(slot), "long", key: UInt64(100 + slot)) }
        script.open(0, "plain")
        _ = script.drain()
        var counts = [UInt32: Int]()
        for _ in 0..<20 {
            script.now += 17_000_000
            script.hub.beginTick(at: script.now, follows: true)
            script.frame("long", Self.long)
            script.tick()
            for slot in script.drain().keys { counts[slot, default: 0] += 1 }
        }
        let rewritten = (1...Self.streams).map { counts[UInt32($0)] ?? 0 }
        #expect((rewritten.max() ?? 0) - (rewritten.min() ?? 0) <= 1, "\(rewritten)")
    }
}
