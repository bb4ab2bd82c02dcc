// Timing at the edges that no vector names.
import TestSupport
import Testing
import Tween

@Suite struct TimingTests {
    @Test func `a steps easing keeps its last step after the last cycle`() throws {
        // Three cycles of this duration, divided by it, are an ulp less than three.
        let timing = Timing(
            duration: 2787.37114766586, iterations: 3, iterationStart: 0.5, easing: try .steps(6), fill: .both)
        #expect(timing.activeDuration / timing.duration < 3)
        for time in [timing.activeDuration, timing.endTime + 1, timing.endTime + 1e6] {
            #expect(timing.resolution(at: time).progress == 0.5)
        }
    }

    @Test func `an iteration start amid a cycle has the repeat delay between its parts`() {
        let timing = Timing(duration: 2, iterations: 1, iterationStart: 0.5, repeatDelay: 3)
        #expect(timing.activeDuration == 5 && timing.cycles.repeatDelay == 3)
        #expect([0.5, 2, 4.5].map { timing.resolution(at: $0).progress } == [0.75, 1, 0.25])
        let part = Timing(duration: 2, iterations: 0.5, iterationStart: 0.25, repeatDelay: 3)
        #expect(part.activeDuration == 1 && part.repeatDelay == 0)
    }

    @Test(arguments: UInt64(1)...20)
    func `during a repeat delay the value stays where the last cycle ended`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (duration, rest) = (random.double(0.1...3), random.double(0.1...2))
        let (iterations, start) = (random.double(0.1...5), random.chance(0.5) ? 0 : random.double(0...2))
        let direction = random.pick(Direction.allCases)
        func timing(_ repeatDelay: Double) -> Timing {
            Timing(
                duration: duration, delay: 0.5, iterations: iterations, iterationStart: start, direction: direction,
                repeatDelay: repeatDelay, easing: .easeIn)
        }
        let (resting, moving) = (timing(rest), timing(0))
        // Goes through the cycles one by one.
        var (place, time) = (start, 0.5)
        while place < start + iterations {
            let end = min(place.rounded(.down) + 1, start + iterations)
            for share in [0.001, 0.3, 0.9] {
                let passed = (end - place) * share
                let here = resting.resolution(at: time + passed * duration)
                let there = moving.resolution(at: 0.5 + (place - start + passed) * duration)
                #expect(abs((here.progress ?? -9) - (there.progress ?? 9)) < 1e-9)
                #expect(here.currentIteration == there.currentIteration)
            }
            time += (end - place) * duration
            let last = moving.resolution(at: 0.5 + (end - start) * duration - 1e-12).progress ?? -9
            if end < start + iterations {
                #expect(abs((resting.resolution(at: time + rest * 0.5).progress ?? 9) - last) < 1e-6)
                time += rest
            }
            place = end
        }
        #expect(abs(resting.endTime - time) < 1e-9)
    }
}
