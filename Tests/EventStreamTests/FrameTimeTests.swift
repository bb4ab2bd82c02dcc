// How old frames are when they are sent, and how far apart; and why streams ended.

import Base
import Testing

@testable import EventStream

@Suite struct FrameTimeTests {
    private static let millisecond: Int64 = 1_000_000

    /// One tick of a hub whose frames are sent some time after it.
    private func tick(
        _ script: StreamScript, at instant: Int64, sent: Int64, follows: Bool, _ topics: String...
    ) {
        script.now = instant
        script.hub.beginTick(at: instant, follows: follows)
        for topic in topics { script.frame(topic, "\(instant)") }
        script.tick()
        _ = script.drain()
        script.shard.sent(now: sent)
    }

    @Test func `a frame's age counts from its tick, once for each stream at the full rate without lag`() {
        let script = StreamScript()
        for slot in 0..<3 as Range<UInt32> { script.open(slot, "a") }
        script.open(3, "a") { $0.terms = StreamTerms(framesPerSecond: 1) }
        _ = script.drain()
        script.shard.lagChanged(StreamScript.key(2), isLagging: true, now: 0)
        tick(script, at: 100 * Self.millisecond, sent: 103 * Self.millisecond, follows: false, "a")
        let ages = script.shard.counters.frameAges.snapshot
        #expect(ages.count == 2 && ages.sum == UInt64(6 * Self.millisecond))
        script.shard.sent(now: 500 * Self.millisecond)
        #expect(script.shard.counters.frameAges.snapshot == ages)
    }

    @Test func `a frame withheld from just greeted streams still counts its age from its tick`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.now = 100 * Self.millisecond
        script.hub.beginTick(at: script.now, follows: false)
        script.frame("a", "1", for: .exceptGreeted)
        script.tick()
        _ = script.drain()
        script.shard.sent(now: 104 * Self.millisecond)
        let ages = script.shard.counters.frameAges.snapshot
        #expect(ages.count == 1 && ages.sum == UInt64(4 * Self.millisecond))
    }

    @Test func `frame gaps are measured only between ticks that follow each other`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        let gaps = script.shard.counters.gaps
        tick(script, at: 100 * Self.millisecond, sent: 101 * Self.millisecond, follows: false, "a")
        #expect(gaps.snapshot.count == 0)
        tick(script, at: 116 * Self.millisecond, sent: 141 * Self.millisecond, follows: true, "a")
        #expect(gaps.snapshot.count == 1 && gaps.snapshot.sum == UInt64(40 * Self.millisecond))
        // A tick without a frame: what comes after it is no gap in anything.
        tick(script, at: 132 * Self.millisecond, sent: 142 * Self.millisecond, follows: true)
        tick(script, at: 900 * Self.millisecond, sent: 901 * Self.millisecond, follows: true, "a")
        // Nothing moved in between.
        tick(script, at: 5_000 * Self.millisecond, sent: 5_001 * Self.millisecond, follows: false, "a")
        #expect(gaps.snapshot.count == 1)
    }

    @Test func `frames sent and left out are counted for all streams together`() {
        let script = StreamScript()
        script.open(0, "a")
        script.open(1, "a")
        _ = script.drain()
        script.frame("a", "1")
        script.tick()
        script.frame("a", "2")
        script.tick()
        _ = script.drain()
        script.shard.sent(now: 1)
        let sent = script.shard.counters.sent
        #expect(sent.frames == 2 && sent.leftOut == 2 && sent.events == 0)
        #expect(script.shard.counters.openedStreams == 2)
    }

    @Test func `a stream's end is counted under the reason it was told, or the state of its socket`() {
        let script = StreamScript()
        for slot in 0..<4 as Range<UInt32> { script.open(slot, "a") }
        _ = script.drain()
        script.hub.end(StreamScript.key(0), with: Array("bye".utf8), because: .expired)
        script.hub.end(StreamScript.key(1), with: Array("bye".utf8), because: .draining)
        script.tick()
        script.shard.closed(StreamScript.key(0), StreamEnd(.client))
        script.shard.closed(StreamScript.key(1), StreamEnd(.stalled))
        script.shard.closed(StreamScript.key(2), StreamEnd(.client))
        script.shard.closed(StreamScript.key(3), StreamEnd(.stopped))
        let ends = script.shard.counters.ends
        #expect(ends[.expired] == 1 && ends[.draining] == 0 && ends[.stalled] == 1)
        #expect(ends[.client] == 1 && ends[.stopped] == 1)
    }
}
