import Testing

@testable import Replication

/// How far a reader may be ahead of who carries entries out.
@Suite struct ReadAheadTests {
    @Test func `reading ahead stops at its limit and resumes when entries are applied`() {
        var ahead = ReadAhead()
        let half = ReadAhead.maximumBytes / 2
        for sequence: UInt64 in 1...2 {
            #expect(!ahead.isFull)
            ahead.record(sequence, bytes: half)
        }
        #expect(ahead.isFull)
        ahead.forget(upTo: 0)
        #expect(ahead.isFull)
        ahead.forget(upTo: 1)
        #expect(!ahead.isFull)
    }

    @Test func `entries without bytes count towards the read-ahead limit`() {
        var ahead = ReadAhead()
        for sequence in 1...UInt64(ReadAhead.maximumBytes / 256) { ahead.record(sequence, bytes: 0) }
        #expect(ahead.isFull)
        ahead.forget(upTo: .max)
        #expect(!ahead.isFull)
    }
}
