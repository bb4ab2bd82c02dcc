// Time moved by hand: whoever it wakes gets to its next frame before time goes on.

import Testing

@testable import Tween

@Suite(.timeLimit(.minutes(15))) struct ManualClockTests {
    private let clock = ManualClock()
    private let record = Record<Double>()

    @Test(arguments: 0..<20)
    func `advancing a manual clock delivers every frame to a loop over frames`(run: Int) async {
        let (clock, record) = (clock, record)
        let task = Task {
            for await value in Animator(duration: 1).from(0).to(1).frames(on: clock) { record.note(value) }
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        await task.value
        #expect(record.values.count == 61)
    }

    @Test func `a manual clock does not wait for a loop that was left`() async {
        let (clock, record) = (clock, record)
        let task = Task {
            for await value in Animator(duration: 1).from(0).to(1).framesPerSecond(4).frames(on: clock) {
                record.note(value)
                if value == 0.5 { break }
            }
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 10)
        await task.value
        #expect(record.values == [0, 0.25, 0.5])
    }

    @Test func `animations and other sleepers wake in the order of their deadlines`() async throws {
        let (clock, record) = (clock, record)
        let running = Animator(duration: 1).from(0).to(1).framesPerSecond(2).onFrame { record.note($0) }
            .animate(on: clock)
        let other = Task { try await clock.sleep(until: Instant(nanoseconds: 750_000_000)) }
        await clock.waitForSleepers(2)
        await clock.advance(by: 0.8)
        try await other.value
        #expect(record.values == [0, 0.5])
        await clock.advance(to: Instant(nanoseconds: 500_000_000))
        #expect(clock.now == Instant(nanoseconds: 800_000_000))
        await clock.advance(by: 1)
        #expect(await running.outcome == .finished)
    }

    @Test func `a cancelled sleep on a manual clock throws CancellationError`() async {
        let clock = clock
        let task = Task { try await clock.sleep(until: Instant(nanoseconds: 1)) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
