// The examples do what their articles say.

import Examples
import LabelMotion
import Labels
import Synchronization
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) struct ExamplesTests {
    @MainActor @Test func `the counting label ends on its target`() async {
        let (clock, line) = (ManualClock(), Line("Temperature: 13F"))
        warmUp(line, on: clock) { #expect($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(line.text == "Temperature: 216F")
        await clock.advance(by: 1)
        #expect(line.text == "Temperature: 250F")
    }

    @MainActor @Test func `the one-line example counts to its target`() {
        let line = Line("13 visitors")
        let ticker = count(line)
        #expect(ticker?.state == .running && line.text == "13 visitors")
        ticker?.finish()
        #expect(ticker?.state == .over(.finished) && line.text == "250 visitors")
    }

    @MainActor @Test func `the items are counted one by one`() async {
        let clock = ManualClock()
        let shown = Shown()
        countItems(on: clock) { number, text in
            #expect(number.rounded() == Double(text.prefix { $0 != " " }))
            if text != shown.texts.last { shown.texts.append(text) }
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(shown.texts == (0...12).map { "\($0) items" })
    }

    @MainActor @Test func `the progress example ends at its percentage`() async {
        let (clock, line, shown) = (ManualClock(), Line(""), Shown())
        load(line, on: clock) { shown.texts.append(line.text) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 2)
        #expect(shown.texts == ["75%"])
    }

    @MainActor @Test func `the bar example fills the bar with its label`() async {
        let (clock, shown) = (ManualClock(), Shown())
        fill(on: clock) { shown.texts.append("\(($0 * 8).rounded()): \($1)") }
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(shown.texts.first == "0.0: 0%" && shown.texts.last == "4.0: 43%")
        await clock.advance(by: 1)
        #expect(shown.texts.last == "7.0: 87%")
    }

    @MainActor @Test func `the money example uses its locale's format`() async throws {
        let (clock, line) = (ManualClock(), Line("..."))
        let ticker = try earn(1_234.5, on: line, clock: clock)
        await clock.waitForSleepers(1)
        #expect(line.text == "Balance: 0,00\u{A0}\u{20AC}")
        await clock.advance(by: 5)
        #expect(line.text == "Balance: 1.234,50\u{A0}\u{20AC}")
        #expect(ticker?.state == .over(.finished))
    }

    @MainActor @Test func `the German label example keeps its German format`() async throws {
        let (clock, line) = (ManualClock(), Line("Konto: 1.234,50 Punkte"))
        let ticker = try save(20_000, on: line, clock: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 5)
        #expect(await ticker?.outcome == .finished)
        #expect(line.text == "Konto: 20.000,00 Punkte")
    }

    @Test func `the pulse example returns to its start`() async {
        let (clock, record) = (ManualClock(skipsSleep: true), Record())
        let running = pulse(on: clock, show: { record.note($0) }, done: { record.note($0 ? -1 : -2) })
        #expect(await running.outcome == .finished)
        #expect(record.values.max() == 40 && record.values.suffix(2) == [0, -1])
    }

    @Test func `the pin example animates place and colour together`() async {
        let start = Pin(place: [0, 0], color: [1, 0, 0, 1])
        let end = Pin(place: [300, 40], color: [0, 0, 1, 0.5])
        var frames: [Pin] = []
        await move(start, to: end, on: ManualClock(skipsSleep: true)) { frames.append($0) }
        #expect(frames.first?.place == start.place && frames.first?.color == start.color)
        #expect(frames.last?.place == end.place && frames.last?.color == end.color)
        #expect(frames.count == 31 && frames[15].place == [150, 20] && frames[15].color == [0.5, 0, 0.5, 0.75])
    }

    @Test func `the chase example arrives at its last target`() async throws {
        let (clock, record) = (ManualClock(), Record())
        let chase = try Chase(from: [0, 0], to: [100, 0], on: clock) { record.note(Int($0.x)) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.1)
        chase.move(to: [-50, 80])
        await clock.advance(by: 5)
        #expect(await chase.arrival())
        let turn = try #require(record.values.max())
        #expect(turn > 30 && turn < 100 && record.values.last == -50)
    }

    @Test func `the dial example is retargeted without a jump in angle or speed`() throws {
        let start = Instant(nanoseconds: 0)
        var dial = try Dial(at: 0, now: start)
        dial.turn(to: 90, at: start)
        let now = start.advanced(bySeconds: 0.1)
        let before = (angle: dial.angle(at: now), speed: dial.speed(at: now))
        dial.turn(to: -45, at: now)
        #expect(before.angle > 10 && before.speed > 100)
        #expect(dial.angle(at: now) == before.angle)
        #expect(abs(dial.speed(at: now) - before.speed) < 1e-6)
        #expect(!dial.isAtRest(at: now) && dial.isAtRest(at: start.advanced(bySeconds: 5)))
        #expect(dial.angle(at: start.advanced(bySeconds: 5)) == -45)
    }

    @Test func `the motion example on Tween's documentation page gives its stated values`() {
        let start = Instant(nanoseconds: 0)
        var motion = Motion(
            from: 13, to: 250, course: .timed(Timing(duration: 2, easing: .easeOut)), startingAt: start)
        #expect(abs(motion.value(at: start.advanced(bySeconds: 1)) - 215.97) < 0.001)
        #expect(motion.end == start.advanced(bySeconds: 2))

        // A new target on the way: value and velocity go on without a break.
        let now = start.advanced(bySeconds: 0.5)
        motion = motion.retargeted(to: 300, course: motion.course, at: now, overshoot: .allow)
        #expect(abs(motion.value(at: now) - 144.0942) < 1e-3 && abs(motion.velocity(at: now) - 197.7) < 0.1)
    }

    @Test func `the live counter example rises steadily through jittered updates`() {
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

    @Test func `the format examples give their stated texts`() throws {
        #expect(try price(1234.5) == "1.234,50\u{A0}\u{20AC} per month")
        let amount = try #require(ExactDecimal(parsing: "-2500.75"))
        #expect(try balance("Balance: 1.234,50 €", amount) == "Balance: -2.500,75 €")
        #expect(try money(1234.5) == "1.234,50\u{A0}\u{20AC}")
        #expect(try launch(in: 7_500) == "noch 2 Stunden, 5 Minuten")
        #expect(try files(29, of: 100) == "29 of 100 files, 29%")
        #expect(try files(199, of: 200) == "199 of 200 files, 99%")
    }
}

@MainActor private final class Shown {
    var texts: [String] = []
}

/// What a closure was told, from whatever task.
private final class Record: Sendable {
    private let state = Mutex<[Int]>([])

    var values: [Int] { state.withLock { $0 } }

    func note(_ value: Int) { state.withLock { $0.append(value) } }
}
