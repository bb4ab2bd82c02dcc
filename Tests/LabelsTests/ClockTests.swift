// Durations: seconds as a clock, found in a label and by a format.

import Labels
import Locales
import Testing

struct ClockTests {
    private static func texts(_ label: TickerLabel, _ value: String) throws -> [String] {
        let number = try #require(ExactDecimal(parsing: value))
        var (moving, escaped): ([UInt8], [UInt8]) = ([], [])
        label.append(number.double, to: &moving)
        label.escapedForJSON().append(number, to: &escaped)
        return [
            label.text(of: number), String(decoding: moving, as: UTF8.self), String(decoding: escaped, as: UTF8.self),
            label.parts(of: number).map(\.text).joined(),
        ]
    }

    @Test(arguments: [
        ("0:00:00", "3661", "1:01:01"), ("0:00:00", "59", "0:00:59"), ("00:00:00", "59", "00:00:59"),
        ("0:00:00", "360000", "100:00:00"), ("0:00:00", "-3661", "-1:01:01"), ("0:00", "3661", "61:01"),
        ("0:00", "9", "0:09"), ("Lap 1:05.25 min", "9.5", "Lap 0:09.50 min"), ("-0:30", "30", "0:30"),
        ("T-0:30", "90", "T-1:30"), ("٠:٠٠:٠٠", "3661", "١:٠١:٠١"), ("[0:00:00]", "7199.99", "[1:59:59.99]"),
        ("0:00:00", "9999999999999999999999999999999999999", "2777777777777777777777777777777777:46:39"),
    ])
    func `a clock time in a label continues as a clock`(text: String, value: String, shown: String) throws {
        var label = TickerLabel(text)
        label.plan.decimals = max(label.number?.scale ?? 0, try #require(ExactDecimal(parsing: value)).scale)
        let texts = try Self.texts(label, value)
        #expect(texts.first == shown)
        if value.count < 16 { #expect(Set(texts) == [shown]) }
    }

    @Test(arguments: [
        ("1:01:01", "3661"), ("5:09", "309"), ("-0:30", "-30"), ("0:09.50", "9.50"), ("25:00:00", "90000"),
    ])
    func `a clock time in a label is read as its number of seconds`(text: String, value: String) throws {
        #expect(TickerLabel(text).number == ExactDecimal(parsing: value))
        #expect(TickerLabel(text).text(of: try #require(ExactDecimal(parsing: value))) == text)
    }

    @Test(arguments: ["1:05:09", "1:05", "999999999999:59", "9:59:59", "0:00"], 30...45)
    func `a clock time with decimals beyond 38 digits is not read as a number`(clock: String, decimals: Int) {
        for digit in ["0", "1", "9"] {
            let text = "\(clock).\(String(repeating: digit, count: decimals))"
            let label = TickerLabel(text)
            guard let number = label.number, number.scale == decimals else { continue }
            #expect(String(number.coefficient.magnitude).count <= ExactDecimal.maximumDigits)
        }
    }

    @Test(arguments: [
        ("Doors 6:30 PM", "6"), ("1:2", "1"), ("10:75", "10"), ("fe80:10:20:30:40", "80"), ("12:30Uhr", "12"),
        ("3:00:00:00", "3"),
    ])
    func `a time of day or other colons in a label are not read as a clock time`(text: String, value: String) {
        #expect(TickerLabel(text).number == ExactDecimal(parsing: value))
    }

    @Test(arguments: [
        (NumberFormat.Style.clock, "Left: 90", "3661", "Left: 1:01:01"), (.clock, "Left: 90", "9", "Left: 0:09"),
        (.duration, "Left: 90", "9", "Left: 0:00:09"), (.duration, "Left: 90", "3661.5", "Left: 1:01:01.5"),
        (.decimal, "0:00:00", "3661", "1:01:01"), (.clock, "00:00:00", "61", "00:01:01"),
        (.currency, "0:00:00", "3661", "$3,661.00"), (.clock, "+0", "61", "+1:01"),
    ])
    func `the clock and duration styles write seconds as a clock`(
        style: NumberFormat.Style, text: String, value: String, shown: String
    ) throws {
        let format = NumberFormat(locale: "en-US", style: style, currency: "USD")
        let number = try #require(ExactDecimal(parsing: value))
        let plan = try NumberPlanCompiler.plan(for: format, decimals: format.decimals(inferredFrom: number.scale))
        let label = try TickerLabel(text, format: format, plan: plan)
        #expect(Set(try Self.texts(label, value)) == [shown])
        #expect(DigitWheels(label) == nil || style == .currency)
    }

    @Test func `the clock style refuses notation, integer width and significant digits`() {
        for change: (inout NumberFormat) -> Void in [
            { $0.notation = .scientific }, { $0.minimumIntegerDigits = 2 }, { $0.maximumSignificantDigits = 2 },
        ] {
            var format = NumberFormat(locale: "en", style: .clock)
            change(&format)
            #expect(throws: NumberFormatError.self) { try NumberPlanCompiler.plan(for: format) }
        }
    }

    @Test(arguments: [
        (",5 l", "0.75", "0,75 l"), ("٫٥", "0.75", "٠٫٧٥"), ("-,5", "0.75", "0,75"), ("€ ,5", "1.5", "€ 1,5"),
        ("(,5)", "0.25", "(0,25)"), (".5 l", "0.75", ".75 l"),
    ])
    func `a number in a label may begin with its decimal separator`(text: String, value: String, shown: String) throws {
        var label = TickerLabel(text)
        let number = try #require(ExactDecimal(parsing: value))
        label.plan.decimals = number.scale
        #expect(label.number?.magnitude == ExactDecimal(parsing: "0.5"))
        #expect(label.text(of: number) == shown)
    }

    @Test(arguments: ["one,5", "(a),5", "\"x\",5", "x , 5"])
    func `a comma after a word is not read as a decimal separator`(text: String) {
        #expect(TickerLabel(text).number == ExactDecimal(5))
    }

    /// Written as a number, `0,2341,2350` would be read as 0 and 2341.2350.
    @Test func `a comma before a list of numbers is not read as a decimal separator`() {
        #expect(TickerLabel(",2341,2350").number == ExactDecimal(parsing: "2341.2350"))
    }

    @Test(arguments: [
        ("ar-EG", "1", "يوم"), ("ar-EG", "2", "يومان"), ("ar-EG", "-2", "يومان"), ("ar-EG", "3", "٣ أيام"),
        ("ar-EG", "2.0", "يومان"), ("he", "2", "יומיים"), ("en", "2", "2 days"),
    ])
    func `a unit's dual word replaces the number in languages that have one`(
        locale: String, value: String, shown: String
    ) throws {
        var format = NumberFormat(locale: locale, style: .unit, unit: "day")
        format.unitDisplay = .long
        let number = try #require(ExactDecimal(parsing: value))
        let plan = try NumberPlanCompiler.plan(for: format, decimals: number.scale)
        let label = try TickerLabel("0", format: format, plan: plan)
        #expect(Set(try Self.texts(label, value)) == [shown])
        let wheels = try #require(DigitWheels(label))
        var json: [UInt8] = []
        var parts: [WheelPart] = []
        wheels.appendJSON(number, &parts, to: &json)
        #expect(
            String(decoding: json, as: UTF8.self).contains("[")
                && wheels.digits(of: number).isEmpty == !shown.contains { $0.isNumber })
    }

    @Test(arguments: [
        ("it", "1000", "mille"), ("it", "-1000", "-mille"), ("it", "2000", "2 mila"), ("it", "999.9", "mille"),
        ("fr", "1000", "mille"), ("fr", "-1000", "-1 millier"), ("fr", "1500", "1,5 millier"),
        ("fr", "2000", "2 mille"),
        ("de", "1000", "1 Tausend"),
    ])
    func `long compact notation has a word without a number for one thousand`(
        locale: String, value: String, shown: String
    ) throws {
        var format = NumberFormat(locale: locale, style: .compact)
        format.compactDisplay = .long
        let plan = try NumberPlanCompiler.plan(for: format)
        let label = try TickerLabel("0", format: format, plan: plan)
        let texts = try Self.texts(label, value).map { $0.replacing("\u{A0}", with: " ") }
        #expect(Set(texts) == [shown])
    }
}
