// A track as it is stored: with exact numbers, so that it continues after a restart where it would have been.

import Base
package import Board
import Labels
package import RecurrenceRules
import Tween

/// Encodes and decodes stored tracks.
package enum TrackRecord {
    /// Returns the record of a track.
    package static func contents(of track: Track) -> RecordContents {
        var parts = RecordParts()
        let body = RecordWriter.bytes { append(track, &parts, to: &$0) }
        return RecordContents(body: body, parts: parts.texts)
    }

    /// Appends the members of a record.
    static func append(_ track: Track, _ parts: inout RecordParts, to record: inout some FieldWriter) {
        record.member("revision", integer: Int64(bitPattern: track.revision))
        record.member("target", exact: track.target)
        append("rest", track.rest, to: &record)
        record.member("touched", at: track.touched)
        if let sequence = track.sequence { record.member("sequence", sequence) }
        if let defaults = track.definition?.source, !defaults.isEmpty {
            parts.append("defaults", defaults, as: RecordPart.defaults, to: &record)
            if let owner = track.definition?.owner { record.member("owner", owner) }
        }
        for field in RenderingField.all(of: track.name.kind) { field.append(track, as: .record, to: &record) }
        if case .ticker(let rendering) = track.rendering, case .words = rendering.text { record.member("words", true) }
        let shown = track.rendering.inferredDecimals
        if shown != impliedDecimals(track.run, target: track.target) { record.member("shownDecimals", shown) }
        if let last = track.cadence.lastUpdate {
            record.member("lastUpdate", at: last)
            let numbers = track.cadence.numbers
            if numbers != initialCadence { append("cadence", numbers, to: &record) }
        }
        if track.history != TargetHistory(since: track.touched) { append(track.history, to: &record) }
        let pace = track.pace.numbers
        if !pace.isEmpty { append("pace", pace, to: &record) }
        if let since = track.pausedSince { record.member("pausedSince", at: since) }
        if let run = track.run { record.member("run") { RunRecord.append(run, &parts, to: &$0) } }
        guard !track.waiting.isEmpty else { return }
        record.list("waiting") { record in for waiting in track.waiting { append(waiting, &parts, to: &record) } }
    }

    /// The decimals that a number shows unless they are set: those of its current or last target.
    private static func impliedDecimals(_ run: Run?, target: ExactDecimal) -> Int {
        (run?.request.target ?? target).scale
    }

    /// - Parameters:
    ///   - renderings: A cache for its rendering.
    ///   - rules: Calendar rules for schedules in its actions.
    /// - Throws: A problem if the record is not one of `contents(of:)`.
    package static func track(
        _ name: ResourceName, _ contents: RecordContents, renderings: RenderingCache,
        rules: any CalendarRules = NoCalendarRules()
    ) throws(Problem) -> Track {
        let document = try RecordParser.document(contents.body)
        var fields = try FieldReader(document, document.root, pointer: "")
        // In the order of writing, which makes lookups fast.
        let revision = UInt64(bitPattern: try fields.integer64("revision"))
        let target = try fields.required(try fields.decimal("target"), "target")
        let rest = try position("rest", &fields)
        let touched = try fields.instant("touched")
        let sequence = try fields.integer("sequence", in: 0...TrackUpdate.maximumSequence)
        let definition = try fields.text("defaults", in: contents.parts, of: name.kind).map { text throws(Problem) in
            try update(text, kind: name.kind, role: .definition, rules)
        }
        let owner = try fields.string("owner")
        let shown = try shown(of: name.kind, &fields)
        let showsWords = try fields.bool("words") ?? false
        let shownDecimals = try fields.integer("shownDecimals", in: 0...ExactDecimal.maximumDigits)
        let cadence = cadence(&fields)
        let history = history(&fields, touched: touched)
        let pace = numbers("pace", &fields)
        let pausedSince = fields.optionalInstant("pausedSince")
        let run = try fields.read("run").map { node throws(Problem) in
            var running = try FieldReader(document, node, pointer: "/run")
            return try RunRecord.run(&running, contents.parts, kind: name.kind, rules: rules)
        }
        let rendering: Rendering
        do throws(CommandError) {
            rendering = try renderings.rendering(
                LabelSpec(name.kind, in: shown, showsWords: showsWords),
                inferredDecimals: shownDecimals ?? impliedDecimals(run, target: target))
        } catch {
            throw Problem(error)
        }
        var track = Track(name: name, rendering: rendering, start: target, at: touched)
        (track.revision, track.rest, track.run) = (revision, rest, run)
        track.definition = definition?.posted(by: owner)
        (track.timeToLive, track.sequence) = (shown.timeToLive, sequence)
        (track.history, track.pausedSince) = (history, pausedSince)
        if let cadence { track.cadence = cadence }
        if let pace { track.pace = RateEstimator(numbers: pace) }
        if let node = fields.read("waiting"), case .array(let elements) = node.content {
            for element in elements {
                var waiting = try FieldReader(document, element, pointer: "/waiting")
                track.waiting.append(try self.waiting(&waiting, contents.parts, kind: name.kind, rules))
            }
        }
        return track
    }

    /// Reads how a track is shown.
    private static func shown(of kind: ResourceKind, _ fields: inout FieldReader) throws(Problem) -> TrackUpdate {
        var shown = TrackUpdate()
        for field in RenderingField.all(of: kind) { try field.read(&fields, into: &shown) }
        _ = try fields.required(shown.label ?? shown.prefix, "label")
        guard kind == .progress, fields.document.hasOldTemplates else { return shown }
        shown.label = shown.label.map(StoredTemplates.renewed)
        shown.indeterminate = shown.indeterminate.map(StoredTemplates.renewed)
        return shown
    }

    private static func cadence(_ fields: inout FieldReader) -> CadenceEstimator? {
        let last = fields.optionalInstant("lastUpdate")
        let numbers = numbers("cadence", &fields)
        guard let last else { return nil }
        return CadenceEstimator(numbers: numbers ?? initialCadence, last: last)
    }

    /// Appends the history: for each target the milliseconds since the one before and the value, then when the current target was
    /// set.
    private static func append(_ history: TargetHistory, to record: inout some FieldWriter) {
        record.list("history") { record in
            var last: Int64 = 0
            for point in history.past {
                record.number(Double(point.milliseconds &- last))
                record.number(point.value.stored)
                last = point.milliseconds
            }
            record.number(Double(history.since &- last))
        }
    }

    /// - Parameter touched: When the target was set, if no history was written.
    private static func history(_ fields: inout FieldReader, touched: Instant) -> TargetHistory {
        guard let numbers = numbers("history", &fields), numbers.count % 2 == 1 else {
            return TargetHistory(since: touched)
        }
        var past: [TargetHistory.Point] = []
        var last: Int64 = 0
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            last &+= Int64(saturating: numbers[index])
            past.append(TargetHistory.Point(milliseconds: last, value: numbers[index + 1]))
        }
        return TargetHistory(past: past, since: last &+ Int64(saturating: numbers[numbers.count - 1]))
    }

    private static func numbers(_ name: String, _ fields: inout FieldReader) -> [Double]? {
        guard let node = fields.read(name), case .array(let elements) = node.content else { return nil }
        var numbers: [Double] = []
        numbers.reserveCapacity(elements.count)
        for element in elements { if let number = fields.double(element) { numbers.append(number) } }
        return numbers
    }

    /// The cadence of a track with one update.
    private static let initialCadence = CadenceEstimator().numbers

    private static func update(
        _ text: StoredText, kind: ResourceKind, role: UpdateDecoder.Role, _ rules: any CalendarRules
    ) throws(Problem) -> TrackUpdate {
        var fields = try FieldReader(text.document, text.node, pointer: "")
        // An action's update also has its target's name.
        _ = fields.read("\(kind)")
        return try UpdateDecoder.update(
            &fields, source: text.source, kind: kind, role: role, scope: ActionScope(rules: rules))
    }

    // MARK: - Parts

    private static func append(_ name: String, _ numbers: [Double], to record: inout some FieldWriter) {
        record.list(name) { record in for number in numbers { record.number(number.stored) } }
    }

    static func append(_ name: String, _ position: Position, to record: inout some FieldWriter) {
        switch position {
        case .exact(let value): record.member(name, exact: value)
        case .moving(let value): record.member(name, stored: value)
        }
    }

    static func position(_ name: String, _ fields: inout FieldReader) throws(Problem) -> Position {
        guard let node = fields.read(name) else { throw .field(fields.pointer(to: name), "is missing") }
        if let value = fields.double(node) { return .moving(value) }
        return .exact(try fields.decimal(node, named: name))
    }

    private static func append(_ waiting: WaitingUpdate, _ parts: inout RecordParts, to record: inout some FieldWriter)
    {
        record.object {
            parts.append("update", waiting.update.source, as: RecordPart.waiting(waiting.animation), to: &$0)
            $0.member("target", exact: waiting.target)
            $0.member("animation", integer: Int64(bitPattern: waiting.animation))
            if waiting.update.declinesActions { $0.member("declines", true) }
            if let owner = waiting.update.owner { $0.member("owner", owner) }
        }
    }

    private static func waiting(
        _ fields: inout FieldReader, _ parts: [UInt64: [UInt8]], kind: ResourceKind, _ rules: any CalendarRules
    ) throws(Problem) -> WaitingUpdate {
        let text = try fields.required(try fields.text("update", in: parts, of: kind), "update")
        var update = try update(text, kind: kind, role: .update, rules)
        update.declinesActions = try fields.bool("declines") ?? false
        let target = try fields.required(try fields.decimal("target"), "target")
        let animation = UInt64(bitPattern: try fields.integer64("animation"))
        return WaitingUpdate(
            update: update.posted(by: try fields.string("owner")), target: target, animation: animation)
    }
}
