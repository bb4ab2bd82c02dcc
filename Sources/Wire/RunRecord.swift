// A running motion as it is stored: the request it answers, its course and its playback.

import Board
import Labels
import Tween

enum RunRecord {
    static func append(_ run: Run, _ parts: inout RecordParts, to json: inout JSONWriter) {
        json.member("animation", String(run.animation))
        TrackRecord.append("origin", run.origin, to: &json)
        if let then = run.then {
            parts.append("then", then.source, as: RecordPart.then(run.animation), to: &json)
        }
        if !run.milestones.isEmpty {
            json.list("milestones") { for value in run.milestones { $0.string(value.description.utf8) } }
        }
        json.member("lastValue", stored: run.lastValue, unless: run.origin.double)
        json.member("request") { append(run.request, to: &$0) }
        json.member("motion") { append(run.motion, of: run.request, to: &$0) }
    }

    static func run(
        _ fields: inout FieldReader, _ parts: [UInt64: [UInt8]], kind: ResourceKind
    ) throws(Problem) -> Run {
        let animation = UInt64(bitPattern: try fields.integer64("animation"))
        let origin = try TrackRecord.position("origin", &fields)
        let then = try fields.text("then", in: parts).map { text throws(Problem) in
            try ActionDecoder.actions(text.document, text.node, pointer: "/then", depth: 1)
        }
        let milestones = try milestones(&fields)
        let lastValue = try fields.number("lastValue") ?? origin.double
        var request = try FieldReader(
            fields.document, try fields.required(fields.take("request"), "request"), pointer: "/request")
        var motion = try FieldReader(
            fields.document, try fields.required(fields.take("motion"), "motion"), pointer: "/motion")
        let asked = try self.request(&request, kind: kind)
        return Run(
            motion: try self.motion(&motion, of: asked), animation: animation, request: asked, origin: origin,
            then: then, milestones: milestones, lastValue: lastValue)
    }

    private static func milestones(_ fields: inout FieldReader) throws(Problem) -> [ExactDecimal] {
        guard let node = fields.take("milestones"), case .array(let elements) = node.content else { return [] }
        var values: [ExactDecimal] = []
        for element in elements { values.append(try fields.decimal(element, pointer: "/milestones")) }
        return values
    }

    // MARK: - Request

    /// What an update leaves unsaid.
    private static let usual = MotionRequest(TrackUpdate(), defaults: TrackUpdate(), target: .zero, kind: .ticker)

    /// The request in the words of the contract, so that the reader of updates reads it too.
    private static func append(_ request: MotionRequest, to json: inout JSONWriter) {
        json.member("to", request.target.description)
        switch request.length {
        case .seconds(let seconds): json.member("duration", stored: seconds)
        case .automatic: json.member("duration", "auto")
        }
        json.member("delay", stored: request.delay, unless: usual.delay)
        json.member("endDelay", stored: request.endDelay, unless: usual.endDelay)
        appendCurve(request.curve, to: &json)
        append("repeat", request.repeats, unless: usual.repeats, to: &json)
        json.member("autoreverse", request.autoreverse, unless: usual.autoreverse)
        json.member("direction", request.direction.rawValue, unless: usual.direction.rawValue)
        json.member("rate", stored: request.rate, unless: usual.rate)
        json.member("clamp", request.clamp, unless: usual.clamp)
        json.member("animated", request.animated, unless: usual.animated)
    }

    /// A count that may be without end.
    private static func append(_ name: String, _ count: Double, unless usual: Double, to json: inout JSONWriter) {
        if count.isFinite { json.member(name, count, unless: usual) } else { json.member(name, "forever") }
    }

    private static func request(_ fields: inout FieldReader, kind: ResourceKind) throws(Problem) -> MotionRequest {
        let target = try fields.required(try fields.decimal("to"), "to")
        var update = TrackUpdate()
        let curve = try curve(&fields)
        try UpdateDecoder.readTiming(&fields, into: &update)
        update.curve = curve
        return MotionRequest(update, defaults: TrackUpdate(), target: target, kind: kind)
    }

    private static func appendCurve(_ curve: TrackUpdate.Curve, to json: inout JSONWriter) {
        switch curve {
        case .easing(let easing):
            json.member("curve", easing.description)
        case .spring(.settling(let dampingRatio, let velocity)):
            json.member("settling", stored: dampingRatio)
            json.member("initialVelocity", stored: velocity, unless: 0)
        case .spring(.spring(let spring, let velocity)):
            append(spring, to: &json)
            json.member("initialVelocity", stored: velocity, unless: 0)
        }
    }

