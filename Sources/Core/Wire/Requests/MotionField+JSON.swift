// The fields that describe how a number gets to its target, each with its JSON: how it is decoded, stored and shown. A new
// field only needs the switches here.

import Board
import Labels
import Tween

extension TrackUpdate.MotionField {
    /// Its names in the API.
    var names: [String] { self == .curve ? ["easing", "spring"] : [rawValue] }

    /// Decodes it into an update; fields before it must have been decoded.
    /// - Throws: 422, naming the field.
    func read(
        _ fields: inout FieldReader, into update: inout TrackUpdate, scope: ActionScope
    ) throws(Problem) {
        switch self {
        case .duration: update.length = try Self.length(&fields)
        case .delay: update.delay = try fields.number("delay", in: Self.seconds)
        case .endDelay: update.endDelay = try fields.number("endDelay", in: Self.seconds)
        case .curve: update.curve = try CurveDecoder.curve(&fields, hasLength: update.length != nil)
        case .repeat: update.repeats = try Self.repeats(&fields)
        case .repeatDelay: update.repeatDelay = try fields.number("repeatDelay", in: Self.seconds)
        case .autoreverse: update.autoreverse = try fields.bool("autoreverse")
        case .direction: update.direction = try fields.choice("direction", Direction.self)
        case .rate: update.rate = try fields.number("rate", in: UpdateDecoder.rates)
        case .clamp: update.clamp = try Self.overshoot(&fields)
        case .animated: update.animated = try fields.bool("animated")
        case .interrupt: update.interruption = try fields.choice("interrupt", TrackUpdate.Interruption.self)
        case .milestones: try MilestoneDecoder.read(&fields, into: &update, scope: scope)
        }
    }

    /// Writes a run's value into its record, exactly; omits the default.
    func store(_ run: Run, to record: inout some FieldWriter) {
        switch self {
        case .duration: Self.append(run.request.length, to: &record)
        case .delay: record.member("delay", stored: run.request.delay, unless: 0)
        case .endDelay: record.member("endDelay", stored: run.request.endDelay, unless: 0)
        case .curve: CurveRecord.append(run.request.curve, to: &record)
        case .repeat: record.member("repeat", count: run.request.repeats, unless: 0)
        case .repeatDelay: record.member("repeatDelay", stored: run.request.repeatDelay, unless: 0)
        case .autoreverse: record.member("autoreverse", run.request.autoreverse, unless: false)
        case .direction: record.member("direction", run.request.direction, unless: .normal)
        case .rate: record.member("rate", stored: run.request.rate, unless: 1)
        case .clamp: record.member("clamp", run.request.clamp)
        case .animated: record.member("animated", run.request.animated, unless: true)
        case .interrupt: break  // not needed once the motion has begun
        case .milestones:
            guard !run.milestones.isEmpty else { return }
            record.list("milestones") { for value in run.milestones { $0.exact(value) } }
        }
    }

    /// Reads what `store` wrote.
    /// - Throws: A problem, naming the field.
    func restore(_ fields: inout FieldReader, into update: inout TrackUpdate) throws(Problem) {
        // A curve is stored by its computed parameters, not by those of the request.
        guard self == .curve else {
            // A run's actions are parts of its record.
            return try read(&fields, into: &update, scope: ActionScope(rules: NoCalendarRules()))
        }
        update.curve = try CurveRecord.curve(&fields)
    }

    /// Writes a run's value into an answer, in the form of an update; omits most defaults.
    func show(_ run: Run, to json: inout JSONWriter) {
        switch self {
        case .duration:
            if case .timed(let timing) = run.motion.course { json.member("duration", timing.duration) }
        case .delay: json.member("delay", run.motion.course.delay)
        case .endDelay: json.member("endDelay", run.motion.course.endDelay, unless: 0)
        case .curve: CurveRecord.show(run, to: &json)
        case .repeat:
            json.member("repeat", count: run.request.repeats, unless: 0)
            json.member("iterations", count: run.motion.course.cycles.iterations, unless: 1)
        case .repeatDelay: json.member("repeatDelay", run.request.repeatDelay, unless: 0)
        case .autoreverse: json.member("autoreverse", run.request.autoreverse, unless: false)
        case .direction:
            json.member("direction", run.motion.course.cycles.direction, unless: .normal)
        case .rate: json.member("rate", run.motion.playback.rate, unless: 1)
        case .clamp: json.member("clamp", run.request.clamp)
        case .animated: json.member("animated", run.request.animated, unless: true)
        case .interrupt: break  // not needed once the motion has begun
        case .milestones:
            guard !run.milestones.isEmpty else { return }
            json.list("milestones") { for value in run.milestones { $0.number(value) } }
        }
    }

    // MARK: - Values

    private static let seconds = 0...TrackUpdate.maximumSeconds
    /// The range of `repeat`.
    private static let counts = 0...1_000_000_000.0

    private static func length(_ fields: inout FieldReader) throws(Problem) -> TrackUpdate.Length? {
        guard let node = fields.read("duration") else { return nil }
        if case .string("auto") = node.content { return .automatic }
        guard let length = fields.double(node), seconds.contains(length) || fields.isStored else {
            throw .field(fields.pointer(to: "duration"), "must be seconds between 0 and 31536000, or \"auto\"")
        }
        return .seconds(length.held(in: seconds))
    }

    private static func append(_ length: TrackUpdate.Length, to record: inout some FieldWriter) {
        switch length {
        case .seconds(let seconds): record.member("duration", stored: seconds)
        case .automatic: record.member("duration", "auto")
        }
    }

    private static func repeats(_ fields: inout FieldReader) throws(Problem) -> Double? {
        guard let node = fields.read("repeat") else { return nil }
        if case .string("forever") = node.content { return .infinity }
        guard let count = fields.double(node), counts.contains(count) || fields.isStored else {
            throw .field(fields.pointer(to: "repeat"), "must be a number between 0 and 1000000000, or \"forever\"")
        }
        return count.held(in: counts)
    }

    /// Decodes `clamp`: true and false stand for clamp and allow.
    static func overshoot(_ fields: inout FieldReader) throws(Problem) -> Overshoot? {
        guard let node = fields.read("clamp") else { return nil }
        switch node.content {
        case .bool(let isClamped): return isClamped ? .clamp : .allow
        case .string(let name): if let overshoot = Overshoot(rawValue: name) { return overshoot }
        default: break
        }
        let names = Overshoot.allCases.map(\.rawValue).joined(separator: ", ")
        throw .field(fields.pointer(to: "clamp"), "must be true, false or one of \(names)")
    }
}
