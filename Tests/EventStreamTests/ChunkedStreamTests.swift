// Each event of a stream is a chunk of its own, whatever it came by.

import Base
import EventStream
import TestSupport
import Testing

@Suite struct ChunkedStreamTests {
    private let script = StreamScript(history: 2)

    /// The contents of the chunks that a stream is sent.
    private func chunks(_ slot: UInt32 = 0) -> [String] {
        script.shard.receive(now: script.now)
        var contents: [String] = []
        while let key = script.shard.nextReady(now: script.now) {
            var bytes: [UInt8] = []
            _ = script.shard.fill(key, now: script.now, into: &bytes)
            guard key.slot == slot else { continue }
            Chunk.forEach(in: bytes[...]) { contents.append(String(decoding: $0, as: UTF8.self)) }
        }
        return contents
    }

    private func names(_ chunks: [String]) -> [String] {
        for chunk in chunks {
            #expect(chunk.hasSuffix("\n\n") && chunk.ranges(of: "\n\n").count == 1, "\(chunk)")
        }
        return chunks.map { chunk in
            chunk.split(separator: "\n").first { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) } ?? "frame"
        }
    }

    @Test func `each event of a greeting, replay or reset is a chunk of its own`() {
        for _ in 0..<3 { script.event("milestone", "a") }
        _ = script.topic("a")
        script.open(0, "a", state: "{}") {
            $0.lastEventID = "e-2"
            $0.prelude = [SSE.frame("1".utf8), SSE.frame("2".utf8)]
        }
        #expect(names(chunks()) == ["hello", "frame", "frame", "milestone", "frame"])
        script.open(1, "a", "b") { $0.lastEventID = "e-0" }
        #expect(names(chunks(1)) == ["hello", "reset"])
    }

    @Test func `each frame and event of a tick is a chunk of its own`() {
        script.open(0, "a", "b")
        _ = script.drain()
        script.frame("a", "{}")
        script.event("complete", "a", .completion)
        script.frame("b", "[]", isFinal: true)
        script.event("milestone", "b")
        let text = Variant(text: true, stamp: false, motion: false, wheels: nil, display: .none)
        script.frame("a", "{}")
        script.frame("a", "line\nline", variant: text)
        script.tick()
        #expect(names(chunks()) == ["frame", "complete", "frame", "milestone", "frame"])
    }

    @Test func `a text of several lines is one chunk`() {
        let text = Variant(text: true, stamp: false, motion: false, wheels: nil, display: .none)
        script.open(0, "a") { $0.parts = $0.parts.with(text) }
        _ = script.drain()
        script.frame("a", "1\r\n\n2", variant: text)
        script.tick()
        #expect(chunks() == ["data: 1\ndata: \ndata: 2\n\n"])
    }

    @Test func `each frame written in a series is a chunk of its own`() {
        script.open(0, "a", "b")
        _ = script.drain()
        var series = script.hub.beginSeries()
        for (id, length) in [("a", 1), ("b", 300)] {
            let isPut = series.put(script.topic(id), .json, size: length) { room, start in
                for place in start..<(start + length) { room.storeBytes(of: 120, toByteOffset: place, as: UInt8.self) }
                return start + length
            }
            #expect(isPut)
        }
        script.hub.endSeries(series)
        script.tick()
        #expect(chunks() == ["data: x\n\n", "data: \(String(repeating: "x", count: 300))\n\n"])
    }

    @Test func `a heartbeat and a bye are chunks of their own`() {
        script.open(0, "a")
        _ = script.drain()
        script.now += 16_000_000_000
        #expect(names(chunks()) == ["heartbeat"])
        script.hub.end(StreamScript.key(0), with: SSE.event("bye", payload: "{}".utf8), because: .draining)
        script.tick()
        #expect(names(chunks()) == ["bye"])
    }

    @Test func `each line of a JSON lines stream is a chunk of its own`() {
        script.open(0, "a", state: "{}") { $0.encoding = .lines }
        script.frame("a", "{}")
        script.event("milestone", "a")
        script.tick()
        let lines = chunks()
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix("}\n") && $0.ranges(of: "\n").count == 1 })
    }
}
