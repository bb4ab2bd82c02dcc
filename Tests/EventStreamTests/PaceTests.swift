// Readers that lag get fewer frames, are told so, and get more again.

import EventStream
import Testing

@Suite struct PaceTests {
    private static let second: Int64 = 1_000_000_000

    /// One second of sixty ticks; a reader that keeps up takes what there is after each.
    private func run(_ script: StreamScript, reads: Bool) -> String {
        var sent = ""
        for tick in 0..<60 {
            script.now += Self.second / 60
            script.frame("a", "\(script.now)")
            if tick == 30 { script.event("milestone", "a") }
            script.tick()
            if reads { sent += script.drain()[0] ?? "" }
        }
        return sent
    }

    @Test func `frames skipped by a requested rate are not counted as left out`() {
        let script = StreamScript()
        script.open(0, "a") { $0.terms.framesPerSecond = 10 }
        _ = script.drain()
        let sent = run(script, reads: true)
        #expect((9...11).contains(script.statistics(of: StreamScript.key(0))?.frames ?? 0), "\(sent)")
        #expect(script.statistics(of: StreamScript.key(0))?.leftOut == 0)
    }

    private func rates(_ sent: String) -> [String] {
        sent.split(separator: "\n").filter { $0.hasPrefix("data: {\"fps\"") }.map {
            String($0.dropFirst(13).dropLast())
        }
    }

    @Test func `a reader that lags is stepped down to one frame a second, and up again`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.shard.lagChanged(StreamScript.key(0), isLagging: true, now: script.now)
        for _ in 0..<5 { _ = run(script, reads: false) }
        // The deadlines are looked at when the loop looks for streams that are ready.
        var sent = ""
        for _ in 0..<8 {
            _ = run(script, reads: false)
            sent += script.drain()[0] ?? ""
        }
        #expect(rates(sent) == ["30", "10", "1"])
        #expect(sent.contains("event: rate"))
        _ = run(script, reads: true)
        let slow = run(script, reads: true)
        #expect((1...2).contains(slow.components("data: 1") + slow.components("data: 2")))
        #expect(slow.components("event: milestone") == 1)
        script.shard.lagChanged(StreamScript.key(0), isLagging: false, now: script.now)
        var later = ""
        for _ in 0..<24 { later += run(script, reads: true) }
        #expect(rates(later) == ["10", "30", "60"])
        let full = run(script, reads: true)
        #expect(full.split(separator: "\n").count { $0.hasPrefix("data: ") && !$0.contains("{") } >= 59)
    }

    @Test func `a stream that lags for a moment keeps its frame rate`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.shard.lagChanged(StreamScript.key(0), isLagging: true, now: script.now)
        _ = script.drain()
        script.shard.lagChanged(StreamScript.key(0), isLagging: false, now: script.now)
        var sent = ""
        for _ in 0..<5 { sent += run(script, reads: true) }
        #expect(rates(sent).isEmpty)
    }
}
