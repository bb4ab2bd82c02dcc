// Each option has its effect, and the first of a kind counts.

import LabelMotion
import Labels
import Locales
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) @MainActor struct OptionTests {
    private let clock = ManualClock()
    private let record = Record()

    /// The texts of a second on a label, one every quarter.
    private func texts(of text: String, to target: some TickerTarget, _ options: [Ticker.Option]) async -> [String] {
        let label = Label(text)
        Ticker.animate(label, to: target, duration: 1, options: [.framesPerSecond(4)] + options, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        return label.texts
    }

    @Test(
        arguments: [
            ([.decimals(1)], ["0.0", "0.5", "1.0", "1.5", "2.0"]), ([.decimals(-3)], ["1", "2"]),
            ([.decimals(1), .decimals(3)], ["0.0", "0.5", "1.0", "1.5", "2.0"]), ([.delay(0.5)], ["1"]),
            ([.delay(-9)], ["1", "2"]), ([.delay(.nan)], ["1", "2"]), ([.framesPerSecond(60)], ["1", "2"]),
            ([], ["1", "2"]),
        ] as [([Ticker.Option], [String])])
    func `each ticker option applies, and the first of a kind wins`(options: [Ticker.Option], expected: [String]) async
    {
        #expect(await texts(of: "0", to: 2, options) == expected)
    }

    @Test func `a spring completes when it is at rest, not when its text stops changing`() async throws {
        let label = Label("0")
        let spring = try Spring(dampingRatio: 1, response: 0.5)
        Ticker.animate(label, to: 100, duration: 60, options: [.spring(spring)], on: clock) { record.conclude($0) }
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.1)
        #expect(label.text == "36")
        await clock.advance(by: 0.6)
        // The text is the last from 0.59 s on, a thousandth of the way is left at 0.735 s.
        #expect(label.text == "100" && record.conclusions.isEmpty)
        await clock.advance(by: 0.3)
        #expect(label.text == "100" && record.conclusions == [true])
    }

    @Test(
        arguments: [
            ([.repeating(1)], ["1", "0", "1", "2"]),
            ([.repeating(0, autoreverse: true)], ["1", "2", "1", "0"]),
            ([.repeating(0.5, autoreverse: true)], ["1", "2", "1", "0", "1", "2"]),
            ([.repeating(1, autoreverse: true)], ["1", "2", "1", "0", "1", "2", "1", "0"]),
            ([.repeating(1, repeatDelay: 1)], ["1", "2", "0", "1", "2"]),
            ([.repeating(-1)], ["1", "2"]), ([.repeating(.nan)], ["1", "2"]), ([.endDelay(2)], ["1", "2"]),
            ([.repeating(1), .repeating(7)], ["1", "0", "1", "2"]),
            ([.autoreverse], ["1", "2", "1", "0"]),
            ([.autoreverse, .repeating(1)], ["1", "2", "1", "0", "1", "2", "1", "0"]),
        ] as [([Ticker.Option], [String])])
    func `a repeated motion returns with autoreverse and starts over without`(
        options: [Ticker.Option], expected: [String]
    ) async {
        let label = Label("0")
        Ticker.animate(label, to: 2, duration: 1, options: [.framesPerSecond(2)] + options, on: clock) {
            record.conclude($0)
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 5)
        #expect(label.texts == expected && record.conclusions == [true])
    }

    @Test func `a motion with autoreverse ends on the label's original number, to the last digit`() async throws {
        let label = Label("Atoms: 12345678901234567890")
        let there = try Spring(dampingRatio: 1, response: 0.2)
        Ticker.animate(
            label, to: 5, options: [.spring(there), .repeating(0, autoreverse: true), .endDelay(1)], on: clock
        ) { record.conclude($0) }
        await clock.waitForSleepers(1)
        // By half a unit of the last digit, which for so long a way takes some seconds.
        await clock.advance(by: 9)
        #expect(label.text == "Atoms: 12345678901234567890" && label.texts.count > 50)
        #expect(record.conclusions == [true])
    }

    @Test func `an endless motion ends when it is finished`() async {
        let label = Label("0")
        let pulse = Ticker.animate(label, to: 2, duration: 1, options: [.repeating(.infinity)], on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 100.25)
        #expect(label.text == "1" && pulse?.state == .running)
        pulse?.finish()
        #expect(label.text == "2" && pulse?.state == .over(.finished))
    }

    @Test func `a motion with autoreverse returns to the value it took over from`() async {
        let label = Label("0")
        Ticker.animate(label, to: 8, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "4")
        Ticker.animate(label, to: 6, duration: 1, options: [.repeating(0, autoreverse: true)], on: clock)
        await clock.advance(by: 3)
        #expect(label.text == "4")
    }

    @Test func `the number option selects which number in the text moves`() async {
        #expect(
            await texts(of: "Lap 3 of 10", to: 12, [.number(at: 1)]) == ["Lap 3 of 11", "Lap 3 of 12"])
        #expect(await texts(of: "Lap 3 of 10", to: 4, [.number(at: -1)]) == ["Lap 4 of 10"])
    }

    @Test func `a number format both finds and writes the number`() async {
        var plan = NumberPlan.grouped(decimals: 2)
        (plan.groupSeparator, plan.decimalSeparator) = (Array(".".utf8), Array(",".utf8))
        let german = Ticker.Option.format(NumberFormat(locale: "de-DE"), plan: plan)
        #expect(
            await texts(of: "Konto: 1.500 Punkte", to: 1_600, [german, .decimals(0)]) == [
                "Konto: 1.525 Punkte", "Konto: 1.550 Punkte", "Konto: 1.575 Punkte", "Konto: 1.600 Punkte",
            ])
    }

    @Test(arguments: [("de-CH", "CHF"), ("fr-FR", "USD"), ("ar-EG", "EGP"), ("fa-IR", "USD"), ("en-US", "USD")])
    func `a label goes on from what its format wrote`(locale: String, currency: String) async throws {
        let format = NumberFormat(locale: locale, style: .currency, currency: currency)
        let plan = try NumberPlanCompiler.plan(for: format)
        let (clock, label) = (ManualClock(), Label("Saldo: 0"))
        var start = 0.0
        for target in [-100.0, -50, -25, 10] {
            Ticker.animate(
                label, to: target, duration: 1, options: [.format(format, plan: plan)], on: clock)
            await clock.waitForSleepers(1)
            await clock.advance(by: 0.5)
            #expect(label.text == "Saldo: " + plan.text(of: (start + target) / 2))
            await clock.advance(by: 0.5)
            #expect(label.text == "Saldo: " + plan.text(of: target))
            start = target
        }
    }

    @Test func `a label option supplies its own text and format`() async throws {
        var price = TickerLabel(prefix: "Balance: ", suffix: " \u{20AC}")
        price.plan = .grouped(decimals: 2)
        price.plan.groupSeparator = Array(".".utf8)
        price.plan.decimalSeparator = Array(",".utf8)
        let zeros = String(repeating: ".000", count: 13)
        #expect(
            await texts(of: "1.000,00", to: 1_200, [.label(price, startingAt: 1_000)]) == [
                "Balance: 1.000,00 \u{20AC}", "Balance: 1.050,00 \u{20AC}", "Balance: 1.100,00 \u{20AC}",
                "Balance: 1.150,00 \u{20AC}", "Balance: 1.200,00 \u{20AC}",
            ])
        #expect(
            await texts(of: "", to: 0, [.label(price, startingAt: 1e40)]).contains("Balance: 5\(zeros),00 \u{20AC}"))
        let coins = try TickerLabel(message: "{n, plural, one {# coin} other {# coins}}")
        #expect(await texts(of: "", to: 2, [.label(coins)]) == ["0 coins", "1 coin", "2 coins"])
        #expect(await texts(of: "", to: 1, [.decimals(1), .label(coins)]).last == "1.0 coins")
    }

    @Test func `the last frame of an eased motion shows the exact target`() async {
        let label = Label("0.0")
        Ticker.animate(label, to: 100.5, duration: 1, easing: .easeOut, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(label.text == "86.1")
        await clock.advance(by: 0.5)
        #expect(label.text == "100.5")
    }

    @Test(arguments: [0, -3, Double.nan])
    func `a duration of zero, below or NaN shows the target at the first frame`(duration: Double) async {
        let label = Label("7 days")
        let finished = await withCheckedContinuation { done in
            _ = Ticker.animate(label, to: 3, duration: duration, on: clock) { done.resume(returning: $0) }
        }
        #expect(finished && label.texts == ["3 days"])
    }

    @Test func `a label with an optional text can be animated`() async {
        let label = OptionalLabel()
        Ticker.animate(label, to: 3, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        #expect(label.text == "0")
        label.text = "5 of 9"
        Ticker.animate(label, to: 7, duration: 1, on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 2)
        #expect(label.text == "7 of 9")
    }

    @Test func `an animation without a label passes each text to its closure and can be retargeted`() async {
        let ticker = Ticker.animate(
            from: "0 items", to: 2, duration: 1, options: [.framesPerSecond(4)], on: clock,
            show: { record.note($0.text) }, completion: { record.conclude($0) })
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        #expect(record.texts == ["0 items", "1 items", "1 items"])
        let second = ticker?.animate(to: 3, duration: 1, options: [.framesPerSecond(4)]) { record.conclude($0) }
        #expect(record.conclusions == [false])
        await clock.advance(by: 1)
        #expect(record.texts.last == "3 items")
        #expect(record.conclusions == [false, true] && second?.state == .over(.finished))
        // It is over, and starts from the text it left.
        #expect(second?.animate(to: Double.infinity) == nil)
        let third = second?.animate(to: 5, duration: 1)
        await clock.waitForSleepers(1)
        await clock.advance(by: 1)
        #expect(record.texts.contains("4 items") && record.texts.last == "5 items")
        #expect(third?.state == .over(.finished))
    }
}
