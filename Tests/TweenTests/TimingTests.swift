// Timing at the edges that no vector names.
import Testing
import Tween

@Suite struct TimingTests {
    @Test func `after its last cycle a staircase stays on its tread`() throws {
        // Three cycles of this duration, divided by it, are an ulp less than three.
        let timing = Timing(
            duration: 2787.37114766586, iterations: 3, iterationStart: 0.5, easing: try .steps(6), fill: .both)
        #expect(timing.activeDuration / timing.duration < 3)
        for time in [timing.activeDuration, timing.endTime + 1, timing.endTime + 1e6] {
            #expect(timing.resolution(at: time).progress == 0.5)
        }
    }
}
