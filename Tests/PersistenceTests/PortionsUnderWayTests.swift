// What is counted of portions that the store has not answered.

import Base
import Board
import Testing

@testable import Persistence

@Suite struct PortionsUnderWayTests {
    private static func names(_ range: Range<Int>) -> [ResourceName] { range.map { ResourceName(.ticker, "t\($0)") } }

    @Test func `a resource counts once, however many portions change it`() {
        var portions = PortionsInFlight()
        for _ in 1..<PortionsInFlight.maximumCount { portions.begin(Self.names(0..<200)) }
        #expect(!portions.isFull)
        portions.begin(Self.names(200..<PortionsInFlight.fullRecords))
        #expect(portions.isFull)
        // Gone is what no portion changes any more.
        for _ in 2..<PortionsInFlight.maximumCount {
            portions.endOldest()
            #expect(portions.isFull)
        }
        portions.endOldest()
        #expect(!portions.isFull)
    }

    @Test func `portions in flight are limited even if they change nothing`() {
        var portions = PortionsInFlight()
        for _ in 0..<PortionsInFlight.maximumCount {
            #expect(!portions.isFull)
            portions.begin([])
        }
        #expect(portions.isFull)
        portions.endOldest()
        #expect(!portions.isFull)
    }

    @Test func `ending a portion when none is in flight changes nothing`() {
        var portions = PortionsInFlight()
        portions.endOldest()
        portions.begin(Self.names(0..<PortionsInFlight.fullRecords))
        #expect(portions.isFull)
    }
}
