// Easings against the vectors: CSS text, values, chains, canonical points.
import TestSupport
import Testing

@testable import Tween

@Suite struct EasingVectorTests {
    @Test(arguments: try VectorCase.all("easing", in: "easing.json"))
    func `an easing gives the value a browser gives`(vector: VectorCase) throws {
        let fields = vector.fields
        let easing = try Easing(parsing: try #require(fields["fn"]?.text))
        let value = easing.value(at: try #require(fields["input"]?.number), before: fields["before"]?.flag ?? false)
        #expect(abs(value - (try #require(fields["expect"]?.number))) <= (try #require(fields["tol"]?.number)))
    }

    @Test(arguments: try VectorCase.all("easing", in: "penner.json"))
    func `back, elastic and bounce equal Penner's equations, with exact slopes`(vector: VectorCase) throws {
        let fields = vector.fields
        let easing = try Easing(parsing: try #require(fields["fn"]?.text))
        let input = try #require(fields["input"]?.number)
        #expect(abs(easing.value(at: input) - (try #require(fields["expect"]?.number))) < 1e-12)
        let slope = try #require(fields["slope"]?.number)
        #expect(abs(easing.slope(at: input) - slope) <= 1e-6 * (1 + abs(slope)))
    }

    @Test(arguments: try VectorCase.all("easing_chain", in: "easing.json"))
    func `an easing accepts another easing's output outside 0 to 1`(vector: VectorCase) throws {
        let fields = vector.fields
        let outer = try Easing(parsing: try #require(fields["outer"]?.text))
        let inner = try Easing(parsing: try #require(fields["inner"]?.text))
        let value = inner.value(at: outer.value(at: try #require(fields["input"]?.number)))
        #expect(abs(value - (try #require(fields["expect"]?.number))) <= (try #require(fields["tol"]?.number)))
    }

    @Test(arguments: try VectorCase.all("linear_points", in: "easing.json"))
    func `linear() fills its stops in as CSS does`(vector: VectorCase) throws {
        let fields = vector.fields
        guard case .linearStops(let stops) = try Easing(parsing: try #require(fields["fn"]?.text)) else {
            Issue.record("not a linear() easing")
            return
        }
        let expected = (fields["expect"]?.list ?? []).map { ($0.list ?? []).compactMap(\.number) }
        #expect(stops.points.count == expected.count)
        for (point, pair) in zip(stops.points, expected) {
            #expect(abs(point.output - pair[0]) < 1e-9 && abs(point.input - pair[1]) < 1e-9)
        }
    }

    @Test(arguments: try VectorCase.all("easing_valid", in: "easing.json"))
    func `an easing's text is taken or refused as in a browser`(vector: VectorCase) throws {
        let fields = vector.fields
        let text = try #require(fields["fn"]?.text)
        #expect(((try? Easing(parsing: text)) != nil) == fields["expect"]?.flag)
    }

    @Test(arguments: try VectorCase.all("curve", in: "origins.json"))
    func `an easing gives the value of the counter library it comes from`(vector: VectorCase) throws {
        let (input, expected) = (vector.input, vector.expected)
        let easing = try Easing(parsing: try #require(input["curve"]?.text))
        let motion = Motion(
            from: try #require(input["from"]?.number), to: try #require(input["to"]?.number),
            course: .timed(Timing(duration: 1, easing: easing)), startingAt: Instant(nanoseconds: 0))
        let value = motion.value(atTime: try #require(input["p"]?.number))
        let scale = max(1, abs(motion.to - motion.from))
        if let wanted = expected["value"]?.number { #expect(abs(value - wanted) <= 1e-12 * scale) }
        if let bound = expected["greaterThan"]?.number { #expect(value > bound) }
        if let bound = expected["lessThan"]?.number { #expect(value < bound) }
    }
}
