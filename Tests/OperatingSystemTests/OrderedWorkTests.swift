// Portions that several threads process: each is passed on once, in order.

import OperatingSystem
import Testing

@Suite struct OrderedWorkTests {
    @Test func `no portion is lost, whichever thread has the last one`() {
        for round in 0..<5_000 {
            let work = OrderedWork<Int, Int>(name: "double") { { $0 * 2 } }
            let portions = 0..<(round % 4)
            for portion in portions { work.add(portion) }
            var results: [Int] = []
            work.finish { results.append($0) }
            #expect(results == portions.map { $0 * 2 })
        }
    }
}
