// The same turns have the same outcomes, in whatever process: what a replica computes is what its source has computed.

import TestSupport
import Testing

@Suite struct DeterminismTests {
    private static let count = "250"

    @Test(.tags(.random), arguments: Seeds.seeds([1, 2]))
    func `two processes with different hash seeds give the same outcomes for the same turns`(seed: UInt64) throws {
        let one = try Transcript([String(seed), Self.count])
        one.expectSame(as: try Transcript([String(seed), Self.count]))
        // Each kind of outcome comes up.
        for word in ["event", "crowd", "answer", "batch", "keep", "webhook", "note", "stream of"] {
            let isThere = one.lines.contains { $0.hasPrefix("\(word) ") || $0.contains(" \(word) ") }
            #expect(isThere, "no \(word) among them")
        }
    }

    @Test(.tags(.random), arguments: Seeds.seeds([1, 4_213_572_823]), [1, 7])
    func `a process restored from snapshots gives the same outcomes as one that goes on`(seed: UInt64, every: Int)
        throws
    {
        // Who asked for a change to all schedules is no part of a snapshot: it is another process that is asked.
        let one = try Transcript([String(seed), Self.count]).withoutAnswers
        one.expectSame(as: try Transcript([String(seed), Self.count, String(every)]).withoutAnswers)
    }

    @Test(.tags(.slow), arguments: Seeds.seeds([1]))
    func `another process replays a year's log to the same outcomes, from start or snapshots`(
        seed: UInt64
    ) throws {
        try replay(seed: seed, days: 365)
    }

    @Test func `another process replays a fortnight's log to the same outcomes`() throws {
        try replay(seed: 1, days: 14)
    }

    private func replay(seed: UInt64, days: Int) throws {
        let folder = TemporaryFolder()
        let file = folder.path + "/log"
        let recorded = try Transcript(["record", file, String(seed), String(days)])
        recorded.expectSame(as: try Transcript(["replay", file]))
        recorded.expectSame(as: try Transcript(["replay", file, "500"]))
        for word in ["fired", "complete", "notification", "scheduled", "milestone"] {
            #expect(recorded.lines.contains { $0.hasPrefix("event ") && $0.contains(" \(word) ") }, "no \(word)")
        }
    }
}
