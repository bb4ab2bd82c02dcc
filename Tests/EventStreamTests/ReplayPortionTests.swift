// What was missed comes in portions: as much as is taken, each event once and in order, whatever is published meanwhile.

import Base
import EventStream
import TestSupport
import Testing

@Suite struct ReplayPortionTests {
    private func numbers(_ text: String) -> [Int] {
        text.withoutPlaces.split(separator: "\n").filter { $0.hasPrefix("id: e-") }.compactMap { Int($0.dropFirst(6)) }
    }

    @Test func `a client that reads nothing has one portion of its replay waiting`() {
        let script = StreamScript(history: 10_000, waitingBytes: 1 << 22)
        for _ in 0..<10_000 { script.event("milestone", "a") }
        script.tick()
        for slot in 0..<20 { script.open(UInt32(slot), "a") { $0.lastEventID = "e-5" } }
        script.shard.receive(now: 0)
        #expect(script.waitingBytes < 20 * 20_000)
        // And once it takes them, it gets them all.
        let sent = numbers(script.drainAll(7))
        #expect(sent == Array(6...10_000))
    }

    @Test func `a replay skips other topics' events and still catches up`() {
        let script = StreamScript(history: 10_000)
        for index in 0..<9_000 { script.event("milestone", index == 4_000 ? "b" : "a") }
        script.tick()
        script.open(0, "b") { $0.lastEventID = "e-1" }
        #expect(numbers(script.drainAll(0)) == [4_001])
        script.event("milestone", "b")
        script.tick()
        #expect(numbers(script.drain()[0] ?? "") == [9_001])
    }

    @Test func `events dropped from the history during a replay cause one reset and the state`() {
        let script = StreamScript(history: 1_000)
        _ = script.topic("a")
        for _ in 0..<1_000 { script.event("milestone", "a") }
        script.tick()
        script.open(0, "a", state: "S") { $0.lastEventID = "e-1" }
        var sent = script.drain()[0] ?? ""
        #expect(!sent.contains("data: S"))
        for _ in 0..<1_000 { script.event("milestone", "a") }
        script.tick()
        script.greet(state: "S")
        sent += script.drainAll(0, state: "S")
        #expect(sent.components("event: reset") == 1 && sent.components("data: S\n\n") == 1)
    }

    @Test(arguments: [true, false])
    func `a stream that ends with a completion or removal ends after its replay`(isRemoval: Bool) {
        let script = StreamScript(history: 10_000)
        for _ in 0..<2_000 { script.event("milestone", "a") }
        script.event(isRemoval ? "removed" : "complete", "a", isRemoval ? .removal : .completion)
        script.tick()
        script.open(0, "a") {
            $0.lastEventID = "e-1"
            $0.terms.once = !isRemoval
            $0.endsWithTopic = isRemoval
        }
        let sent = script.drainAll(0)
        #expect(numbers(sent) == Array(2...2_001) && sent.hasSuffix("<end>"))
    }

    @Test func `a once stream replays up to the first completion and ends there`() {
        let script = StreamScript(history: 10_000)
        for _ in 0..<500 { script.event("milestone", "a") }
        script.event("complete", "a", .completion)
        for _ in 0..<500 { script.event("milestone", "a") }
        script.event("complete", "a", .completion)
        script.tick()
        script.open(0, "a") {
            $0.lastEventID = "e-1"
            $0.terms.once = true
        }
        let sent = script.drainAll(0)
        #expect(numbers(sent) == Array(2...501) && sent.hasSuffix("<end>"))
    }

    @Test(arguments: 0..<20)
    func `random publishing amid a replay sends each event once, in order`(round: Int) {
        let script = StreamScript(
            history: 400, waitingBytes: 1 << 22,
            hub: {
                $0.replayPortion = 300; $0.replayLook = 20
            })
        var random = SeededRandom(seed: UInt64(round))
        var own: [Int] = []
        func publish() {
            script.event("milestone", "a")
            own.append(Int(script.hub.lastEventID.number))
        }
        for _ in 0..<200 { publish() }
        script.open(0, "a*", "b") { $0.lastEventID = "e-\(Int.random(in: 0..<200, using: &random))" }
        var sent = ""
        for _ in 0..<300 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: for _ in 0..<Int.random(in: 0..<8, using: &random) { publish() }
            case 1: script.event("milestone", "other")
            case 2: script.tick()
            case 3: sent += script.drain()[0] ?? ""
            case 4: script.greet()
            default: script.hub.release(script.topic("a"))
            }
        }
        script.tick()
        sent += script.drainAll(0)
        publish()
        script.tick()
        sent += script.drainAll(0)
        // After a reset it goes on with what comes; before one, and after it, there is no gap of its own events.
        let parts = sent.split(separator: "event: reset", omittingEmptySubsequences: false).map { numbers(String($0)) }
        let all = parts.flatMap { $0 }
        #expect(all == all.sorted() && Set(all).count == all.count && all.last == own.last)
        for part in parts {
            guard let first = part.first, let last = part.last else { continue }
            #expect(part == own.filter { (first...last).contains($0) })
        }
    }
}
