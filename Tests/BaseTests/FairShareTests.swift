// Room that many use: nobody holds more than is left free, and what is given back is there again.

import Base
import Testing

@Suite struct FairShareTests {
    /// Takes places until no more are admitted.
    private func fill(_ share: inout FairShare, by owner: String?) -> Int {
        var taken = 0
        while share.admits(of: owner) {
            share.reserve(of: owner)
            taken += 1
        }
        return taken
    }

    @Test func `one owner gets half, the next half of the rest, and unowned use the remainder`() {
        var share = FairShare(places: 64)
        #expect(fill(&share, by: "a") == 32)
        #expect(fill(&share, by: "b") == 16)
        #expect(fill(&share, by: nil) == 16)
        #expect(share.usedPlaces == 64 && !share.admits(of: "c"))
    }

    @Test func `freed places are available again to their owner and others`() {
        var share = FairShare(places: 64)
        for _ in 0..<3 {
            for owner in ["a", nil] {
                let taken = fill(&share, by: owner)
                #expect(taken == (owner == nil ? 64 : 32))
                for _ in 0..<taken { share.free(of: owner) }
                #expect(share.usedPlaces == 0)
            }
        }
    }

    @Test func `bytes are shared out as places are`() {
        var share = FairShare(places: 10, bytes: 100)
        #expect(share.admits(50, of: "a"))
        share.reserve(50, of: "a")
        #expect(!share.admits(1, of: "a") && share.admits(50, of: "b") && !share.admits(51, of: nil))
        share.grow(by: -20, of: "a")
        #expect(share.admits(20, of: "a") && share.usedBytes == 30)
        share.free(30, of: "a")
        #expect(share.usedBytes == 0 && share.usedPlaces == 0 && share.admits(100, of: "a"))
    }

    @Test func `an owner's own limit applies even if more is free`() {
        var share = FairShare(places: .max, bytes: 100, perOwner: 20)
        #expect(share.admits(20, of: "a") && !share.admits(21, of: "a") && share.admits(100, of: nil))
        share.reserve(15, of: "a")
        #expect(share.admits(5, of: "a") && !share.admits(6, of: "a") && share.admits(20, of: "b"))
        // What can't be refused may go beyond it.
        share.reserve(15, of: "a")
        #expect(!share.admits(1, of: "a"))
        share.free(15, of: "a")
        #expect(share.admits(5, of: "a"))
    }

    @Test func `asking for the largest number of bytes is refused without overflow`() {
        var share = FairShare(places: .max, bytes: 100)
        share.reserve(10, of: "a")
        #expect(!share.admits(.max, of: "a") && !share.admits(.max, of: nil))
    }
}
