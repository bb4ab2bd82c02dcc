// A cache of two generations.

import Base
import Testing

@Suite struct GenerationCacheTests {
    @Test func `a value that is used outlives a full generation, and others are dropped with the next one`() {
        var cache = GenerationCache<String, Int>(capacity: 2)
        cache.insert(1, for: "used")
        #expect(cache.insert(2, for: "unused").isEmpty)
        // The first two are the older generation now.
        #expect(cache.look(up: "used").value == 1)
        #expect(cache.insert(3, for: "new") == ["used": 1, "unused": 2])
        #expect(cache.look(up: "used").value == 1)
        #expect(cache.look(up: "unused").value == nil)
        #expect(cache.look(up: "new").value == 3)
    }

    @Test func `a replaced value is the new one in either generation`() {
        var cache = GenerationCache<String, Int>(capacity: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        cache.insert(3, for: "a")
        #expect(cache.look(up: "a").value == 3)
        #expect(cache.look(up: "b").dropped == ["a": 1, "b": 2])
    }
}
