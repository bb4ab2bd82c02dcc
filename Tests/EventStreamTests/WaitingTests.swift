// What waits for readers that are slow: their own bytes alone, counted, bounded, and told when it is too much.

import EventStream
import Testing

@Suite struct WaitingTests {
    private static let bye = "event: bye\nretry: "
    private static let slow = "data: {\"reason\":\"slow\"}\n\n<end>"

    @Test func `an event waiting for a slow stream doesn't keep its whole tick's bytes`() {
        let script = StreamScript()
        script.open(0, "a")
        script.open(1, "b")
        _ = script.drain()
        for _ in 0..<100 {
            script.frame("b", String(repeating: "x", count: 100_000))
            script.event("milestone", "a")
            script.tick()
            #expect(script.fillOne(1))
        }
        #expect(script.waitingBytes < 100 * 200)
        #expect(script.drain()[0]?.components("event: milestone") == 100)
        #expect(script.waitingBytes == 0)
    }

    @Test func `bytes waiting for many streams are counted once`() {
        let script = StreamScript()
        for slot in 0..<50 { script.open(UInt32(slot), "a") }
        _ = script.drain()
        script.frame("a", String(repeating: "x", count: 10_000), isFinal: true)
        script.tick()
        #expect(script.waitingBytes < 11_000)
        script.shard.closed(StreamScript.key(3))
        _ = script.drain()
        #expect(script.waitingBytes == 0)
    }

    @Test func `a stream over its waiting bytes gets a bye with reason slow and ends`() {
        let script = StreamScript(waitingBytes: 10_000)
        script.open(0, "a")
        _ = script.drain()
        for _ in 0..<1_000 { script.event("milestone", "a") }
        script.tick()
        #expect(script.waitingBytes < 1_000)
        let sent = script.drain()[0] ?? ""
        #expect(sent.hasPrefix(Self.bye) && sent.hasSuffix(Self.slow))
        #expect(script.slowStreams == 1)
        // It comes back for what it was not sent.
        script.hub.unsubscribe(StreamScript.key(0))
        script.open(0, "a", generation: 2) { $0.lastEventID = "e-900" }
        #expect(script.drainAll(0).components("event: milestone") == 100)
    }

    @Test func `a tick of 20000 events doesn't end a stream that reads`() {
        let script = StreamScript(history: 10, waitingBytes: ShardConfiguration().maximumWaitingBytes)
        script.open(0, "*")
        _ = script.drain()
        for index in 0..<10_000 {
            script.frame("t\(index % 9_000)", "\(index)", isFinal: true)
            script.event("complete", "t\(index % 9_000)", .completion)
        }
        script.tick()
        let sent = script.drain()[0] ?? ""
        #expect(sent.components("event: complete") == 10_000 && !sent.contains("<end>"))
    }

    @Test func `over the total of waiting bytes, the streams with the most waiting are ended`() {
        let script = StreamScript(shard: { $0.maximumWaitingTotal = 60_000 })
        script.open(0, "a")
        script.open(1, "b")
        script.open(2, "c")
        _ = script.drain()
        for round in 0..<600 {
            script.event("milestone", "a")
            if round % 3 == 0 { script.event("milestone", "b") }
            if round % 100 == 0 { script.event("milestone", "c") }
            script.tick()
            #expect(script.waitingBytes <= 61_000)
        }
        #expect(script.slowStreams == 1)
        let sent = script.drain()
        #expect(sent[0]?.hasSuffix(Self.slow) == true)
        #expect(sent[1]?.components("event: milestone") == 200 && sent[2]?.components("event: milestone") == 6)
    }

    @Test func `a stream that never catches up is ended as slow, one that does is not`() {
        let script = StreamScript(waitingBytes: 1 << 24)
        script.open(0, "a")
        script.open(1, "a")
        _ = script.drain()
        for _ in 0..<400 {
            script.now += 100_000_000
            for _ in 0..<12 { script.event("milestone", "a") }
            script.tick()
            // One takes all now and then; the other never does.
            if script.now % 20_000_000_000 == 0 { #expect(script.fillOne(1)) }
            _ = script.shard.nextReady(now: script.now)
        }
        #expect(script.slowStreams == 1)
        var rest: [UInt8] = []
        #expect(script.fill(StreamScript.key(0), now: script.now, into: &rest))
        #expect(String(decoding: rest, as: UTF8.self).hasPrefix(Self.bye))
    }

    @Test func `a stream that reads its replay slowly is not ended as slow`() {
        let script = StreamScript()
        script.event("milestone", "a")
        script.open(0, "a") { $0.lastEventID = "e-0" }
        for _ in 0..<100 {
            script.now += 1_000_000_000
            script.tick()
            _ = script.shard.nextReady(now: script.now)
        }
        #expect(script.slowStreams == 0)
    }

    @Test func `a tick of many bytes is sent in batches`() {
        let script = StreamScript(
            waitingBytes: 1 << 24,
            hub: {
                $0.batchSize = 10_000; $0.burstSize = 50_000
            })
        script.open(0, "a")
        script.open(1, "*")
        _ = script.drain()
        for index in 0..<400 { script.frame("a", "\(index)" + String(repeating: "x", count: 1_000), isFinal: true) }
        script.tick()
        let sent = script.drain()
        #expect(sent[0]?.components("data: ") == 400 && sent[0] == sent[1])
    }

    @Test(arguments: [1e-300, 0, -1, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude, 0.01])
    func `an extreme requested frame rate still sends frames`(rate: Double) {
        let script = StreamScript()
        script.open(0, "a") { $0.terms.framesPerSecond = rate }
        script.shard.lagChanged(StreamScript.key(0), isLagging: true, now: 0)
        var frames = 0
        for tick in 0..<200 {
            script.now = Int64(tick) * 1_000_000_000
            script.frame("a", "\(tick)")
            script.tick()
            frames += (script.drain()[0] ?? "").components("data: \(tick)\n\n")
        }
        #expect(frames >= 3)
    }
}
