// How descriptors are shared out.

import HTTPTransport
import Testing

@Suite struct DescriptorSharesTests {
    @Test func `with enough, everybody gets what is wanted`() {
        let shares = DescriptorShares(limit: 24_000, streams: 15_000, connections: 8_192)
        #expect(!shares.isLowered)
        #expect(shares.streams == 15_000)
        #expect(shares.connections == 8_192)
    }

    @Test(arguments: [0, 1, 100, 192, 193, 194, 256, 1_024, 4_096, 20_000, 23_383], [1, 100, 15_000, .max])
    func `with less, both get some, together no more than there is`(limit: Int, streams: Int) {
        let shares = DescriptorShares(limit: limit, streams: streams, connections: 8_192)
        #expect(shares.streams >= 1)
        #expect(shares.connections >= 1)
        let available = max(2, limit - DescriptorShares.reserve)
        #expect(shares.streams + shares.connections <= available || !shares.isLowered)
        #expect(shares.streams <= streams && shares.connections <= 8_192)
        // Nothing is left over that somebody wants.
        #expect(!shares.isLowered || shares.streams + shares.connections == available)
    }

    @Test func `the usual limit of a shell`() {
        let shares = DescriptorShares(limit: 1_024, streams: 15_000, connections: 8_192)
        #expect(shares.isLowered)
        #expect(shares.streams == 624)
        #expect(shares.connections == 208)
    }

    @Test func `a limit is raised as far as it may be`() {
        let limit = DescriptorShares.raiseLimit()
        #expect(limit > 0)
        #expect(DescriptorShares.raiseLimit() == limit)
    }
}
