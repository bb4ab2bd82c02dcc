// Progress: exact percent, templates, and percent on the way.

import Labels
import Locales
import TestSupport
import Testing

struct ProgressTests {
    @Test func `a progress text needs only the current value and the maximum`() throws {
        let label = try ProgressLabel(parsing: "{current} of {maximum}: {percent}%, {fraction}, {eta} left")
        #expect(label.text(current: 29, of: 100, eta: 65) == "29 of 100: 29%, 0.29, 1:05 left")
        #expect(label.text(current: 29, of: nil) == "29 of –: –%, –, – left")
    }

    @Test(arguments: try VectorCase.all("progress").filter { $0.expected["percent"] != nil })
    func `percentage, text and fraction equal the test vectors`(vector: VectorCase) throws {
        let current = try #require(vector.input["current"]?.number)
        let maximum = try #require(vector.input["maximum"]?.number)
        let percent = ProgressMath.percent(
            current: try #require(ExactDecimal(current)), maximum: try #require(ExactDecimal(maximum)))
        let fraction = ProgressMath.fraction(of: current, maximum: maximum)
        #expect(Double(percent) == vector.expected["percent"]?.number)
        #expect(fraction == vector.expected["fraction"]?.number)
        #expect(ProgressMath.shownFraction(fraction) == vector.expected["shownFraction"]?.number)
        let label = try ProgressLabel(parsing: try #require(vector.input["label"]?.text))
        #expect(label.text(of: .init(value: current, percent: percent)) == vector.expected["text"]?.text)
    }

    @Test(arguments: [
        ("0.29", "1", 29), ("0.999999999999999999999999", "1", 99), ("1", "3", 33), ("-1", "4", -25),
        ("99.99", "100", 99),
        ("100.00", "100", 100), ("12345678901234567890.12", "0.01", ProgressMath.largestPercent),
        ("0.00000000000000000000000000000000000001", "1", 0),
        ("33333333333333333333333333333333333333", "99999999999999999999999999999999999999", 33),
        ("1", "99999999999999999999999999999999999999", 0), ("5", "0", 100), ("0", "0.00", 100), ("-5", "0", 0),
        ("5", "-1", 0),
    ])
    func `a percentage is exact for numbers of any size`(current: String, maximum: String, percent: Int) throws {
        let current = try #require(ExactDecimal(parsing: current))
        #expect(
            ProgressMath.percent(current: current, maximum: try #require(ExactDecimal(parsing: maximum))) == percent)
    }

    @Test func `a moving percentage rises to its exact end and shows 100 only when done`() {
        for end in [29.0, 58, 99.5, 100] {
            let endPercent = ProgressMath.percent(current: ExactDecimal(end) ?? .zero, maximum: ExactDecimal(100))
            var last = 0
            for step in 0...10_000 {
                let value = end * Double(step) / 10_000
                let percent = ProgressMath.percent(of: value, maximum: 100, end: end, endPercent: endPercent)
                #expect(percent >= last && percent <= endPercent)
                #expect(percent < 100 || value >= 100)
                last = percent
            }
            #expect(last == endPercent)
        }
    }

    @Test func `a percentage with decimals is truncated, both at rest and moving`() throws {
        let third = ProgressMath.percent(current: ExactDecimal(1), maximum: ExactDecimal(3), decimals: 4)
        #expect(third == 333_333)
        let nearly = try #require(ExactDecimal(parsing: "0.9999999999999999"))
        #expect(ProgressMath.percent(current: nearly, maximum: ExactDecimal(1), decimals: 2) == 9_999)
        for decimals in 0...10 {
            let (end, whole) = (
                Double.infinity,
                ProgressMath.percent(current: ExactDecimal(1), maximum: ExactDecimal(1), decimals: decimals)
            )
            let last = ProgressMath.percent(
                of: 1.0.nextDown, maximum: 1, end: end, endPercent: .max, decimals: decimals)
            #expect(last == whole - 1)
        }
        #expect(ProgressMath.percent(of: 0.29, maximum: 1, end: 1, endPercent: 10_000, decimals: 2) == 2_900)
    }

    @Test func `a falling percentage does not fall below its exact end`() {
        let percent = ProgressMath.percent(of: 0.29, maximum: 1, end: 0.28, endPercent: 28)
        #expect(percent == 29)
        #expect(ProgressMath.percent(of: 0.2799999999, maximum: 1, end: 0.28, endPercent: 28) <= 28)
        #expect(ProgressMath.percent(of: 0.280000001, maximum: 1, end: 0.28, endPercent: 28) == 28)
        #expect(ProgressMath.percent(of: .nan, maximum: 1, end: 0.28, endPercent: 28) == 0)
        #expect(ProgressMath.percent(of: -1e300, maximum: 1, end: -.infinity, endPercent: .min) == -((1 << 53) - 1))
    }

    @Test func `every placeholder of a progress label shows its value`() throws {
        let label = try ProgressLabel(
            parsing: "{value}|{current}|{target}|{maximum}|{percent}|{fraction}|{elapsed}|{rate}|{eta}|{{x}}")
        let values = ProgressLabel.Values(
            value: 41.7, maximum: ExactDecimal(1_000), percent: 4, fraction: 0.0419, elapsed: 65.9, rate: 2.55,
            eta: 364.2)
        #expect(label.text(of: values) == "42|42|42|1000|4|0.04|1:05|2.6|6:05|{x}")
        #expect(label.followsTime)
        #expect(label.contains(.eta))
    }

    @Test(arguments: [
        ("ar-EG", "٠٫٠٤|١:٠٥|٢٫٦|١:٠٠:٠٩|\u{61C}-١٫٥"), ("de-DE", "0,04|1:05|2,6|1:00:09|-1,5"),
        ("sv-SE", "0,04|1:05|2,6|1:00:09|−1,5"), ("fa-IR", "۰٫۰۴|۱:۰۵|۲٫۶|۱:۰۰:۰۹|\u{200E}−۱٫۵"),
        ("en-US", "0.04|1:05|2.6|1:00:09|-1.5"),
    ])
    func `elapsed time, rate and fraction use the locale's digits, separator and minus`(
        locale: String, text: String
    ) throws {
        var label = try ProgressLabel(parsing: "{fraction}|{elapsed}|{rate}|{eta}")
        let plan = try NumberPlanCompiler.plan(for: NumberFormat(locale: locale), decimals: 0)
        label.percentStyle = PercentStyle(number: plan, signed: plan)
        label.timeWords = try .words(in: locale)
        var values = ProgressLabel.Values(value: 4, fraction: 0.0419, elapsed: 65.9, rate: 2.55, eta: 3_608.2)
        let shown = [label, label.escapedForJSON()].map { $0.text(of: values) }
        values.rate = -1.5
        let display = ProgressDescriptor(label, values)
        #expect(shown.map { "\($0)|\(display.rate ?? "")" } == [text, text])
        #expect(display.elapsed == text.split(separator: "|").dropFirst().first.map(String.init))
    }

    @Test(arguments: [
        (0, "░░░░░░░░░░"), (0.0001, "▏░░░░░░░░░"), (0.5, "█████░░░░░"), (0.345, "███▌░░░░░░"), (0.9999, "█████████▉"),
        (1, "██████████"), (1.5, "██████████"), (-0.5, "░░░░░░░░░░"),
    ])
    func `a text bar is full only at completion and empty only at zero`(fraction: Double, bar: String) throws {
        let label = try ProgressLabel(parsing: "[{bar}]")
        #expect(label.text(of: .init(value: 0, fraction: fraction)) == "[\(bar)]")
        #expect(label.escapedForJSON().text(of: .init(value: 0)) == "[–]" && label.needsMaximum && !label.followsTime)
        #expect(TextBar.isIn("a \(bar)") && !TextBar.isIn("a 50 % ▐"))
    }

    @Test func `unknown values in a progress label are shown as dashes`() throws {
        let label = try ProgressLabel(parsing: "{value} of {maximum}, {percent}%, {eta}, {rate}, {fraction}, {elapsed}")
        #expect(label.text(of: .init(value: 3)) == "3 of –, –%, –, –, –, –")
    }

    @Test func `a progress at rest shows its exact value`() throws {
        var label = try ProgressLabel(parsing: "{current}")
        label.plan.decimals = 2
        let exact = try #require(ExactDecimal(parsing: "12345678901234567890.12"))
        #expect(label.text(of: .init(value: exact.double, exactCurrent: exact)) == "12345678901234567890.12")
    }

    @Test(arguments: ["{", "}", "{percent", "percent}", "{nope}", "{}", "{ percent }", "{{}"])
    func `a malformed progress template is refused`(template: String) {
        #expect(throws: LabelError.self) { try ProgressLabel(parsing: template) }
    }

    @Test func `a progress template escaped for JSON keeps its placeholders`() throws {
        let label = try ProgressLabel(parsing: "\"{percent}\"\n").escapedForJSON()
        #expect(label.text(of: .init(value: 1, percent: 7)) == "\\\"7\\\"\\n")
        #expect(ProgressLabel.standard.text(of: .init(value: 1, percent: 7)) == "7%")
    }
}
