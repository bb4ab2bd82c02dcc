// What has a frame to come: each once, in order.

import Board
import Testing

@testable import Publishing

@Suite struct DueFramesTests {
    private static func taken(_ frames: inout DueFrames, most: Int = .max) -> [DueFrames.Place] {
        var places: [DueFrames.Place] = []
        while places.count < most, let place = frames.next() { places.append(place) }
        return places
    }

    @Test func `a resource that changes repeatedly before a tick is due once`() {
        var frames = DueFrames()
        for round in 0..<1_000 {
            frames.add(.track(7))
            frames.add(.schedule(round % 2))
        }
        let places = Self.taken(&frames)
        #expect(places == [.track(7), .schedule(0), .schedule(1)])
        #expect(frames.isEmpty)
    }

    @Test func `resources left over from a tick come before those added later`() {
        var frames = DueFrames()
        for slot in 0..<10 { frames.add(.track(slot)) }
        let first = Self.taken(&frames, most: 4)
        let queued = [DueFrames.Place.track(3), .track(4), .track(10), .schedule(4)].map { frames.contains($0) }
        #expect(queued == [false, true, false, false])
        frames.add(.track(2))
        frames.add(.track(8))
        let rest = Self.taken(&frames)
        #expect(first == (0..<4).map { .track($0) })
        #expect(rest == (4..<10).map { .track($0) } + [.track(2)])
    }

    @Test func `a backlog that never empties is bounded by the number of resources`() {
        var frames = DueFrames()
        for slot in 0..<100 { frames.add(.track(slot)) }
        for round in 0..<10_000 {
            frames.add(.schedule(round % 50))
            _ = frames.next()
            frames.add(.track(round % 100))
        }
        #expect(frames.places.count <= 300)
    }
}
