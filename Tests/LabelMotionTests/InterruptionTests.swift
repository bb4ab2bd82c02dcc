// What happens to a label's motion when it is interrupted: by another one, by its owner, by nobody being left.

import LabelMotion
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) @MainActor struct InterruptionTests {
    private let clock = ManualClock()
    private let record = Record()

    @Test func `a second animation starts from the shown value, even with another clock`() async {
        let label = Label("0.000")
        Ticker.animate(label, to: 100, duration: 1, options: [.decimals(3)], on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "50.000")
        // As with the default, which is a new clock for each call.
        Ticker.animate(label, to: 200, duration: 1, options: [.decimals(3)], on: ManualClock())
        await clock.advance(by: 0.5)
        #expect(label.values.allSatisfy { $0 > 0 })
        #expect(zip(label.values, label.values.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 < 4 })
    }

    @Test func `two retargets between two frames start from the shown value`() async {
        let label = Label("0")
        Ticker.animate(label, to: 100, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        Ticker.animate(label, to: 1_000, duration: 1, on: clock) { record.conclude($0) }
        Ticker.animate(label, to: 60, duration: 1, on: clock)
        #expect(record.conclusions == [false])
        await clock.advance(by: 0.1)
        #expect(label.values.allSatisfy { $0 < 61 })
        #expect(label.values.suffix(6).allSatisfy { $0 >= 50 })
        await clock.advance(by: 1)
        #expect(label.text == "60")
    }

    @Test func `a retarget between frames keeps the velocity`() async {
        let label = Label("0")
        Ticker.animate(label, to: 1_000, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        Ticker.animate(label, to: 0, duration: 1, easing: .cssEaseInOut, on: clock)
        await clock.advance(by: 0.05)
        // Rising as fast as before, some 17 a frame, then slower.
        let steps = zip(label.values.suffix(4), label.values.suffix(3)).map { $1 - $0 }
        #expect(steps.allSatisfy { (9...17).contains($0) })
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func `animating to the same target again keeps the running motion`() async {
        let label = Label("0")
        let first = Ticker.animate(label, to: 100, duration: 1, on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        for _ in 0..<9 {
            await clock.advance(by: 0.1)
            #expect(Ticker.animate(label, to: 100, duration: 1, on: clock) === first)
        }
        Ticker.animate(label, to: 100, duration: 1, on: clock) { record.conclude($0) }
        await clock.advance(by: 0.1)
        #expect(label.text == "100")
        #expect(record.conclusions == [true, true])
    }

    @Test func `a thousand animations of one label leave no earlier ticker alive`() async {
        let label = Label("0")
        weak var early: Ticker?
        for target in 1...1_000 {
            let ticker = Ticker.animate(label, to: target, on: clock)
            if target == 500 { early = ticker }
        }
        await clock.waitForSleepers(1)
        #expect(early == nil)
        await clock.advance(by: 2)
        #expect(label.text == "1000")
    }

    @Test func `a paused ticker keeps its value, and repeated pause and resume are harmless`() async {
        let label = Label("0.00")
        let ticker = Ticker.animate(label, to: 100, duration: 1, options: [.decimals(2)], on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.501)
        let shown = label.text
        ticker?.pause()
        ticker?.pause()
        await clock.advance(by: 60)
        #expect(label.text == shown && ticker?.state == .paused)
        ticker?.resume()
        await clock.waitForSleepers(1)
        #expect(label.text == shown)
        ticker?.pause()
        ticker?.resume()
        await clock.advance(by: 0.1)
        #expect(label.text != shown && ticker?.state == .running)
        ticker?.pause()
        ticker?.cancel()
        ticker?.resume()
        #expect(ticker?.state == .over(.cancelled))
    }

    @Test func `a new target resumes a paused label's motion`() async {
        let label = Label("0")
        let held = Ticker.animate(label, to: 100, duration: 1, on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        held?.pause()
        await clock.advance(by: 9)
        Ticker.animate(label, to: 60, duration: 1, on: clock) { record.conclude($0) }
        #expect(held?.state == .over(.superseded))
        await clock.waitForSleepers(1)
        #expect(label.text == "50")
        await clock.advance(by: 0.5)
        #expect(label.text == "55")
        await clock.advance(by: 0.5)
        #expect(label.text == "60")
        #expect(record.conclusions == [false, true])
    }

    @Test func `a superseded ticker's cancel, pause and finish have no effect`() async {
        let label = Label("0")
        let first = Ticker.animate(label, to: 100, duration: 1, on: clock)
        let second = Ticker.animate(label, to: 10, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        first?.cancel()
        first?.pause()
        first?.finish()
        await clock.advance(by: 1)
        #expect(label.text == "10" && second?.state == .over(.finished) && first?.state == .over(.superseded))
    }

    @Test func `a completion may start the next motion on the same label`() async {
        let label = Label("0 points")
        Ticker.animate(label, to: 10, duration: 1, on: clock) { [clock, record] finished in
            record.conclude(finished)
            Ticker.animate(label, to: 0, duration: 1, on: clock) { record.conclude($0) }
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(label.text == "10 points")
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(label.text == "0 points" && record.conclusions == [true, true])
    }

    @Test func `a label that changes the case of its text does not count as overwritten`() async {
        let label = Shouting("0 items")
        Ticker.animate(label, to: 10, duration: 1, on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(label.text == "10 ITEMS" && record.conclusions == [true])
    }
}