    private static func append(_ spring: Spring, to json: inout JSONWriter) {
        // A spring that is there at once has an infinite one, which is null here.
        json.member("angularFrequency", spring.angularFrequency)
        json.member("dampingRatio", stored: spring.dampingRatio)
    }

    private static func curve(_ fields: inout FieldReader) throws(Problem) -> TrackUpdate.Curve {
        if let text = try fields.string("curve") { return .easing(try easing(text, fields)) }
        let velocity = try fields.number("initialVelocity") ?? 0
        if let ratio = try fields.number("settling") {
            return .spring(.settling(dampingRatio: ratio, initialVelocity: velocity))
        }
        return .spring(.spring(try spring(&fields), initialVelocity: velocity))
    }

    private static func easing(_ text: String, _ fields: FieldReader) throws(Problem) -> Easing {
        do throws(EasingError) {
            return try Easing(parsing: text)
        } catch {
            throw .field(fields.pointer, "\(error)")
        }
    }

    private static func spring(_ fields: inout FieldReader) throws(Problem) -> Spring {
        let node = try fields.required(fields.take("angularFrequency"), "angularFrequency")
        let ratio = try fields.required(try fields.number("dampingRatio"), "dampingRatio")
        do throws(SpringError) {
            return try Spring(frequency: fields.double(node) ?? .infinity, dampingRatio: ratio)
        } catch {
            throw .field(fields.pointer, "\(error)")
        }
    }

    // MARK: - Motion

    /// A motion; what it has from its request is left out.
    private static func append(_ motion: Motion, of request: MotionRequest, to json: inout JSONWriter) {
        json.member("from", stored: motion.from)
        json.member("to", stored: motion.to)
        json.member("velocity", stored: motion.handover, unless: 0)
        json.member("clamp", motion.clamped, unless: false)
        json.member("start", String(motion.playback.start.nanoseconds))
        json.member("offset", stored: motion.playback.offset, unless: 0)
        if let hold = motion.playback.hold { json.member("hold", stored: hold) }
        json.member("rate", stored: motion.playback.rate, unless: 1)
        switch motion.course {
        case .timed(let timing):
            if request.length != .seconds(timing.duration) { json.member("duration", stored: timing.duration) }
            json.member("delay", stored: timing.delay, unless: 0)
            json.member("endDelay", stored: timing.endDelay, unless: 0)
            append("iterations", timing.iterations, unless: 1, to: &json)
            json.member("direction", timing.direction.rawValue, unless: Direction.normal.rawValue)
            if request.curve != .easing(timing.easing) { json.member("easing", timing.easing.description) }
        case .spring(let spring, let delay, let endDelay, let threshold):
            append(spring, to: &json)
            json.member("delay", stored: delay, unless: 0)
            json.member("endDelay", stored: endDelay, unless: 0)
            json.member("threshold", stored: threshold, unless: 0)
        }
    }

    private static func motion(_ fields: inout FieldReader, of request: MotionRequest) throws(Problem) -> Motion {
        let from = try fields.required(try fields.number("from"), "from")
        let to = try fields.required(try fields.number("to"), "to")
        let velocity = try fields.number("velocity") ?? 0
        let clamped = try fields.bool("clamp") ?? false
        let playback = Playback(
            start: Instant(nanoseconds: try fields.integer64("start")), offset: try fields.number("offset") ?? 0,
            hold: try fields.number("hold"),
            rate: try fields.number("rate") ?? 1)
        return Motion(
            from: from, to: to, course: try course(&fields, of: request), handover: velocity, clamped: clamped,
            playback: playback)
    }

    private static func course(
        _ fields: inout FieldReader, of request: MotionRequest
    ) throws(Problem) -> Motion.Course {
        let delay = try fields.number("delay") ?? 0
        let endDelay = try fields.number("endDelay") ?? 0
        if fields.has("angularFrequency") {
            let threshold = try fields.number("threshold") ?? 0
            return .spring(try spring(&fields), delay: delay, endDelay: endDelay, threshold: threshold)
        }
        let easing: Easing
        if let text = try fields.string("easing") {
            easing = try self.easing(text, fields)
        } else if case .easing(let asked) = request.curve {
            easing = asked
        } else {
            throw .field(fields.pointer(to: "easing"), "is missing")
        }
        var duration = try fields.number("duration")
        if case .seconds(let asked) = request.length { duration = duration ?? asked }
        let iterations = fields.take("iterations").map { fields.double($0) ?? .infinity } ?? 1
        let direction = try fields.choice("direction", Direction.self) ?? .normal
        return .timed(
            Timing(
                duration: try fields.required(duration, "duration"), delay: delay, endDelay: endDelay,
                iterations: iterations, direction: direction, easing: easing))
    }
}
