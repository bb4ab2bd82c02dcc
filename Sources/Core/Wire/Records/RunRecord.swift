// A running motion as it is stored: its request, its course and its playback.

import Base
import Board
import Labels
import RecurrenceRules
import Tween

enum RunRecord {
    static func append(_ run: Run, _ parts: inout RecordParts, to record: inout some FieldWriter) {
        record.member("animation", integer: Int64(bitPattern: run.animation))
        TrackRecord.append("origin", run.origin, to: &record)
        if let then = run.then {
            parts.append("then", then.source, as: RecordPart.then(run.animation), to: &record)
        }
        if let otherwise = run.otherwise {
            parts.append("else", otherwise.source, as: RecordPart.otherwise(run.animation), to: &record)
        }
        if let milestones = run.milestoneActions {
            parts.append(
                "milestoneActions", milestones.source, as: RecordPart.milestones(run.animation), to: &record)
        }
        if let owner = run.owner { record.member("owner", owner) }
        record.member("lastValue", stored: run.lastValue, unless: run.origin.double)
        record.member("request") { record in
            record.member("to", exact: run.request.target)
            append(run.request.waypoints, to: &record)
            for field in TrackUpdate.MotionField.allCases { field.store(run, to: &record) }
        }
        if !run.crossed.isEmpty { record.list("crossed") { for value in run.crossed { $0.exact(value) } } }
        record.member("motion") { append(run.motion, of: run, to: &$0) }
        if let maximum = run.maximum { record.member("maximum") { append(maximum.motion, of: run, to: &$0) } }
    }

    static func run(
        _ fields: inout FieldReader, _ parts: [UInt64: [UInt8]], kind: ResourceKind, rules: any CalendarRules
    ) throws(Problem) -> Run {
        let animation = UInt64(bitPattern: try fields.integer64("animation"))
        let origin = try TrackRecord.position("origin", &fields)
        var then = try actions("then", &fields, parts, rules)
        var otherwise = try actions("else", &fields, parts, rules)
        var milestoneActions = try self.milestoneActions(&fields, parts, rules)
        if let owner = try fields.string("owner") {
            then?.owner = owner
            otherwise?.owner = owner
            milestoneActions = milestoneActions?.posted(by: owner)
        }
        let lastValue = try fields.number("lastValue") ?? origin.double
        var request = try FieldReader(
            fields.document, try fields.required(fields.read("request"), "request"), pointer: "/request")
        var motion = try FieldReader(
            fields.document, try fields.required(fields.read("motion"), "motion"), pointer: "/motion")
        let target = try request.required(try request.decimal("to"), "to")
        var update = TrackUpdate()
        if request.has("keyframes") {
            update.goal = .along(try KeyframeDecoder.waypoints("keyframes", &request))
        }
        for field in TrackUpdate.MotionField.allCases { try field.restore(&request, into: &update) }
        let asked = MotionRequest(update, target: target, kind: kind)
        let crossed = try self.crossed(&fields)
        let maximum = try fields.read("maximum").map { node throws(Problem) in
            var maximum = try FieldReader(fields.document, node, pointer: "/maximum")
            return MaximumChange(try self.motion(&maximum, of: asked, from: origin))
        }
        return Run(
            motion: try self.motion(&motion, of: asked, from: origin), maximum: maximum, animation: animation,
            request: asked,
            origin: origin, then: then, otherwise: otherwise, milestones: update.milestones ?? [], crossed: crossed,
            milestoneActions: milestoneActions, lastValue: lastValue)
    }

    private static func crossed(_ fields: inout FieldReader) throws(Problem) -> [ExactDecimal] {
        guard let node = fields.read("crossed"), case .array(let elements) = node.content else { return [] }
        var values: [ExactDecimal] = []
        for element in elements { values.append(try fields.decimal(element, named: "crossed")) }
        return values
    }

    private static func milestoneActions(
        _ fields: inout FieldReader, _ parts: [UInt64: [UInt8]], _ rules: any CalendarRules
    ) throws(Problem) -> MilestoneActions? {
        guard let text = try fields.text("milestoneActions", in: parts) else { return nil }
        var stored = try FieldReader(text.document, text.node, pointer: "/run")
        var update = TrackUpdate()
        try MilestoneDecoder.read(&stored, into: &update, scope: ActionScope(rules: rules))
        return update.milestoneActions
    }

