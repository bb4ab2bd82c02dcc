// Room that many use: nobody holds more of it than is left free.

import Primitives
import Testing

@Suite struct FairShareTests {
    @Test func `one owner gets half, and another finds room`() {
        var share = FairShare(places: 100, bytes: 100)
        for _ in 0..<5 {
            #expect(share.admits(10, of: "a"))
            share.take(10, of: "a")
        }
        #expect(!share.admits(1, of: "a") && share.admits(50, of: "b") && !share.admits(51, of: "b"))
        for _ in 0..<5 { share.free(10, of: "a") }
        #expect(share.usedBytes == 0 && share.admits(10, of: "a"))
    }

    @Test func `whoever has no owner is held to what is left alone`() {
        var share = FairShare(places: 100, bytes: 100)
        share.take(70, of: nil)
        share.take(10, of: "a")
        #expect(share.admits(20, of: nil) && !share.admits(21, of: nil))
        #expect(share.admits(10, of: "a") && !share.admits(11, of: "a"))
        share.grow(by: 20, of: nil)
        #expect(!share.admits(1, of: nil) && share.admits(0, of: nil))
        share.free(90, of: nil)
        share.free(10, of: "a")
        #expect(share.usedBytes == 0 && share.usedPlaces == 0)
    }

    @Test func `no number of bytes is too large to be asked for`() {
        var share = FairShare(places: .max, bytes: 100)
        share.take(10, of: "a")
        #expect(!share.admits(.max, of: "a") && !share.admits(.max, of: nil))
    }
}
