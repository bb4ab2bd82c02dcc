// A track as it is stored: JSON with every number exact, so that a restart goes on where it would be.

package import Board
import Labels
import Primitives
package import Recurrences
import Tween

/// Writes and reads stored tracks.
package enum TrackRecord {
    /// The record.
    package static func contents(of track: Track) -> RecordContents {
        var json = JSONWriter(capacity: 256)
        var parts = RecordParts()
        json.object {
            $0.member("revision", String(track.revision))
            $0.member("target", track.target.description)
            append("rest", track.rest, to: &$0)
            $0.member("touched", String(track.touched.nanoseconds))
            if let sequence = track.sequence { $0.member("sequence", sequence) }
            if let defaults = track.definition?.source, !defaults.isEmpty {
                parts.append("defaults", defaults, as: RecordPart.defaults, to: &$0)
            }
            for field in FaceField.all(of: track.name.kind) { field.append(track, as: .record, to: &$0) }
            let shown = track.face.inferredDecimals
            if shown != impliedDecimals(track.run, target: track.target) { $0.member("shownDecimals", shown) }
            if let last = track.cadence.lastUpdate {
                $0.member("lastUpdate", String(last.nanoseconds))
                let numbers = track.cadence.numbers
                if numbers != initialCadence {
                    $0.list("cadence") { json in for number in numbers { json.number(number.stored) } }
                }
            }
            let pace = track.pace.numbers
            if !pace.isEmpty { $0.list("pace") { json in for number in pace { json.number(number.stored) } } }
            if let run = track.run { $0.member("run") { RunRecord.append(run, &parts, to: &$0) } }
            guard !track.waiting.isEmpty else { return }
            $0.list("waiting") { json in for waiting in track.waiting { append(waiting, &parts, to: &json) } }
        }
        return RecordContents(body: json.bytes, parts: parts.texts)
    }

    /// The decimals that a number shows unless something fixes them: those of where it goes, or went last.
    private static func impliedDecimals(_ run: Run?, target: ExactDecimal) -> Int {
        (run?.request.target ?? target).scale
    }

    /// - Parameters:
    ///   - faces: Where its face is looked for.
    ///   - rules: For schedules that its actions make.
    /// - Throws: A problem when the record is none that `contents(of:)` makes.
    package static func track(
        _ name: ResourceName, _ contents: RecordContents, faces: FaceShelf, rules: any CalendarRules = NoCalendarRules()
    ) throws(Problem) -> Track {
        let document = try UpdateDecoder.document(contents.body, from: .stored)
        var fields = try FieldReader(document, document.root, pointer: "")
        // In the order in which it is written: what is looked for is found at once.
        let revision = UInt64(bitPattern: try fields.integer64("revision"))
        let target = try fields.required(try fields.decimal("target"), "target")
        let rest = try position("rest", &fields)
        let touched = Instant(nanoseconds: try fields.integer64("touched"))
        let sequence = try fields.integer("sequence", in: 0...TrackUpdate.maximumSequence)
        let definition = try fields.text("defaults", in: contents.parts).map { text throws(Problem) in
            try update(text, kind: name.kind, role: .definition, rules)
        }
        var shown = TrackUpdate()
        for field in FaceField.all(of: name.kind) { try field.read(&fields, into: &shown) }
        _ = try fields.required(shown.label ?? shown.prefix, "label")
        let shownDecimals = try fields.integer("shownDecimals", in: 0...ExactDecimal.maximumDigits)
        let cadence = try cadence(&fields)
        let pace = numbers("pace", &fields)
        let run = try fields.take("run").map { node throws(Problem) in
            var running = try FieldReader(document, node, pointer: "/run")
            return try RunRecord.run(&running, contents.parts, kind: name.kind, rules: rules)
        }
        let face: Face
        do throws(CommandError) {
            face = try faces.face(
                FaceRecipe(name.kind, in: shown),
                inferredDecimals: shownDecimals ?? impliedDecimals(run, target: target))
        } catch {
            throw Problem(error)
        }
        var track = Track(name: name, face: face, start: target, at: touched)
        (track.revision, track.rest, track.run) = (revision, rest, run)
        (track.definition, track.timeToLive, track.sequence) = (definition, shown.timeToLive, sequence)
        if let cadence { track.cadence = cadence }
        if let pace { track.pace = RateEstimator(numbers: pace) }
        if let node = fields.take("waiting"), case .array(let elements) = node.content {
            for element in elements {
                var waiting = try FieldReader(document, element, pointer: "/waiting")
                track.waiting.append(try self.waiting(&waiting, contents.parts, kind: name.kind, rules))
            }
        }
        return track
    }

    private static func cadence(_ fields: inout FieldReader) throws(Problem) -> CadenceEstimator? {
        let last = try fields.string("lastUpdate").flatMap { Int64($0) }
        let numbers = numbers("cadence", &fields)
        guard let last else { return nil }
        return CadenceEstimator(numbers: numbers ?? initialCadence, last: Instant(nanoseconds: last))
    }

    private static func numbers(_ name: String, _ fields: inout FieldReader) -> [Double]? {
        guard let node = fields.take(name), case .array(let elements) = node.content else { return nil }
        return elements.compactMap { fields.double($0) }
    }

    /// That of a track with one update.
    private static let initialCadence = CadenceEstimator().numbers

    private static func update(
        _ text: StoredText, kind: ResourceKind, role: UpdateDecoder.Role, _ rules: any CalendarRules
    ) throws(Problem) -> TrackUpdate {
        var fields = try FieldReader(text.document, text.node, pointer: "")
        // An action's update still names its target.
        _ = fields.take("\(kind)")
        return try UpdateDecoder.update(
            &fields, source: text.source, kind: kind, role: role, scope: ActionScope(rules: rules))
    }

    // MARK: - Parts

    static func append(_ name: String, _ position: Position, to json: inout JSONWriter) {
        switch position {
        case .exact(let value): json.member(name, value.description)
        case .moving(let value): json.member(name, stored: value)
        }
    }

    static func position(_ name: String, _ fields: inout FieldReader) throws(Problem) -> Position {
        guard let node = fields.take(name) else { throw .field(fields.pointer(to: name), "is missing") }
        if case .string = node.content {
            return .exact(try fields.decimal(node, pointer: fields.pointer(to: name)))
        }
        guard let value = fields.double(node) else { throw .field(fields.pointer(to: name), "is not a number") }
        return .moving(value)
    }

    private static func append(_ waiting: WaitingUpdate, _ parts: inout RecordParts, to json: inout JSONWriter) {
        json.object {
            parts.append("update", waiting.update.source, as: RecordPart.waiting(waiting.animation), to: &$0)
            $0.member("target", waiting.target.description)
            $0.member("animation", String(waiting.animation))
        }
    }

    private static func waiting(
        _ fields: inout FieldReader, _ parts: [UInt64: [UInt8]], kind: ResourceKind, _ rules: any CalendarRules
    ) throws(Problem) -> WaitingUpdate {
        let text = try fields.required(try fields.text("update", in: parts), "update")
        return WaitingUpdate(
            update: try update(text, kind: kind, role: .update, rules),
            target: try fields.required(try fields.decimal("target"), "target"),
            animation: UInt64(bitPattern: try fields.integer64("animation")))
    }
}
