// One line moves the number in a label.

import FoundationEssentials
import LabelMotion
import Labels
import Testing
import Tween

import struct Foundation.CGFloat
import func Foundation.sin

@Suite(.timeLimit(.minutes(15))) @MainActor struct TickerTests {
    private let clock = ManualClock()
    private let record = Record()

    @Test func `a completion closure without a parameter is called`() async {
        let (clock, label, record) = (ManualClock(), Label("13"), Record())
        let first = Ticker.animate(label, to: 250, on: clock) { record.note("first") }
        first?.animate(to: 300, duration: 1) { record.note("second") }
        Ticker.animate(from: "0", to: 1, duration: 1, on: clock) { _ in
        } completion: {
            record.note("text")
        }
        await clock.waitForSleepers(2)
        await clock.advance(by: 1)
        #expect(record.texts.sorted() == ["first", "second", "text"] && label.text == "300")
        Ticker.animate(nil as Label?, to: 1) { record.note("none") }
        #expect(record.texts.last == "none")
    }

    @Test func `a ticker's descriptor has its label's text, value, target and trend`() async {
        let label = Label("Temperature: 13F")
        let ticker = Ticker.animate(label, to: 250, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        let moving = ticker?.descriptor
        #expect(moving?.text == label.text && moving?.value == "132" && moving?.target == "250")
        #expect(moving?.percent == "50%" && moving?.trend == "rising" && moving?.accessible == "Temperature: 250F")
        await clock.advance(by: 1)
        let resting = ticker?.descriptor
        #expect(resting?.text == "Temperature: 250F" && resting?.target == nil && resting?.trend == "steady")
        let back = ticker?.animate(to: 0, options: [.autoreverse])
        await clock.waitForSleepers(1)
        await clock.advance(by: 3)
        #expect(back?.descriptor?.trend == "rising" && back?.descriptor?.text == label.text)
        back?.cancel()
        #expect(back?.descriptor?.text == label.text && back?.descriptor?.target == nil)
    }

    @Test func `a superseded ticker's descriptor keeps its last value`() async {
        let label = Label("0.00")
        let first = Ticker.animate(label, to: 10, duration: 1, options: [.decimals(2)], on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "5.00")
        Ticker.animate(label, to: 99, duration: 0, on: clock)
        #expect(first?.descriptor?.text == "5.00" && first?.descriptor?.value == "5.00")
    }

    @Test func `a progress label counts up to its percentage`() async throws {
        let (label, record) = (Label(""), record)
        let ticker = Ticker.animate(label, to: 75, options: [.progress(of: 100)], on: clock) { record.note("done") }
        await clock.waitForSleepers(1)
        #expect(label.text == "0%" && ticker?.descriptor == nil)
        await clock.advance(by: 1)
        #expect(label.text == "37%")
        await clock.advance(by: 1)
        #expect(label.text == "75%" && record.texts == ["done"])
        let template = try ProgressLabel(parsing: "{current} of {maximum}, {percent}%")
        let files = Ticker.Option.progress(of: 1_500, from: 75, template: template)
        Ticker.animate(label, to: 1_175, duration: 1, options: [files], on: clock)
        await clock.waitForSleepers(1)
        #expect(label.text == "75 of 1500, 5%")
        await clock.advance(by: 1)
        #expect(label.text == "1175 of 1500, 78%")
        for maximum in [-1, .nan, 1e300] {
            let refused = Ticker.animate(label, to: 1, options: [.progress(of: maximum)], on: clock) {
                record.conclude($0)
            }
            #expect(refused == nil && label.text == "1175 of 1500, 78%")
        }
        #expect(record.texts == ["done"] && record.conclusions == [false, false, false])
    }

    @Test func `a CGFloat can be a target and be animated`() async {
        let (clock, label) = (ManualClock(), Label("0"))
        Ticker.animate(label, to: 2.5 as CGFloat, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "1.2" || label.text == "1.3")
        await clock.advance(by: 0.5)
        #expect(label.text == "2.5")
        var lengths: [CGFloat] = []
        for await length in Animator(duration: 1).from(1 as CGFloat).to(3).framesPerSecond(2)
            .frames(on: ManualClock(skipsSleep: true))
        { lengths.append(length) }
        #expect(lengths == [1, 2, 3])
    }

    @Test func `animating a label moves its number and keeps the surrounding text`() async {
        let label = Label("Temperature: 13F")
        let ticker = Ticker.animate(label, to: 250, on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        #expect(label.text == "Temperature: 13F")
        await clock.advance(by: 1)
        #expect(label.text == "Temperature: 132F")
        await clock.advance(by: 2)
        #expect(label.text == "Temperature: 250F")
        #expect(ticker?.state == .over(.finished))
        #expect(record.conclusions == [true])
        #expect(Set(label.texts).count == label.texts.count)
    }

    @Test(arguments: [
        ("5", 7.25, "5.00", "7.25"), ("$1,234 left", -1_000_000, "$1,234 left", "-$1,000,000 left"),
        ("none", 3, "0", "3"), ("", 1.5, "0.0", "1.5"),
    ])
    func `every frame has the target's decimals, and grouping stays`(
        text: String, target: Double, first: String, last: String
    ) async {
        let label = Label(text)
        Ticker.animate(label, to: target, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        #expect(label.text == first)
        await clock.advance(by: 1)
        #expect(label.text == last)
    }

    @Test func `a second animation starts from the unrounded value and keeps the velocity`() async {
        let label = Label("0.000")
        Ticker.animate(label, to: 100, duration: 1, options: [.decimals(3)], on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "50.000")
        Ticker.animate(label, to: 0, duration: 1, easing: .ease, options: [.decimals(3)], on: clock)
        #expect(record.conclusions == [false])
        await clock.waitForSleepers(1)
        let shown = label.texts.count
        await clock.advance(by: 0.05)
        // It rises on at first: the velocity is handed over.
        let values = label.texts[(shown - 1)...].compactMap { Double($0) }
        #expect(values.first == 50)
        #expect(values.count > 2 && zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        await clock.advance(by: 1)
        #expect(label.text == "0.000")
    }

    @Test func `pause holds the value, resume continues and finish shows the target`() async {
        let label = Label("0")
        let ticker = Ticker.animate(label, to: 100, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        ticker?.pause()
        await clock.advance(by: 5)
        #expect(label.text == "50" && ticker?.state == .paused)
        ticker?.resume()
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.25)
        #expect(label.text == "75")
        ticker?.finish()
        #expect(label.text == "100" && ticker?.state == .over(.finished))
    }

    @Test func `a cancelled ticker stops at its value and completes as unfinished`() async {
        let label = Label("100")
        let ticker = Ticker.animate(label, to: 0, duration: 1, on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        ticker?.cancel()
        await clock.advance(by: 5)
        #expect(label.text == "50" && record.conclusions == [false] && ticker?.state == .over(.cancelled))
    }

    @Test func `setting the label's text ends its ticker as overwritten, deallocating it as label gone`() async {
        var label: Label? = Label("0")
        let ticker = label.flatMap { Ticker.animate($0, to: 100, on: clock) }
        await clock.waitForSleepers(1)
        label?.text = "mine"
        await clock.advance(by: 1)
        #expect(label?.text == "mine" && ticker?.state == .over(.overwritten))
        let other = label.flatMap { Ticker.animate($0, to: 5, on: clock) }
        await clock.waitForSleepers(1)
        label = nil
        await clock.advance(by: 1)
        #expect(other?.state == .over(.labelGone))
    }

    private nonisolated static let sums: [(Double, String)] = [
        (0.1 + 0.2, "0.3"), (1.1 + 2.2, "3.3"), (4.35 * 100, "435"), (0.7 + 0.1, "0.8"),
        (1.2345678901234568e-25, "0"), (-1e-300, "0"), (Double.leastNonzeroMagnitude, "0"), (sin(Double.pi), "0"),
        (1.5e-7, "0.00000015"), (123_456_789.123456, "123456789.123456"), (-0.005, "-0.005"),
        (9_007_199_254_740_992, "9007199254740992"), (1e22, "10000000000000000000000"),
        (1_000_000_000_000_000.5, "1000000000000001"), (2.0 / 3, "0.666666666666667"),
    ]

    @Test(arguments: sums)
    func `a double shows the digits that were meant, not what a calculation left`(target: Double, text: String) async {
        let label = Label("Total 100")
        #expect(await Ticker.animate(label, to: target, duration: 0, on: clock)?.outcome == .finished)
        #expect(label.text == "Total " + text)
    }

    @Test func `every number type can be a target, exact to its last digit`() {
        let targets: [(any TickerTarget, String)] = [
            (UInt64.max, "18446744073709551615"), (Int8(-3), "-3"), (Float(0.1), "0.1"),
            (Float(5), "5"), (Float(1e20), "100000000000000000000"), (5.0, "5"), (1.5e-7, "0.00000015"),
            (Float(1e-40), "0"), (Float(1e-30) + 0.25, "0.25"),
            (Decimal(1) / 30, "0.0" + String(repeating: "3", count: 37)),
            (Decimal(string: "12345678901234567890.12") ?? 0, "12345678901234567890.12"), (ExactDecimal(7), "7"),
        ]
        for (target, text) in targets { #expect(target.exact?.description == text) }
        #expect(Double.infinity.exact == nil && Double.nan.exact == nil)
    }

    @Test func `an animation that cannot start completes at once as unfinished`() {
        let label = Label("item 1 of 10")
        let none: Label? = nil
        #expect(Ticker.animate(label, to: Double.nan, on: clock) { record.conclude($0) } == nil)
        #expect(Ticker.animate(none, to: 5, on: clock) { record.conclude($0) } == nil)
        #expect(Ticker.animate(label, to: 5, options: [.number(at: 7)], on: clock) { record.conclude($0) } == nil)
        #expect(record.conclusions == [false, false, false] && label.texts.isEmpty)
    }

    @Test func `a ticker's outcome can be awaited several times`() async {
        let label = Label("0")
        let first = Ticker.animate(label, to: 100, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        async let (one, other) = (first?.outcome, first?.outcome)
        let second = Ticker.animate(label, to: 50, duration: 1, on: clock)
        #expect(await one == .superseded)
        #expect(await other == .superseded)
        await clock.advance(by: 1)
        #expect(await second?.outcome == .finished)
    }
}
