// Easings beyond the vectors: text both ways, errors, slopes, extreme inputs.
import TestSupport
import Testing

@testable import Tween

@Suite struct EasingTests {
    @Test(
        arguments: [
            ("  EASE-In-Out ", "ease-in-out"), ("Linear", "linear"), ("easeIn", "power-in(2.8)"),
            ("easeOut", "power-out(2.8)"), ("easeInOut", "power-in-out(2.8)"),
            ("POWER-IN-OUT( +3e0 )", "power-in-out(3)"),
            ("step-start", "steps(1, start)"), ("Back", "back-out"), ("ELASTIC-IN", "elastic-in"),
            ("bounce-in-out", "bounce-in-out"),
            ("step-end", "steps(1)"), ("steps(4,jump-start)", "steps(4, start)"), ("steps(4, END)", "steps(4)"),
            ("steps(3, jump-none)", "steps(3, jump-none)"), ("cubic-bezier(.25,.1,.25,1)", "ease"),
            ("cubic-bezier( 0/**/, -2 ,1 , 3.5 )", "cubic-bezier(0, -2, 1, 3.5)"),
            ("linear(0, 0.5 25% 75%, 1)", "linear(0 0%, 0.5 25%, 0.5 75%, 1 100%)"),
            ("linear(25% 0.5, 1, 2)", "linear(0.5 25%, 1 62.5%, 2 100%)"),
            ("linear(0 calc(0%), 1 calc(50% + 50%))", "linear(0 0%, 1 100%)"),
            ("linear(0, CALC( 1 / 4 ) calc(25% * 2), 1)", "linear(0 0%, 0.25 50%, 1 100%)"),
            (
                "linear(0, calc(2*(1 - 0.25)/3) calc((10% + 15%) * 2) min(75%, 80%), 1)",
                "linear(0 0%, 0.5 50%, 0.5 75%, 1 100%)"
            ),
            ("linear(0, clamp(0, 7, calc(1)) max(1%, 20%, 3%), calc(-1 * -1))", "linear(0 0%, 1 20%, 1 100%)"),
            ("linear(calc(1 - /**/1), 1)", "linear(0 0%, 1 100%)"), ("steps(calc(1 + 1.5))", "steps(3)"),
            ("cubic-bezier(calc(1/4), calc(.05 * 2), calc(e - e + .25), 1)", "ease"), ("steps(calc(pi))", "steps(3)"),
        ])
    func `each spelling of an easing parses to one canonical text`(text: String, canonical: String) throws {
        let easing = try Easing(parsing: text)
        #expect(easing.description == canonical)
        #expect(try Easing(parsing: canonical) == easing)
    }

    @Test(arguments: PennerCurve.Kind.allCases, PennerCurve.Form.allCases)
    func `a Penner curve starts at 0 and ends at 1 without a jump`(kind: PennerCurve.Kind, form: PennerCurve.Form) {
        let easing = Easing.penner(PennerCurve(kind, form))
        #expect(easing.description == "\(kind.rawValue)-\(form.rawValue)")
        #expect(abs(easing.value(at: 1e-9)) < 1e-7 && abs(easing.value(at: 1 - 1e-9) - 1) < 1e-7)
    }

