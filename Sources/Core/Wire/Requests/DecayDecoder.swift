// `decay`: a decaying velocity instead of a target.

import Board
import Labels

enum DecayDecoder {
    /// The maximum velocity, in units per second.
    static let maximumVelocity = 1e15
    /// From a frame of a fast screen to more than a day.
    static let timeConstants = 0.001...100_000.0

    static func decay(_ fields: inout FieldReader) throws(Problem) -> TrackUpdate.Decay? {
        guard let node = fields.read("decay") else { return nil }
        var members = try FieldReader(fields.document, node, pointer: fields.pointer(to: "decay"))
        var decay = TrackUpdate.Decay()
        decay.velocity = try members.number("velocity", in: -maximumVelocity...maximumVelocity)
        decay.timeConstant = try members.number("timeConstant", in: timeConstants) ?? decay.timeConstant
        decay.minimum = try members.decimal("min")
        decay.maximum = try members.decimal("max")
        if let low = decay.minimum, let high = decay.maximum, high < low {
            throw .field(members.pointer(to: "max"), "must be at least `min`")
        }
        try members.finish()
        return decay
    }

    /// Rejects fields that contradict a decay's own timing.
    static func check(_ update: TrackUpdate, _ fields: FieldReader) throws(Problem) {
        guard case .decay = update.goal else { return }
        let name: String? =
            if update.length != nil {
                "duration"
            } else if let curve = update.curve {
                if case .easing = curve { "easing" } else { "spring" }
            } else if update.repeats != nil {
                "repeat"
            } else if update.autoreverse != nil {
                "autoreverse"
            } else {
                update.direction == nil ? nil : "direction"
            }
        guard let name else { return }
        throw .field(fields.pointer(to: name), "a decay computes its target and duration itself; leave out `\(name)`")
    }
}
