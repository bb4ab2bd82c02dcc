// When memory of connections goes back to the system.

import Testing

@testable import HTTPTransport

@Suite struct ConnectionPeakTests {
    /// Passes through numbers of connections, and returns those at which memory was returned.
    private func returns(_ counts: [Int], of peak: inout ConnectionPeak) -> [Int] {
        counts.filter { count in
            peak.rise(to: count)
            return peak.hasPassed(at: count)
        }
    }

    @Test func `memory is returned once when most connections have ended`() {
        var peak = ConnectionPeak()
        // After 1,500 again only when most of the rest have ended.
        let returned = returns([10, 6_000, 1_501, 1_500, 1_000, 300, 300], of: &peak)
        #expect(returned == [1_500, 300])
        #expect(peak.isHigh)
        let last = returns([0, 0], of: &peak)
        #expect(last == [0])
        #expect(!peak.isHigh)
    }

    @Test func `a peak of only 255 connections returns no memory to the system`() {
        var peak = ConnectionPeak()
        let returned = returns([255, 0, 255, 0], of: &peak)
        #expect(returned.isEmpty)
        #expect(!peak.isHigh)
    }
}