    @Test(arguments: UInt64(1)...30)
    func `a random easing's text parses back to it`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var stops: [LinearStops.Stop] = []
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            let input = Bool.random(using: &random) ? random.double(-1...2) : nil
            stops.append(LinearStops.Stop(random.double(-2...3), at: input))
        }
        let shape = try #require(PowerCurve.Shape.allCases.randomElement(using: &random))
        let easings: [Easing] = [
            .linearStops(try LinearStops(stops)),
            try .cubicBezier(
                random.double(0...1), random.double(-9...9), random.double(0...1), random.double(-1e-7...1e-7)),
            .power(try PowerCurve(shape, exponent: random.double(1e-9...1000))),
            try .steps(Int.random(in: 2...9999, using: &random), .jumpNone),
        ]
        for easing in easings {
            #expect(try Easing(parsing: easing.description) == easing)
        }
    }

    @Test(
        arguments: [
            "linear(0 calc(0), 1)", "linear(calc(0%), 1)", "linear(calc(1+1), 1)", "linear(calc(1 +1), 1)",
            "linear(calc(1/**/-/**/1), 1)",
            "linear(calc(1 + 1%), 1)", "linear(calc(1% * 1%) 1, 1)", "linear(0, 1 calc(1 / 1%))", "linear(calc(), 1)",
            "linear(calc(1, 2), 1)", "linear(min(), 1)", "linear(clamp(1, 2), 1)", "linear(calc(1 / 0), 1)",
            "linear(calc(nan), 1)", "linear(calc(infinity), 1)", "linear(calc(1px), 1)", "linear(-calc(1), 1)",
            "linear(calc (1), 1)", "linear(calc(1, 1)", "linear(calc((1), 1)", "steps(calc(0))", "steps(calc(1 / 0))",
            "steps(calc(200%))", "cubic-bezier(calc(10%), 0, 1, 1)", "linear(calc(2 * ), 1)", "linear(foo(1), 1)",
            "linear(calc(\(String(repeating: "(", count: 40))1\(String(repeating: ")", count: 40))), 1)",
            "", " ", "ease in", "bounce-up", "elastic-", "backin", "bounce(1)", "linear(", "linear(0,1", "steps(2.0)",
            "steps(1e1)", "steps(99999999999)",
            "steps(99999999999999999999999)", "steps(2, middle)", "cubic-bezier(0,0,1)", "cubic-bezier(0,0,1,1e999)",
            "cubic-bezier(0,0,1,)", "cubic-bezier(10%,0,1,1)", "power-in()", "power-in(0)", "power-in(-1)",
            "power-in(1e999)", "power-in(nan)", "power-in(2)x", "power-in (2)", "linear(0 1, 2)", "linear(0%, 1)",
            "linear(0 1% 2% 3%, 1)", "linear(0,,1)", "linear(1.,0)", "/* ", "ease/", "ease;", "\u{0}", "éase",
        ])
    func `a wrong text is refused with a reason`(text: String) {
        let error = #expect(throws: EasingError.self) { try Easing(parsing: text) }
        #expect(error?.description.isEmpty == false)
        #expect((error?.description.count ?? 0) < 120)
    }

    @Test func `an unknown easing is named in the error, beside known names`() throws {
        let error = #expect(throws: EasingError.self) { try Easing(parsing: "easeOutQuad") }
        let words = try #require(error).description.split(separator: "; try ")
        #expect(words.first == #"unknown easing "easeOutQuad""#)
        for name in try #require(words.last).split(separator: ", ") { _ = try Easing(parsing: String(name)) }
    }

    @Test func `a long unknown name is cut short in the error`() {
        let error = #expect(throws: EasingError.self) { try Easing(parsing: String(repeating: "x", count: 60_000)) }
        #expect((error?.description.utf8.count ?? .max) < 120)
    }

    @Test(arguments: MotionPropertyTests.smooth + ["power-in(0.5)", "power-out(0.3)", "cubic-bezier(0, 1, 0, 1)"])
    func `the slope of an easing is the derivative of its value`(text: String) throws {
        let easing = try Easing(parsing: text)
        for index in 1..<100 where index != 20 && index != 60 {
            let (p, h) = (Double(index) / 100, 1e-6)
            let difference = (easing.value(at: p + h) - easing.value(at: p - h)) / (2 * h)
            #expect(abs(difference - easing.slope(at: p)) <= 1e-3 * (1 + abs(difference)))
        }
        let (start, soon) = (easing.slope(at: 0), easing.value(at: 1e-9) / 1e-9)
        #expect(start.isInfinite ? soon > 1000 : abs(start - soon) < 1e-3 * (1 + abs(start)))
    }

    @Test func `no input leaves steps() or linear() without a value`() throws {
        let easings = try ["steps(2147483647, jump-both)", "linear(0, 1 50% 50%, 0)", "steps(1)"].map {
            try Easing(parsing: $0)
        }
        for easing in easings {
            for input in [-1e200, -1, -0.0, 0, .leastNonzeroMagnitude, 0.5, 1, 1.5, 1e200] {
                #expect(easing.value(at: input).isFinite)
                #expect(easing.slope(at: input).isFinite)
            }
        }
    }

    @Test func `the CSS ease-in and the counters' easeIn differ at their middles`() {
        #expect(abs(Easing.easeIn.value(at: 0.5) - 0.1436) < 5e-5)
        #expect(abs(Easing.cssEaseIn.value(at: 0.5) - 0.3154) < 5e-5)
    }
}
