// How descriptors are shared out.

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct DescriptorSharesTests {
    @Test func `with enough descriptors, streams and connections get all that is configured`() {
        let shares = DescriptorShares(limit: 24_000, streams: 15_000, connections: 8_192)
        #expect(!shares.isLowered)
        #expect(shares.streams == 15_000)
        #expect(shares.connections == 8_192)
    }

    @Test(arguments: [0, 1, 100, 192, 193, 194, 256, 1_024, 4_096, 20_000, 23_383], [1, 100, 15_000, .max])
    func `with too few descriptors, streams and connections share what there is`(limit: Int, streams: Int) {
        let shares = DescriptorShares(limit: limit, streams: streams, connections: 8_192)
        #expect(shares.streams >= 1)
        #expect(shares.connections >= 1)
        #expect(shares.streams + shares.connections <= max(2, limit - 48) || !shares.isLowered)
        #expect(shares.streams <= streams && shares.connections <= 8_192)
        // Nothing is left over that somebody wants, and nothing is given twice.
        for open in [0, 1, shares.streams / 2, shares.streams] {
            let connections = shares.connections(beside: open)
            #expect(connections >= shares.connections && connections <= 8_192)
            #expect(
                !shares.isLowered || connections == 8_192 || connections + open == shares.streams + shares.connections)
        }
    }

    @Test func `a descriptor limit of 1024 gives 624 streams and 208 connections`() {
        let shares = DescriptorShares(limit: 1_024, streams: 15_000, connections: 8_192)
        #expect(shares.isLowered)
        #expect(shares.streams == 624)
        #expect(shares.connections == 208)
    }

    @Test(arguments: [(64, 16), (128, 80), (256, 192), (512, 384), (1_024, 832), (4_096, 3_904)])
    func `with no streams open, connections may use all descriptors that aren't reserved`(limit: Int, connections: Int)
    {
        let shares = DescriptorShares(limit: limit, streams: 15_000, connections: 8_192)
        #expect(shares.isLowered && shares.needed == 23_384)
        #expect(shares.connections(beside: 0) == connections)
        #expect(shares.connections(beside: shares.streams) == shares.connections)
        #expect(shares.connections(beside: .max) == shares.connections)
    }

    @Test func `raising the descriptor limit a second time changes nothing`() {
        let limit = DescriptorShares.raiseLimit()
        #expect(limit > 0)
        #expect(DescriptorShares.raiseLimit() == limit)
    }

    @Test(arguments: [(3_000, 2_000), (800, 20_000)])
    func `the kernel's descriptor table is reserved for all that may be open`(limit: Int, streams: Int) throws {
        _ = DescriptorShares.raiseLimit()
        DescriptorShares(limit: limit, streams: streams, connections: 500).reserveTable()
        #expect(try descriptorTable(of: getpid()) >= min(limit, streams + 692))
    }
}
