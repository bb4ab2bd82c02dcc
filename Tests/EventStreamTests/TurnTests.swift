// Where there is more to do than time, frames are left out evenly: everybody else's turn comes before one's own comes again.

import Base
import Testing

@testable import EventStream

@Suite struct TurnTests {
    private static let streams: UInt32 = 10

    /// - Parameter sends: Streams that are served between two ticks.
    @Test(arguments: [1, 3, 5, 6, 9])
    func `a stream gets its next turn only after all others had theirs`(sends: Int) {
        let script = StreamScript()
        for slot in 0..<Self.streams { script.open(slot, "a") }
        _ = script.drain()
        var served: [UInt32] = []
        for tick in 0..<60 {
            script.frame("a", "frame \(tick)")
            script.tick()
            for _ in 0..<sends { served += serve(script) }
        }
        #expect(served.count == 60 * sends)
        let period = Int(Self.streams)
        for index in period..<served.count where served[index] != served[index - period] {
            Issue.record("\(served[index]) had turn \(index), but not turn \(index - period)")
            return
        }
    }

    private func serve(_ script: StreamScript) -> [UInt32] {
        guard let key = script.shard.nextReady(now: script.now) else { return [] }
        var bytes: [UInt8] = []
        _ = script.shard.fill(key, now: script.now, into: &bytes)
        return [key.slot]
    }

    @Test func `a fill's limit counts its own bytes, not those already in the buffer`() {
        let script = StreamScript(shard: { $0.maximumFill = 100 })
        script.open(0, "a")
        _ = script.drain()
        for _ in 0..<20 { script.event("e", "a") }
        script.tick()
        let key = StreamScript.key(0)
        var alone: [UInt8] = []
        _ = script.shard.fill(key, now: 0, into: &alone)
        var behind = [UInt8](repeating: 0, count: 1_000)
        _ = script.shard.fill(key, now: 0, into: &behind)
        #expect(alone.count >= 100)
        #expect(behind.count == 1_000 + alone.count)
    }

    @Test func `a turn queue that never empties reuses its memory`() {
        var queue = TurnQueue()
        queue.append(0)
        queue.append(1)
        var most = 0
        for _ in 0..<100_000 {
            guard let slot = queue.next() else { break }
            queue.recordTurn(of: slot)
            queue.append(slot)
            queue.orderLast(1)
            most = max(most, queue.slots.count)
        }
        #expect(queue.count == 2)
        #expect(most <= TurnQueue.mostLeftPlaces + 2)
    }
}
