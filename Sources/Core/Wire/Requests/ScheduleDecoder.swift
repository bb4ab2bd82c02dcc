// Decodes schedules from JSON.

import Base
package import Board
import Labels
package import RecurrenceRules
import Tween

/// Decodes schedules.
package enum ScheduleDecoder {
    /// Decodes a request's body. Also returns the id in it, for a `POST` without one in its path.
    /// - Throws: 400 or 422, naming the field.
    package static func definition(
        _ body: [UInt8], rules: any CalendarRules
    ) throws(Problem) -> (id: String?, definition: ScheduleDefinition) {
        let document = try UpdateDecoder.document(body)
        // Without surrounding space, as in a record.
        let source = document.source(of: document.root)
        return try definition(document, document.root, pointer: "", source: source, scope: ActionScope(rules: rules))
    }

    /// Decodes a schedule's own JSON, as kept from a request or an action.
    package static func definition(
        ofSource source: [UInt8], rules: any CalendarRules
    ) throws(Problem) -> ScheduleDefinition {
        let document = try UpdateDecoder.document(source, from: .stored)
        let scope = ActionScope(rules: rules)
        return try definition(document, document.root, pointer: "", source: source, scope: scope).definition
    }

    /// - Parameter source: The JSON to keep as the definition.
    static func definition(
        _ document: JSONDocument, _ node: JSONNode, pointer: String, source: [UInt8], scope: ActionScope
    ) throws(Problem) -> (id: String?, definition: ScheduleDefinition) {
        var fields = try FieldReader(document, node, pointer: pointer)
        let id = try fields.id("id")
        let node = fields.read("do")
        // Without actions its events are what it is for.
        var actions = ActionList(actions: [], source: Array("[]".utf8))
        if let node {
            actions = try ActionDecoder.actions(document, node, pointer: fields.pointer(to: "do"), scope: scope)
        }
        var definition = ScheduleDefinition(actions: actions, source: source)
        definition.meaning = node.map(document.meaning)
        let zone = try fields.string("timeZone", longest: 64)
        var dates = ZonedDates(zone: zone, rules: scope.rules)
        definition.plan.first = try first(&fields, &dates)
        definition.plan.until = try dates.date("until", &fields)
        definition.plan.recurrence = try recurrence(&fields, zone, isUsed: dates.usesZone, rules: scope.rules)
        definition.plan.count = try fields.integer("count", in: 1...1_000_000_000)
        definition.plan.missed = try fields.choice("ifMissed", FiringPlan.MissedPolicy.self) ?? .fire
        try readText(of: &definition, &fields)
        try fields.finish()
        guard definition.plan.first != nil || definition.plan.recurrence != nil else {
            throw .field(fields.pointer(to: "at"), "a schedule needs one of `at`, `in` or `every`")
        }
        guard definition.plan.recurrence != nil || (definition.plan.count ?? 1) == 1 else {
            throw .field(fields.pointer(to: "count"), "firing more than once needs `every`")
        }
        // Without a recurrence it fires once anyway.
        if definition.plan.recurrence == nil { definition.plan.count = nil }
        return (id, definition)
    }

    /// Reads what a schedule shows, and for how long after its end.
    private static func readText(
        of definition: inout ScheduleDefinition, _ fields: inout FieldReader
    ) throws(Problem) {
        let label = try fields.string("label", longest: UpdateDecoder.maximumLabelBytes)
        if let label {
            do throws(LabelError) {
                definition.label = try CountdownLabel(parsing: label)
            } catch {
                throw .field(fields.pointer(to: "label"), "\(error)")
            }
            if !fields.isStored {
                try LineRoom.check(label: label, of: .schedule, at: fields.pointer(to: "label"))
            }
        }
        definition.ended = try fields.string("ended", longest: UpdateDecoder.maximumLabelBytes)
        if let ended = definition.ended, !fields.isStored {
            try LineRoom.check(words: ended, at: fields.pointer(to: "ended"))
        }
        definition.locale = try fields.string("locale", longest: 64)
        let isShown = label?.isEmpty == false || definition.ended?.isEmpty == false
        let standard = isShown ? ScheduleDefinition.standardTimeToLive : 0
        definition.timeToLive = try fields.number("ttl", in: 0...TrackUpdate.maximumSeconds) ?? standard
    }

    private static func first(
        _ fields: inout FieldReader, _ dates: inout ZonedDates
    ) throws(Problem) -> FiringPlan.First? {
        let date = try dates.date("at", &fields)
        let seconds = try fields.number("in", in: 0...TrackUpdate.maximumSeconds * 10)
        switch (date, seconds) {
        case (.some, .some): throw .field(fields.pointer(to: "in"), "give either `at` or `in`, not both")
        case (let date?, nil): return .at(date)
        case (nil, let seconds?): return .after(seconds)
        case (nil, nil): return nil
        }
    }

    /// - Parameter isUsed: Whether a date needs the zone. Then an interval may have one, too.
    private static func recurrence(
        _ fields: inout FieldReader, _ zone: String?, isUsed: Bool, rules: any CalendarRules
    ) throws(Problem) -> Recurrence? {
        guard let node = fields.read("every") else {
            if zone != nil, !isUsed {
                throw .field(
                    fields.pointer(to: "timeZone"),
                    "`timeZone` needs a date without an offset, or a cron expression or a calendar duration in `every`")
            }
            return nil
        }
        if case .string(let text) = node.content {
            let repetition: Recurrence
            do throws(RecurrenceError) {
                repetition = try rules.repetition(text, zone: isUsed && text.hasPrefix("PT") ? nil : zone)
            } catch {
                throw .field(fields.pointer(to: error.field), error.reason)
            }
            guard case .interval(let seconds) = repetition else { return repetition }
            guard Recurrence.intervals.contains(seconds) || fields.isStored else {
                throw .field(fields.pointer(to: "every"), "an interval must be between 0.01 seconds and 365 days")
            }
            return .interval(seconds.held(in: Recurrence.intervals))
        }
        if zone != nil, !isUsed {
            throw .field(
                fields.pointer(to: "timeZone"),
                "an interval in seconds is the same in every time zone; leave out `timeZone`")
        }
        guard let seconds = fields.double(node), Recurrence.intervals.contains(seconds) || fields.isStored else {
            throw .field(
                fields.pointer(to: "every"),
                "must be seconds between 0.01 and 31536000, an ISO 8601 duration or a cron expression")
        }
        return .interval(seconds.held(in: Recurrence.intervals))
    }
}
