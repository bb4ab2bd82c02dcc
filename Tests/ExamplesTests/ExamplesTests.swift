// The examples do what their articles say.

import Examples
import Testing
import Tween

@Suite(.timeLimit(.minutes(1))) struct ExamplesTests {
    @MainActor @Test func `the counting label ends on its target`() async {
        let (clock, line) = (ManualClock(), Line("Temperature: 13F"))
        let done = await withCheckedContinuation { (next: CheckedContinuation<Bool, Never>) in
            warmUp(line, on: clock) { next.resume(returning: $0) }
            Task {
                await clock.untilAsleep(1)
                await clock.advance(by: 1)
                #expect(line.text == "Temperature: 216F")
                await clock.advance(by: 1)
            }
        }
        #expect(done)
        #expect(line.text == "Temperature: 250F")
    }

    @Test func `the live counter rises steadily through updates that don't come steadily`() {
        let start = Instant(nanoseconds: 0)
        var counter = LiveCounter(0, at: start)
        var last = 0.0
        var updates = 0
        for step in 0..<6_000 {
            let now = start.advanced(bySeconds: Double(step) / 100)
            // A steady ten a second, told of every half second or so.
            if step >= updates * 50 + (updates * 37) % 20 {
                counter.update(to: Double(step) / 10, at: now)
                updates += 1
            }
            let value = counter.value(at: now)
            #expect(value >= last)
            if step > 1_000 { #expect(value > last, "it stands still at \(step)") }
            last = value
        }
        #expect(last > 580)
    }

    @Test func `formats are those of the locale, and percentages exact`() throws {
        #expect(try price(1234.5) == "1.234,50\u{A0}\u{20AC} per month")
        #expect(try files(29, of: 100) == "29 of 100 files, 29%")
        #expect(try files(199, of: 200) == "199 of 200 files, 99%")
    }
}
