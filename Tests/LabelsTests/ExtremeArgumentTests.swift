// Integers that no caller means. No public function traps: it clamps them, or refuses them with nil or an error.

import Labels
import Locales
import Testing

@Suite struct ExtremeArgumentTests {
    private static let integers: [Int] = [
        .min, .min + 1, -1_000, -23, -1, 0, 1, 20, 21, 23, 38, 39, 1_000, .max - 1, .max,
    ]
    private static let doubles: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1234.5, -0.0, 0, .leastNonzeroMagnitude, 0.005, 1234.5, 1e15, 1e22,
        .greatestFiniteMagnitude, .infinity, .nan,
    ]
    private static let decimals: [ExactDecimal] = [
        .zero, ExactDecimal(.min), ExactDecimal(.max), ExactDecimal(parsing: "0.\(String(repeating: "9", count: 38))"),
        ExactDecimal(parsing: "-" + String(repeating: "9", count: 38)), ExactDecimal(parsing: "1234.50"),
    ].compactMap(\.self)

    /// Writes numbers by a plan in every way.
    private func write(by plan: NumberPlan) {
        var label = TickerLabel("Total 1,234.50")
        label.plan = plan
        let wheels = DigitWheels(label)
        var parts: [WheelPart] = []
        for value in Self.doubles {
            #expect(!plan.text(of: value).isEmpty)
            _ = label.parts(of: value)
            wheels?.layOut(value, into: &parts)
        }
        for value in Self.decimals {
            #expect(!label.text(of: value).isEmpty && label.parts(of: value).count > 0)
            wheels?.layOut(value, into: &parts)
            _ = TickerDescriptor(label, value: value.double, target: value)
        }
        let transition = WheelTransition(from: .zero, to: ExactDecimal(1_234), plan, direction: .shortest)
        #expect(transition.wheels(at: 0.5).allSatisfy { (0..<10).contains($0.position) })
        #expect(plan.halfUnit > 0 && plan.finestDecimals >= 0)
    }

    @Test(arguments: integers)
    func `a plan takes any number of decimals, digits and places`(count: Int) {
        for shift in [0, count] {
            for adaptive in [nil, AdaptiveDigits(significant: min(1, count)...max(1, count))] {
                var plan = NumberPlan.grouped(decimals: count)
                plan.minimumDecimals = count
                plan.minimumIntegerDigits = count
                plan.shift = shift
                plan.adaptive = adaptive
                write(by: plan)
            }
        }
    }

    @Test(arguments: integers)
    func `a plan takes any size of groups`(count: Int) {
        for other in [3, count] {
            for clock in [nil, ClockShape.hours] {
                var plan = NumberPlan.plain(decimals: 2)
                plan.clock = clock
                plan.grouping = NumberPlan.Grouping(primary: count, secondary: other, minimum: other)
                write(by: plan)
                (plan.grouping.primary, plan.grouping.secondary, plan.grouping.minimum) = (other, count, count)
                write(by: plan)
                (plan.grouping.primary, plan.grouping.secondary) = (count, other)
                write(by: plan)
            }
        }
    }

    @Test(arguments: integers)
    func `exponents and compact forms take any step and shift`(count: Int) {
        var plan = NumberPlan.plain(decimals: 2)
        plan.adaptive = AdaptiveDigits(exponent: AdaptiveDigits.Exponent(step: count, separator: [0x45], minus: [0x2D]))
        write(by: plan)
        for isSignificant in [false, true] {
            let form = CompactTable.Form(shift: count, affixes: PluralAffixes(always: .plain))
            plan = .plain(decimals: 2)
            plan.compact = CompactTable(forms: [form], isSignificant: isSignificant)
            write(by: plan)
            plan.shift = count
            write(by: plan)
        }
    }

    @Test(arguments: integers)
    func `percentages take any amount and any number of decimals`(count: Int) throws {
        let label = try ProgressLabel(parsing: "{value} of {maximum} {target} {percent}% {fraction} {bar} {rate} {eta}")
        for other in Self.integers {
            let (current, maximum) = (ExactDecimal(count), ExactDecimal(other))
            for decimals in Self.integers {
                let percent = ProgressMath.percent(current: current, maximum: maximum, decimals: decimals)
                #expect(percent.magnitude <= ProgressMath.largestPercent.magnitude)
                for (value, end) in zip(Self.doubles, Self.doubles.reversed()) {
                    _ = ProgressMath.percent(
                        of: value, maximum: maximum.double, end: end, endPercent: count, decimals: decimals)
                }
            }
            #expect(!label.text(current: count, of: other, elapsed: .infinity, rate: .nan, eta: -.infinity).isEmpty)
            _ = ProgressDescriptor(
                label, ProgressLabel.Values(value: .nan, maximum: maximum, percent: count), state: .running)
        }
    }

    @Test(arguments: integers)
    func `digits, wheels and times take any integer`(count: Int) {
        #expect(!DigitSet.ascii.text(of: count).isEmpty)
        for other in Self.integers {
            for direction in WheelDirection.allCases {
                #expect((-9...9).contains(direction.travel(from: count, to: other)))
            }
        }
        #expect(TimeSpan(seconds: count).text(.clock).contains(":"))
        #expect(
            !TimeSpan(seconds: count).text(.words).isEmpty && ColumnChange(rawValue: count)?.rawValue ?? count == count)
        var parts: [WheelPart] = []
        let wheels = [DigitWheel(place: count, position: Double(count), presence: Double(count))]
        DigitWheels(TickerLabel("1,234.50"))?.layOut(wheels, into: &parts)
        _ = WheelTransition(from: wheels, to: ExactDecimal(count), .grouped(decimals: 2), direction: .up).wheels(
            at: 0.5)
        _ = TickerLabel("1 of 2 of 3", index: count)
        #expect(NumberFormat(style: .percent).decimals(inferredFrom: count) ?? 0 >= 0)
    }

    @Test(arguments: doubles) func `a countdown takes any number of seconds`(seconds: Double) throws {
        let label = try CountdownLabel(parsing: "{clock} {remaining} {words} {days} {hours:09} {total}")
        #expect(ScheduleDescriptor(label, seconds: seconds).text?.isEmpty == false)
    }

    @Test(arguments: integers)
    func `an exact decimal takes any coefficient, scale and number of decimals`(count: Int) {
        for coefficient in [Int128.min, .min + 1, -1, 0, 1, .max, Int128(count)] {
            let value = ExactDecimal(coefficient: coefficient, scale: count)
            #expect(value == nil || (0...38).contains(count))
        }
        for value in Self.decimals {
            for rule in [RoundingRule.ceil, .floor, .expand, .halfEven] {
                #expect(value.rounded(to: count, rule).scale <= max(value.scale, 0))
            }
            #expect((-value).magnitude == value.magnitude && value.adding(-value) == .zero)
            _ = value.adding(ExactDecimal(count))
            #expect(value.hashValue == value.normalized.hashValue && Double(value).isFinite)
        }
    }

    @Test(arguments: integers)
    func `plural rules take any operands`(count: Int) {
        let bits = UInt64(bitPattern: Int64(count))
        for language in ["en", "ar", "pl", "lv", "gv", "br", "kw", "fr", "he", "is", "fil", "mk", "ga", "lt", "sl"] {
            let rule = PluralRule(language: language)
            _ = rule.category(for: PluralOperands(i: bits, v: count, t: bits, f: bits, e: count))
        }
    }

    @Test(arguments: integers)
    func `a format with a count out of range is refused`(count: Int) {
        let fields: [WritableKeyPath<NumberFormat, Int?>] = [
            \.minimumDecimals, \.maximumDecimals, \.minimumIntegerDigits, \.minimumSignificantDigits,
            \.maximumSignificantDigits,
        ]
        for field in fields {
            for style in NumberFormat.Style.allCases {
                var format = NumberFormat(locale: "de", style: style, currency: "EUR", unit: "day")
                format[keyPath: field] = count
                guard let style = try? NumberFormatStyle(format, decimals: count) else { continue }
                for value in Self.doubles { #expect(!style.format(value).isEmpty) }
            }
        }
        var format = NumberFormat(locale: "de")
        format.maximumDecimals = count
        let plan = try? NumberPlanCompiler.plan(for: format)
        #expect((plan != nil) == (0...20).contains(count))
    }

    @Test(arguments: integers)
    func `a format's label takes any index`(index: Int) throws {
        let format = NumberFormat(locale: "de")
        let plan = try NumberPlanCompiler.plan(for: format)
        let label = try? TickerLabel("1 von 2", index: index, format: format, plan: plan)
        #expect((label == nil) == (index > 1))
    }
}
