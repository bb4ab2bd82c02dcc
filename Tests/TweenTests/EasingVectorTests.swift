// Easings against the shared vectors: CSS text, values, chains, canonical points.
import Testing

@testable import Tween

@Suite struct EasingVectorTests {
    @Test(arguments: Vector.cases("easing", in: "easing.json"))
    func `an easing gives the value a browser gives`(vector: Vector) throws {
        let fields = vector.fields
        let easing = try Easing(parsing: try #require(fields.text("fn")))
        let value = easing.value(at: try #require(fields["input"]), before: fields.flag("before") ?? false)
        #expect(abs(value - (try #require(fields["expect"]))) <= (try #require(fields["tol"])))
    }

    @Test(arguments: Vector.cases("easing_chain", in: "easing.json"))
    func `an easing takes inputs past its ends from another`(vector: Vector) throws {
        let fields = vector.fields
        let outer = try Easing(parsing: try #require(fields.text("outer")))
        let inner = try Easing(parsing: try #require(fields.text("inner")))
        let value = inner.value(at: outer.value(at: try #require(fields["input"])))
        #expect(abs(value - (try #require(fields["expect"]))) <= (try #require(fields["tol"])))
    }

    @Test(arguments: Vector.cases("linear_points", in: "easing.json"))
    func `linear() fills its stops in as CSS does`(vector: Vector) throws {
        let fields = vector.fields
        guard case .linearStops(let stops) = try Easing(parsing: try #require(fields.text("fn"))) else {
            Issue.record("not a linear() easing")
            return
        }
        let expected = fields.rows("expect")
        #expect(stops.points.count == expected.count)
        for (point, pair) in zip(stops.points, expected) {
            #expect(abs(point.output - pair[0]) < 1e-9 && abs(point.input - pair[1]) < 1e-9)
        }
    }

    @Test(arguments: Vector.cases("easing_valid", in: "easing.json"))
    func `an easing's text is taken or refused as in a browser`(vector: Vector) throws {
        let fields = vector.fields
        let text = try #require(fields.text("fn"))
        #expect(((try? Easing(parsing: text)) != nil) == fields.flag("expect"))
    }

    @Test(arguments: Vector.cases("curve", in: "origins.json"))
    func `a curve gives the value of the counters it comes from`(vector: Vector) throws {
        let (input, expected) = (vector.fields.object("input"), vector.fields.object("expected"))
        let easing = try Easing(parsing: try #require(input.text("curve")))
        let motion = Motion(
            from: try #require(input["from"]), to: try #require(input["to"]),
            course: .timed(Timing(duration: 1, easing: easing)), startingAt: Instant(nanoseconds: 0))
        let value = motion.value(atTime: try #require(input["p"]))
        let scale = max(1, abs(motion.to - motion.from))
        if let wanted = expected["value"] { #expect(abs(value - wanted) <= 1e-12 * scale) }
        if let bound = expected["greaterThan"] { #expect(value > bound) }
        if let bound = expected["lessThan"] { #expect(value < bound) }
    }

    @Test func `the vectors are there`() {
        for kind in ["easing", "easing_chain", "linear_points", "easing_valid", "timing", "playback", "spring"] {
            #expect(!Vector.cases(kind, in: "easing.json").isEmpty)
        }
    }
}
