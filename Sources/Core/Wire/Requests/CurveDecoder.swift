// `easing` and `spring`: the curve of a motion.

import Board
import Tween

enum CurveDecoder {
    static func curve(_ fields: inout FieldReader, hasLength: Bool) throws(Problem) -> TrackUpdate.Curve? {
        let easing = try easing(&fields)
        let node = fields.read("spring")
        switch (easing, node) {
        case (nil, nil): return nil
        case (.some, .some): throw .field(fields.pointer(to: "spring"), "give either `easing` or `spring`, not both")
        case (let easing?, nil): return .easing(easing)
        case (nil, let node?):
            let specification = try specification(node, fields)
            if case .spring = specification, hasLength {
                throw .field(
                    fields.pointer(to: "duration"), "this spring sets its own timing; leave out `duration`")
            }
            return .spring(specification)
        }
    }

    /// Decodes `easing` of an update or a keyframe.
    static func easing(_ fields: inout FieldReader) throws(Problem) -> Easing? {
        guard let text = try fields.string("easing", longest: UpdateDecoder.maximumEasingBytes) else { return nil }
        let easing: Easing
        do throws(EasingError) {
            easing = try Easing(parsing: text)
        } catch {
            let isSpring = Spring.Preset(rawValue: text) != nil
            throw .field(
                fields.pointer(to: "easing"),
                isSpring ? "\(text) is a spring: give it as `spring`, without a `duration`" : "\(error)")
        }
        if !fields.isStored { try LineRoom.check(easing, at: fields.pointer(to: "easing")) }
        return easing
    }

    /// Decodes a spring by name or by parameters.
    private static func specification(
        _ node: JSONNode, _ fields: borrowing FieldReader
    ) throws(Problem) -> SpringSpecification {
        let pointer = fields.pointer(to: "spring")
        if case .string(let name) = node.content {
            guard let preset = Spring.Preset(rawValue: name) else {
                let names = Spring.Preset.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw .field(pointer, "must be one of \(names), or an object")
            }
            return .spring(Spring(preset), initialVelocity: 0)
        }
        var spring = try FieldReader(fields.document, node, pointer: pointer)
        let specification = try specification(&spring)
        try spring.finish()
        return specification
    }

    private static func specification(_ fields: inout FieldReader) throws(Problem) -> SpringSpecification {
        let velocity = try fields.number("initialVelocity", in: -1_000_000...1_000_000) ?? 0
        let ratio = try fields.number("dampingRatio", in: 0...1_000)
        let response = try fields.number("response", in: 0...TrackUpdate.maximumSeconds)
        let duration = try fields.number("duration", in: 0...TrackUpdate.maximumSeconds)
        let bounce = try fields.number("bounce", in: -1...1)
        let mass = try fields.number("mass", in: 0...1e12)
        let stiffness = try fields.number("stiffness", in: 0...1e12)
        let damping = try fields.number("damping", in: 0...1e12)
        let make: () throws(SpringError) -> SpringSpecification
        switch (ratio, response, duration, bounce, mass, stiffness, damping) {
        case (let ratio?, nil, nil, nil, nil, nil, nil):
            make = { () throws(SpringError) in
                // Checked with any duration, since only the ratio can be rejected.
                _ = try Spring(dampingRatio: ratio, settledWithin: 1)
                return .settling(dampingRatio: ratio, initialVelocity: velocity)
            }
        case (let ratio?, let response?, nil, nil, nil, nil, nil):
            make = { () throws(SpringError) in
                .spring(try Spring(dampingRatio: ratio, response: response), initialVelocity: velocity)
            }
        case (nil, nil, let duration?, let bounce, nil, nil, nil):
            make = { () throws(SpringError) in
                .spring(try Spring(duration: duration, bounce: bounce ?? 0), initialVelocity: velocity)
            }
        case (nil, nil, nil, nil, let mass, let stiffness?, let damping?):
            make = { () throws(SpringError) in
                .spring(
                    try Spring(mass: mass ?? 1, stiffness: stiffness, damping: damping), initialVelocity: velocity)
            }
        default:
            throw .field(
                fields.pointer,
                "must be {dampingRatio}, {dampingRatio, response}, {duration, bounce} or {mass, stiffness, damping}")
        }
        do throws(SpringError) {
            return try make()
        } catch {
            throw .field(fields.pointer, "\(error)")
        }
    }
}
