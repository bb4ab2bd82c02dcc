// Springs against the shared vectors: closed form, parameter maps, settling, interruptions.
import Testing

@testable import Tween

@Suite struct SpringVectorTests {
    @Test(arguments: Vector.cases("spring", in: "easing.json"))
    func `a spring follows its closed form`(vector: Vector) throws {
        let fields = vector.fields
        let spring = try Self.spring(fields.object("params"))
        let (from, to) = (try #require(fields["from"]), try #require(fields["to"]))
        let (v0, t) = (try #require(fields["v0"]), try #require(fields["t"]))
        let tolerance = try #require(fields["tol"]) * max(1, abs(to - from))
        let expected = fields.object("expect")
        let value = spring.value(from: from, to: to, velocity: v0, at: t)
        let velocity = spring.velocity(from: from, to: to, velocity: v0, at: t)
        #expect(abs(value - (try #require(expected["value"]))) <= tolerance)
        #expect(abs(velocity - (try #require(expected["velocity"]))) <= tolerance * spring.angularFrequency)
    }

    @Test(arguments: Vector.cases("spring", in: "origins.json"))
    func `a spring moves as UIKit's does`(vector: Vector) throws {
        let (input, expected) = (vector.fields.object("input"), vector.fields.object("expected"))
        let spring = try Self.spring(input)
        if let time = input["t"], let wanted = expected["value"] {
            // The unit of travel makes the relative velocity the absolute one.
            let value = spring.value(from: 0, to: 1, velocity: input["initialVelocity"] ?? 0, at: time)
            #expect(abs(value - wanted) <= 1e-9)
        }
        if let wanted = expected["stiffness"] { #expect(abs(spring.stiffness - wanted) <= 1e-9 * wanted) }
        if let wanted = expected["damping"] { #expect(abs(spring.damping - wanted) <= 1e-9 * wanted) }
    }

    @Test(arguments: Vector.cases("spring_map", in: "easing.json"))
    func `the ways to describe a spring agree`(vector: Vector) throws {
        let spring = try Self.spring(vector.fields.object("params"))
        let expected = vector.fields.object("expect")
        let mass = expected["mass"] ?? 1
        for (name, value) in [
            ("stiffness", spring.stiffness * mass), ("damping", spring.damping * mass),
            ("dampingRatio", spring.dampingRatio), ("response", spring.response),
        ] {
            let wanted = try #require(expected[name])
            #expect(abs(value - wanted) <= 1e-9 * max(1, abs(wanted)), "\(name)")
        }
    }

    @Test(arguments: Vector.cases("spring_settle", in: "easing.json"))
    func `a spring settles at its last crossing`(vector: Vector) throws {
        let fields = vector.fields
        let time = try Self.spring(fields.object("params")).settlingDuration(
            from: try #require(fields["from"]), to: try #require(fields["to"]), velocity: try #require(fields["v0"]),
            tolerance: try #require(fields["epsilon"]))
        #expect(abs(time - (try #require(fields["expect"]))) <= (try #require(fields["tol"])))
    }

    @Test(arguments: Vector.cases("spring_from_settling", in: "easing.json"))
    func `a settling duration gives SwiftUI's spring`(vector: Vector) throws {
        let spring = try Self.spring(vector.fields.object("params"))
        let expected = vector.fields.object("expect")
        for (name, value) in [
            ("omega0", spring.angularFrequency), ("stiffness", spring.stiffness), ("damping", spring.damping),
        ] {
            guard let wanted = expected[name] else { continue }
            #expect(abs(value / wanted - 1) <= (try #require(vector.fields["tol"])), "\(name)")
        }
    }

    @Test(arguments: Vector.cases("spring_retarget", in: "easing.json"))
    func `an interrupted spring keeps value and velocity`(vector: Vector) throws {
        let spring = try Self.spring(vector.fields.object("params"))
        let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, threshold: 1e-9)
        var now = Instant(nanoseconds: 0)
        var motion: Motion?
        for (leg, expected) in zip(vector.fields.objects("chain"), vector.fields.objects("expect")) {
            let to = try #require(leg["to"])
            let next =
                try motion?.retargeted(to: to, course: course, at: now, clamped: false)
                ?? Motion(
                    from: try #require(leg["from"]), to: to, course: course, startingAt: now,
                    velocity: try #require(leg["v0"]))
            now = now.advanced(bySeconds: try #require(leg["for"]))
            let scale = max(1, abs(next.to - next.from))
            #expect(abs(next.value(at: now) - (try #require(expected["value"]))) <= 1e-9 * scale)
            let velocity = next.velocity(at: now)
            #expect(abs(velocity - (try #require(expected["velocity"]))) <= 1e-9 * scale * spring.angularFrequency)
            motion = next
        }
    }

    /// A spring from a vector's parameters, whichever way they describe it.
    static func spring(_ fields: Fields) throws -> Spring {
        if let duration = fields["duration"], let bounce = fields["bounce"] {
            return try Spring(duration: duration, bounce: bounce)
        }
        if let mass = fields["mass"], let stiffness = fields["stiffness"], let damping = fields["damping"] {
            return try Spring(mass: mass, stiffness: stiffness, damping: damping)
        }
        let ratio = try #require(fields["dampingRatio"])
        if let time = fields["settlingDuration"] {
            return try Spring(dampingRatio: ratio, settlingDuration: time, threshold: fields["epsilon"] ?? 0.001)
        }
        return try Spring(dampingRatio: ratio, response: try #require(fields["response"]))
    }
}
