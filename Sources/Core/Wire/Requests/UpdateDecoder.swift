// Decodes updates of tickers and progresses from JSON; checks every field and names the one at fault.

package import Base
package import Board
import Labels
package import RecurrenceRules
import Tween

/// Decodes updates.
package enum UpdateDecoder {
    /// The maximum length of a label in bytes of UTF-8.
    package static let maximumLabelBytes = 4_096
    /// The maximum length of an easing in bytes.
    static let maximumEasingBytes = 4_096
    /// The range of playback rates; negative ones run backwards.
    static let rates = -1_000.0...1_000.0

    /// The fields that a request may have.
    package enum Role: Sendable {
        /// `POST`: starts motions.
        case update
        /// `PUT`: what is shown, default timing, default actions and time to live; nothing that moves the number.
        case definition
    }

    /// - Parameter rules: Calendar rules for schedules in its actions.
    /// - Throws: 400 or 422, naming the field.
    package static func update(
        _ body: [UInt8], kind: ResourceKind, role: Role, rules: any CalendarRules = NoCalendarRules()
    ) throws(Problem) -> TrackUpdate {
        let document = try document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        // Without surrounding space, so that it is the same when it is read from a record.
        let source = document.source(of: document.root)
        return try update(&fields, source: source, kind: kind, role: role, scope: ActionScope(rules: rules))
    }

    /// Decodes an update's own JSON, as kept from a request, a line of a batch or an action.
    package static func update(
        ofSource source: [UInt8], kind: ResourceKind, role: Role, rules: any CalendarRules
    ) throws(Problem) -> TrackUpdate {
        let document = try document(source, from: .stored)
        var fields = try FieldReader(document, document.root, pointer: "")
        // The JSON of a line or an action also has its target's name.
        _ = fields.read("\(kind)")
        return try update(&fields, source: source, kind: kind, role: role, scope: ActionScope(rules: rules))
    }

    /// Some editors and libraries begin texts with this mark; it may be ignored (RFC 8259, 8.1).
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

    /// Decodes the remaining members as an update.
    static func update(
        _ fields: inout FieldReader, source: [UInt8], kind: ResourceKind, role: Role, scope: ActionScope
    ) throws(Problem) -> TrackUpdate {
        var update = TrackUpdate(source: source)
        // The most frequent fields come first; when nothing is left, the others cost nothing.
        if role == .update { try readTarget(&fields, into: &update, kind: kind) }
        for field in TrackUpdate.MotionField.allCases {
            guard !fields.isUsedUp else { break }
            try field.read(&fields, into: &update, scope: scope)
        }
        // These fields are only checked if there are any.
        let isPlain = fields.isUsedUp
        if !isPlain {
            for field in RenderingField.all(of: kind) { try field.read(&fields, into: &update) }
            if role == .update { try readOtherGoals(&fields, into: &update, of: kind, scope: scope) }
            update.then = try actions("then", &fields, scope)
        }
        if !isPlain { try DecayDecoder.check(update, fields) }
        try KeyframeDecoder.check(update.goal, update.curve, fields)
        if !isPlain { try RenderingField.check(update, of: kind, fields) }
        if update.decimals == nil, !update.$format { try checkDigits(of: update.goal, kind: kind, fields) }
        try fields.finish { MistakenField.hint(for: $0, of: kind, role) }
        if role == .update, update.goal == nil { try checkPurpose(of: update, kind: kind, fields, scope) }
        return update
    }

    /// Rejects an update that neither moves nor changes anything else that a request may change.
    private static func checkPurpose(
        of update: TrackUpdate, kind: ResourceKind, _ fields: FieldReader, _ scope: ActionScope
    ) throws(Problem) {
        if kind == .ticker {
            guard !isOfText(update, scope) else { return }
            throw .field(
                fields.pointer + "/to",
                "an update needs `to`, `by`, `max`, `min` or `decay`; to set only a label, send it with `PUT`")
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

    /// Decodes the target in its most frequent form.
    private static func readTarget(
        _ fields: inout FieldReader, into update: inout TrackUpdate, kind: ResourceKind
    ) throws(Problem) {
        let name = MistakenField.target(of: kind)
        if fields.holdsArray(name) {
            update.goal = .along(try KeyframeDecoder.waypoints(name, &fields))
        } else {
            try read(name, as: TrackUpdate.Goal.to, &fields, into: &update, of: kind)
        }
    }

    /// Decodes other goals, the start of the motion, and its actions.
    private static func readOtherGoals(
        _ fields: inout FieldReader, into update: inout TrackUpdate, of kind: ResourceKind, scope: ActionScope
    ) throws(Problem) {
        try read("by", as: TrackUpdate.Goal.by, &fields, into: &update, of: kind)
        try read("max", as: TrackUpdate.Goal.max, &fields, into: &update, of: kind)
        try read("min", as: TrackUpdate.Goal.min, &fields, into: &update, of: kind)
        if let decay = try DecayDecoder.decay(&fields) {
            guard update.goal == nil else {
                throw .field(fields.pointer(to: "decay"), "give either `decay` or a target, not both")
            }
            update.goal = .decay(decay)
        }
        update.from = try fields.decimal("from")
        update.start = try AnchorDecoder.anchor(&fields)
        update.sequence = try fields.integer("sequence", in: 0...TrackUpdate.maximumSequence)
        update.otherwise = try actions("else", &fields, scope)
    }

    /// Whether an action only changes a ticker's text. Requests use `PUT` for that.
    private static func isOfText(_ update: TrackUpdate, _ scope: ActionScope) -> Bool {
        guard scope.depth > 0, update.label != nil || update.prefix != nil || update.suffix != nil else { return false }
        return update.isOfRenderingAlone
    }

    private static func actions(
        _ name: String, _ fields: inout FieldReader, _ scope: ActionScope
    ) throws(Problem) -> ActionList? {
        guard let node = fields.read(name) else { return nil }
        return try ActionDecoder.actions(fields.document, node, pointer: fields.pointer(to: name), scope: scope)
    }

    /// Decodes one of the alternative goals.
    private static func read(
        _ name: String, as goal: (ExactDecimal) -> TrackUpdate.Goal, _ fields: inout FieldReader,
        into update: inout TrackUpdate, of kind: ResourceKind
    ) throws(Problem) {
        guard let number = try fields.decimal(name) else { return }
        guard update.goal == nil else {
            let hint = kind == .progress && name == "max" ? NearestName.question("maximum") : ""
            throw .field(
                fields.pointer(to: name), "an update has one target; leave out `\(name)` or the other one" + hint)
        }
        update.goal = goal(number)
    }

    /// Rejects a target with more decimals than can be shown, if no field sets the rounding.
    private static func checkDigits(
        of goal: TrackUpdate.Goal?, kind: ResourceKind, _ fields: FieldReader
    ) throws(Problem) {
        guard !fields.isStored else { return }
        let (name, scale) =
            switch goal {
            case .to(let end): (MistakenField.target(of: kind), end.scale)
            case .along(let waypoints):
                (MistakenField.target(of: kind), waypoints.reduce(0) { max($0, $1.target.scale) })
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
