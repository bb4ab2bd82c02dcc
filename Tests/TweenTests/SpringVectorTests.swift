// Springs against the vectors: closed form, parameter maps, settling, interruptions.
import TestSupport
import Testing

@testable import Tween

@Suite struct SpringVectorTests {
    @Test(arguments: try VectorCase.all("spring", in: "easing.json"))
    func `a spring follows its closed form`(vector: VectorCase) throws {
        let fields = vector.fields
        let spring = try Self.spring(fields["params"] ?? .null)
        let (from, to) = (try #require(fields["from"]?.number), try #require(fields["to"]?.number))
        let (v0, t) = (try #require(fields["v0"]?.number), try #require(fields["t"]?.number))
        let tolerance = try #require(fields["tol"]?.number) * max(1, abs(to - from))
        let expected = fields["expect"] ?? .null
        let value = spring.value(from: from, to: to, velocity: v0, at: t)
        let velocity = spring.velocity(from: from, to: to, velocity: v0, at: t)
        #expect(abs(value - (try #require(expected["value"]?.number))) <= tolerance)
        #expect(abs(velocity - (try #require(expected["velocity"]?.number))) <= tolerance * spring.angularFrequency)
    }

    @Test(arguments: try VectorCase.all("spring", in: "origins.json"))
    func `a spring moves as UIKit's does`(vector: VectorCase) throws {
        let (input, expected) = (vector.input, vector.expected)
        let spring = try Self.spring(input)
        if let time = input["t"]?.number, let wanted = expected["value"]?.number {
            // The unit of travel makes the relative velocity the absolute one.
            let value = spring.value(from: 0, to: 1, velocity: input["initialVelocity"]?.number ?? 0, at: time)
            #expect(abs(value - wanted) <= 1e-9)
        }
        if let wanted = expected["stiffness"]?.number { #expect(abs(spring.stiffness - wanted) <= 1e-9 * wanted) }
        if let wanted = expected["damping"]?.number { #expect(abs(spring.damping - wanted) <= 1e-9 * wanted) }
    }

    @Test(arguments: try VectorCase.all("spring_map", in: "easing.json"))
    func `all parameter forms of a spring give the same stiffness and damping`(vector: VectorCase) throws {
        let spring = try Self.spring(vector.fields["params"] ?? .null)
        let expected = vector.fields["expect"] ?? .null
        let mass = expected["mass"]?.number ?? 1
        for (name, value) in [
            ("stiffness", spring.stiffness * mass), ("damping", spring.damping * mass),
            ("dampingRatio", spring.dampingRatio), ("response", spring.response),
        ] {
            let wanted = try #require(expected[name]?.number)
            #expect(abs(value - wanted) <= 1e-9 * max(1, abs(wanted)), "\(name)")
        }
    }

    @Test(arguments: try VectorCase.all("spring_settle", in: "easing.json"))
    func `a spring's settling time is its last crossing of the tolerance`(vector: VectorCase) throws {
        let fields = vector.fields
        let time = try Self.spring(fields["params"] ?? .null).settlingDuration(
            from: try #require(fields["from"]?.number), to: try #require(fields["to"]?.number),
            velocity: try #require(fields["v0"]?.number),
            tolerance: try #require(fields["epsilon"]?.number))
        #expect(abs(time - (try #require(fields["expect"]?.number))) <= (try #require(fields["tol"]?.number)))
    }

    @Test(arguments: try VectorCase.all("spring_from_settling", in: "easing.json"))
    func `a spring from a settling duration equals SwiftUI's`(vector: VectorCase) throws {
        let spring = try Self.spring(vector.fields["params"] ?? .null)
        let expected = vector.fields["expect"] ?? .null
        for (name, value) in [
            ("omega0", spring.angularFrequency), ("stiffness", spring.stiffness), ("damping", spring.damping),
        ] {
            guard let wanted = expected[name]?.number else { continue }
            #expect(abs(value / wanted - 1) <= (try #require(vector.fields["tol"]?.number)), "\(name)")
        }
    }

    @Test(arguments: try VectorCase.all("spring_retarget", in: "easing.json"))
    func `a retargeted spring keeps value and velocity`(vector: VectorCase) throws {
        let spring = try Self.spring(vector.fields["params"] ?? .null)
        let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, threshold: 1e-9)
        var now = Instant(nanoseconds: 0)
        var motion: Motion?
        for (leg, expected) in zip(vector.fields["chain"]?.list ?? [], vector.fields["expect"]?.list ?? []) {
            let to = try #require(leg["to"]?.number)
            let next =
                try motion?.retargeted(to: to, course: course, at: now, overshoot: .allow)
                ?? Motion(
                    from: try #require(leg["from"]?.number), to: to, course: course, startingAt: now,
                    velocity: try #require(leg["v0"]?.number))
            now = now.advanced(bySeconds: try #require(leg["for"]?.number))
            let scale = max(1, abs(next.to - next.from))
            #expect(abs(next.value(at: now) - (try #require(expected["value"]?.number))) <= 1e-9 * scale)
            let velocity = next.velocity(at: now)
            #expect(
                abs(velocity - (try #require(expected["velocity"]?.number))) <= 1e-9 * scale * spring.angularFrequency)
            motion = next
        }
    }

    /// A spring from a vector's parameters, whichever way they describe it.
    static func spring(_ fields: JSONValue) throws -> Spring {
        if let duration = fields["duration"]?.number, let bounce = fields["bounce"]?.number {
            return try Spring(duration: duration, bounce: bounce)
        }
        if let mass = fields["mass"]?.number, let stiffness = fields["stiffness"]?.number,
            let damping = fields["damping"]?.number
        {
            return try Spring(mass: mass, stiffness: stiffness, damping: damping)
        }
        let ratio = try #require(fields["dampingRatio"]?.number)
        if let time = fields["settlingDuration"]?.number {
            return try Spring(
                dampingRatio: ratio, settlingDuration: time, threshold: fields["epsilon"]?.number ?? 0.001)
        }
        return try Spring(dampingRatio: ratio, response: try #require(fields["response"]?.number))
    }
}
