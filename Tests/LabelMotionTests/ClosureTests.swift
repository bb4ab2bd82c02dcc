// Motions without a label, and every form of the calls that start one.

import LabelMotion
import Labels
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) @MainActor struct ClosureTests {
    private let clock = ManualClock()
    private let record = Record()

    @Test func `a closure receives each frame's number and text, from one exact end to the other`() async {
        var frames: [Ticker.Frame] = []
        Ticker.animate(
            from: "0 items", to: 3, duration: .seconds(1), options: [.framesPerSecond(4), .delay(9)], on: clock
        ) { number, text in
            frames.append((number, text))
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 10)
        #expect(frames.map(\.number) == [0, 0.75, 1.5, 2.25, 3])
        #expect(frames.map(\.text) == ["0 items", "1 items", "2 items", "2 items", "3 items"])
    }

    @Test func `a progress passes its amount with its text to a closure`() async throws {
        let template = try ProgressLabel(parsing: "{value} of {maximum}")
        let files = Ticker.Option.progress(of: 8, from: 2, template: template)
        Ticker.animate(to: 6, duration: .seconds(1), options: [files, .framesPerSecond(4)], on: clock) {
            record.note("\($0.number): \($0.text)")
        } completion: {
            record.conclude($0)
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(
            record.texts == ["2.0: 2 of 8", "3.0: 3 of 8", "4.0: 4 of 8", "5.0: 5 of 8", "6.0: 6 of 8"])
        #expect(record.conclusions == [true])
    }

    @Test func `a ticker's new target stays a progress, unless it has a label of its own`() async {
        let label = Label("")
        let first = Ticker.animate(label, to: 75, duration: .seconds(1), options: [.progress(of: 150)], on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "25%")
        let second = first?.animate(to: 120, duration: .seconds(1))
        await clock.advance(by: 1)
        #expect(label.text == "80%" && first?.descriptor == nil && second?.descriptor == nil)
        let third = Ticker.animate(label, to: 30, options: [.progress(of: 150)], on: clock)
        let files = Ticker.Option.label(TickerLabel(prefix: "Files: ", suffix: ""))
        #expect(await third?.animate(to: 9, duration: 0, options: [files])?.outcome == .finished)
        #expect(label.text == "Files: 9")
    }

    /// Every form of a call, by what it shows and who is told that it is over.
    @Test func `a duration or seconds start a motion, and a completion takes the outcome or nothing`() async {
        let labels = (0..<5).map { _ in Label("0") }
        let note = { @MainActor [record] in record.note("over") }
        Ticker.animate(labels[0], to: 1, duration: .milliseconds(500), options: [.delay(.milliseconds(500))], on: clock)
        {
            record.conclude($0)
        }
        Ticker.animate(labels[1], to: 1, duration: 0.5, options: [.delay(0.5)], on: clock) { record.conclude($0) }
        Ticker.animate(labels[2], to: 1, duration: .seconds(1), on: clock, completion: note)
        Ticker.animate(labels[3], to: 1, duration: 1, on: clock, completion: note)
        let ticker = Ticker.animate(labels[4], to: 9, on: clock)
        ticker?.animate(to: 8, duration: .seconds(1)) { record.conclude($0) }
        ticker?.animate(to: 7, duration: 1, completion: note)
        ticker?.animate(to: 6, duration: 1) { record.conclude($0) }
        ticker?.animate(to: 1, duration: .seconds(1), completion: note)
        Ticker.animate(from: "0", to: 1, duration: .seconds(1), on: clock) {
            record.note($0.text)
        } completion: {
            record.conclude($0)
        }
        Ticker.animate(from: "0", to: 1, duration: 1, on: clock) {
            record.note($0.text)
        } completion: {
            record.conclude($0)
        }
        Ticker.animate(from: "0", to: 1, duration: .seconds(1), on: clock, show: { _, _ in }, completion: note)
        Ticker.animate(from: "0", to: 1, duration: 1, on: clock) { _ in
        } completion: {
            note()
        }
        await clock.waitForSleepers(9)
        await clock.advance(by: 1)
        #expect(labels.map(\.text) == ["1", "1", "1", "1", "1"])
        // Two targets of the last label gave way to others.
        #expect(record.texts.filter { $0 == "over" }.count == 6 && record.texts.filter { $0 == "1" }.count == 2 * 31)
        #expect(record.conclusions.filter { $0 }.count == 4 && record.conclusions.count == 6)
    }

    @Test func `an option's times are durations or seconds`() {
        #expect(Ticker.Option.delay(.milliseconds(1_500)) == .delay(1.5))
        #expect(Ticker.Option.endDelay(.seconds(2)) == .endDelay(2))
        #expect(Ticker.Option.repeating(2, repeatDelay: .milliseconds(250)) == .repeating(2, repeatDelay: 0.25))
        #expect(Ticker.Option.repeating(2, autoreverse: true) == .repeating(2, autoreverse: true, repeatDelay: 0))
    }
}