    private static func actions(
        _ name: String, _ fields: inout FieldReader, _ parts: [UInt64: [UInt8]], _ rules: any CalendarRules
    ) throws(Problem) -> ActionList? {
        guard let text = try fields.text(name, in: parts) else { return nil }
        return try ActionDecoder.actions(
            text.document, text.node, pointer: "/\(name)", scope: ActionScope(rules: rules))
    }

    /// Appends keyframes in the form of a request; nothing if there are none.
    static func append(_ waypoints: [TrackUpdate.Waypoint], to record: inout some FieldWriter) {
        guard !waypoints.isEmpty else { return }
        record.list("keyframes") { record in
            for waypoint in waypoints {
                record.object {
                    $0.member("to", exact: waypoint.target)
                    $0.member("offset", stored: waypoint.offset)
                    if let easing = waypoint.easing { $0.member("easing", easing.description) }
                }
            }
        }
    }

    // MARK: - Motion

    /// Appends a motion; omits what equals its run and its request.
    private static func append(_ motion: Motion, of run: Run, to record: inout some FieldWriter) {
        let request = run.request
        record.member("from", stored: motion.from, unless: run.origin.double)
        record.member("to", stored: motion.to, unless: request.target.double)
        // The keyframes themselves are the request's.
        record.member("along", motion.keyframes != nil, unless: false)
        record.member("velocity", stored: motion.handover, unless: 0)
        record.member("clamp", motion.overshoot)
        record.member("start", at: motion.playback.start)
        record.member("offset", stored: motion.playback.offset, unless: 0)
        if let hold = motion.playback.hold { record.member("hold", stored: hold) }
        record.member("rate", stored: motion.playback.rate, unless: 1)
        let course = motion.course
        record.member("delay", stored: course.delay, unless: 0)
        record.member("endDelay", stored: course.endDelay, unless: 0)
        record.member("iterations", count: course.cycles.iterations, unless: 1)
        record.member("direction", course.cycles.direction, unless: .normal)
        record.member("repeatDelay", stored: course.cycles.repeatDelay, unless: 0)
        switch course {
        case .timed(let timing):
            if request.length != .seconds(timing.duration) { record.member("duration", stored: timing.duration) }
            if request.curve != .easing(timing.easing) { record.member("easing", timing.easing.description) }
        case .spring(let spring, _, _, _, let threshold):
            CurveRecord.append(spring, to: &record)
            record.member("threshold", stored: threshold, unless: 0)
        }
    }

    private static func motion(
        _ fields: inout FieldReader, of request: MotionRequest, from origin: Position
    ) throws(Problem) -> Motion {
        let from = try fields.number("from") ?? origin.double
        let to = try fields.number("to") ?? request.target.double
        let velocity = try fields.number("velocity") ?? 0
        let overshoot = try TrackUpdate.MotionField.overshoot(&fields) ?? .allow
        let playback = Playback(
            start: try fields.instant("start"), offset: try fields.number("offset") ?? 0,
            hold: try fields.number("hold"),
            rate: try fields.number("rate") ?? 1)
        return Motion(
            from: from, to: to, course: try course(&fields, of: request),
            along: try fields.bool("along") == true ? request.keyframes : nil, handover: velocity, overshoot: overshoot,
            playback: playback)
    }

    private static func course(
        _ fields: inout FieldReader, of request: MotionRequest
    ) throws(Problem) -> Motion.Course {
        let delay = try fields.number("delay") ?? 0
        let endDelay = try fields.number("endDelay") ?? 0
        let cycles = Cycles(
            iterations: fields.read("iterations").map { fields.double($0) ?? .infinity } ?? 1,
            direction: try fields.choice("direction", Direction.self) ?? .normal,
            repeatDelay: try fields.number("repeatDelay") ?? 0)
        if fields.has("angularFrequency") {
            let threshold = try fields.number("threshold") ?? 0
            return .spring(
                try CurveRecord.spring(&fields), delay: delay, endDelay: endDelay, cycles: cycles, threshold: threshold)
        }
        let easing: Easing
        if let text = try fields.string("easing") {
            easing = try CurveRecord.easing(text, fields)
        } else if case .easing(let asked) = request.curve {
            easing = asked
        } else {
            throw .field(fields.pointer(to: "easing"), "is missing")
        }
        var duration = try fields.number("duration")
        if case .seconds(let asked) = request.length { duration = duration ?? asked }
        return .timed(
            Timing(
                duration: try fields.required(duration, "duration"), delay: delay, endDelay: endDelay, cycles: cycles,
                easing: easing))
    }
}
