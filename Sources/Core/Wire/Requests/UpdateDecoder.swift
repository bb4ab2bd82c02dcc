// Updates of tickers and progresses from JSON, every field checked and named when at fault.

package import Base
package import Board
import Labels
package import RecurrenceRules
import Tween

/// Decodes updates.
package enum UpdateDecoder {
    /// The longest label, in bytes of UTF-8.
    package static let maximumLabelBytes = 4_096
    /// The longest easing text, in bytes.
    static let maximumEasingBytes = 4_096
    /// The playback rates, which run backwards below 0.
    static let rates = -1_000.0...1_000.0

    /// What a request may hold.
    package enum Role: Sendable {
        /// `POST`: moves.
        case update
        /// `PUT`: label, format and default timing only.
        case definition
    }

    /// - Parameter rules: For schedules that its actions make.
    /// - Throws: 400 or 422, naming the field.
    package static func update(
        _ body: [UInt8], kind: ResourceKind, role: Role, rules: any CalendarRules = NoCalendarRules()
    ) throws(Problem) -> TrackUpdate {
        let document = try document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        // Without the space around it: a record has none, and what is read from it is to be what was taken.
        let source = document.source(of: document.root)
        return try update(&fields, source: source, kind: kind, role: role, scope: ActionScope(rules: rules))
    }

    /// An update's own JSON, as it came with a request, a line of a batch or an action.
    package static func update(
        ofSource source: [UInt8], kind: ResourceKind, role: Role, rules: any CalendarRules
    ) throws(Problem) -> TrackUpdate {
        let document = try document(source, from: .stored)
        var fields = try FieldReader(document, document.root, pointer: "")
        // A line's, or an action's, still names its target.
        _ = fields.take("\(kind)")
        return try update(&fields, source: source, kind: kind, role: role, scope: ActionScope(rules: rules))
    }

    /// What some editors and libraries begin a text with: it says nothing of JSON, and may be passed over (RFC 8259, 8.1).
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package static func document(
        _ body: [UInt8], from origin: JSONDocument.Origin = .request
    ) throws(Problem) -> JSONDocument {
        let hasMark = origin == .request && body.starts(with: byteOrderMark)
        do throws(JSONError) {
            return try JSONDocument(hasMark ? Array(body.dropFirst(byteOrderMark.count)) : body, from: origin)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads the members that are left as an update.
    static func update(
        _ fields: inout FieldReader, source: [UInt8], kind: ResourceKind, role: Role, scope: ActionScope
    ) throws(Problem) -> TrackUpdate {
        var update = TrackUpdate(source: source)
        // What nearly every update has comes first: with nothing left to take, the rest costs nothing.
        if role == .update { try readTarget(&fields, into: &update, kind: kind) }
        for field in TrackUpdate.MotionField.allCases {
            guard !fields.isUsedUp else { break }
            try field.read(&fields, into: &update)
        }
        // What is read here alone is checked where there was some.
        let isPlain = fields.isUsedUp
        if !isPlain {
            for field in RenderingField.all(of: kind) { try field.read(&fields, into: &update) }
            if role == .update { try readOtherGoals(&fields, into: &update, scope: scope) }
        }
        if !isPlain { try DecayDecoder.check(update, fields) }
        try KeyframeDecoder.check(update.goal, update.curve, fields)
        if !isPlain { try RenderingField.check(update, of: kind, fields) }
        if update.decimals == nil, !update.$format { try checkDigits(of: update.goal, kind: kind, fields) }
        try fields.finish()
        if role == .update, update.goal == nil { try checkPurpose(of: update, kind: kind, fields, scope) }
        return update
    }

    /// Refuses an update that goes nowhere and changes nothing else that a request may.
    private static func checkPurpose(
        of update: TrackUpdate, kind: ResourceKind, _ fields: FieldReader, _ scope: ActionScope
    ) throws(Problem) {
        if kind == .ticker, !isOfText(update, scope) {
            throw .field(
                fields.pointer + "/to",
                "an update needs `to`, `by`, `max`, `min` or `decay`; `PUT` sets a text alone")
        }
        if update.maximum == nil, update.initial == nil, update.label == nil, update.appearance == nil,
            update.indeterminate == nil
        {
            throw .field(
                fields.pointer + "/current",
                "an update needs `current`, `by`, `decay`, `maximum`, `initial`, `label`, `indeterminate` or `appearance`"
            )
        }
    }

    /// Where the number goes, as nearly every update says it.
    private static func readTarget(
        _ fields: inout FieldReader, into update: inout TrackUpdate, kind: ResourceKind
    ) throws(Problem) {
        let name = kind == .progress ? "current" : "to"
        if fields.holdsArray(name) {
            update.goal = .along(try KeyframeDecoder.waypoints(name, &fields))
        } else {
            try read(name, as: TrackUpdate.Goal.to, &fields, into: &update)
        }
    }

    /// Where else the number may go, when, and what that sets off.
    private static func readOtherGoals(
        _ fields: inout FieldReader, into update: inout TrackUpdate, scope: ActionScope
    ) throws(Problem) {
        try read("by", as: TrackUpdate.Goal.by, &fields, into: &update)
        try read("max", as: TrackUpdate.Goal.max, &fields, into: &update)
        try read("min", as: TrackUpdate.Goal.min, &fields, into: &update)
        if let decay = try DecayDecoder.decay(&fields) {
            guard update.goal == nil else {
                throw .field(fields.pointer(to: "decay"), "give either `decay` or a target, not both")
            }
            update.goal = .decay(decay)
        }
        update.from = try fields.decimal("from")
        update.start = try AnchorDecoder.anchor(&fields)
        update.sequence = try fields.integer("sequence", in: 0...TrackUpdate.maximumSequence)
        update.then = try actions("then", &fields, scope)
        update.otherwise = try actions("else", &fields, scope)
    }

    /// Whether an action changes a ticker's text and nothing else. A request has `PUT` for that.
    private static func isOfText(_ update: TrackUpdate, _ scope: ActionScope) -> Bool {
        guard scope.depth > 0, update.label != nil || update.prefix != nil || update.suffix != nil else { return false }
        return update.isOfRenderingAlone
    }

    private static func actions(
        _ name: String, _ fields: inout FieldReader, _ scope: ActionScope
    ) throws(Problem) -> ActionList? {
        guard let node = fields.take(name) else { return nil }
        return try ActionDecoder.actions(fields.document, node, pointer: fields.pointer(to: name), scope: scope)
    }

    /// Reads one of the ways to say where the number goes.
    private static func read(
        _ name: String, as goal: (ExactDecimal) -> TrackUpdate.Goal, _ fields: inout FieldReader,
        into update: inout TrackUpdate
    ) throws(Problem) {
        guard let number = try fields.decimal(name) else { return }
        guard update.goal == nil else {
            throw .field(fields.pointer(to: name), "an update goes one way; leave `\(name)` out, or the other verb")
        }
        update.goal = goal(number)
    }

    /// Refuses a target of more digits than are shown, where it isn't said how to round it.
    private static func checkDigits(
        of goal: TrackUpdate.Goal?, kind: ResourceKind, _ fields: FieldReader
    ) throws(Problem) {
        guard !fields.isStored else { return }
        let (name, scale) =
            switch goal {
            case .to(let end): (kind == .progress ? "current" : "to", end.scale)
            case .along(let waypoints):
                (kind == .progress ? "current" : "to", waypoints.reduce(0) { max($0, $1.target.scale) })
            case .by(let amount): ("by", amount.scale)
            case .max(let end): ("max", end.scale)
            case .min(let end): ("min", end.scale)
            case .decay, nil: ("", 0)
            }
        guard !NumberPlan.decimalRange.contains(scale) else { return }
        throw .field(
            fields.pointer(to: name),
            "has more than \(NumberPlan.decimalRange.upperBound) digits after the point; set `decimals` to round what is shown"
        )
    }
}
