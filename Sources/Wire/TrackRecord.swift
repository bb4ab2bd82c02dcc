// A track as it is stored: JSON with every number exact, so that a restart goes on where it would be.

package import Board
import Labels
import Tween

/// Writes and reads stored tracks.
package enum TrackRecord {
    /// The record's body.
    package static func body(of track: Track) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object {
            $0.member("revision", String(track.revision))
            $0.member("target", track.target.description)
            append("rest", track.rest, to: &$0)
            $0.member("touched", String(track.touched.nanoseconds))
            if let seconds = track.timeToLive { $0.member("ttl", seconds) }
            if !track.defaults.source.isEmpty { $0.member("defaults", raw: track.defaults.source) }
            FaceRecord.append(track.face, to: &$0)
            if let last = track.cadence.lastUpdate {
                $0.member("lastUpdate", String(last.nanoseconds))
                let numbers = track.cadence.numbers
                if numbers != initialCadence {
                    $0.list("cadence") { json in for number in numbers { json.number(number) } }
                }
            }
            let pace = track.pace.numbers
            if !pace.isEmpty { $0.list("pace") { json in for number in pace { json.number(number) } } }
            if let run = track.run { $0.member("run") { append(run, to: &$0) } }
            guard !track.waiting.isEmpty else { return }
            $0.list("waiting") { json in for waiting in track.waiting { append(waiting, to: &json) } }
        }
        return json.bytes
    }

    /// - Parameter faces: Where its face is looked for.
    /// - Throws: A problem when the body is none that `body(of:)` writes.
    package static func track(_ name: ResourceName, body: [UInt8], faces: FaceShelf) throws(Problem) -> Track {
        let document = try UpdateDecoder.document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        let target = try fields.required(try fields.decimal("target"), "target")
        let touched = Instant(nanoseconds: try fields.integer64("touched"))
        var recipe = try FaceRecord.recipe(&fields, kind: name.kind)
        var run: Run?
        if let node = fields.take("run") {
            var running = try FieldReader(document, node, pointer: "/run")
            run = try RunRecord.run(&running, kind: name.kind)
        }
        recipe.inferredDecimals = (run?.request.target ?? target).scale
        let face: Face
        do throws(CommandError) {
            face = try faces.face(recipe)
        } catch {
            throw Problem(error)
        }
        var track = Track(name: name, face: face, start: target, at: touched)
        track.run = run
        track.revision = UInt64(bitPattern: try fields.integer64("revision"))
        track.rest = try position("rest", &fields)
        track.timeToLive = try fields.number("ttl")
        let cadence = fields.take("cadence")
        if let last = try fields.string("lastUpdate").flatMap({ Int64($0) }) {
            var numbers = initialCadence
            if let cadence, case .array(let elements) = cadence.content {
                numbers = elements.compactMap { fields.double($0) }
            }
            track.cadence = CadenceEstimator(numbers: numbers, last: Instant(nanoseconds: last))
        }
        if let node = fields.take("pace"), case .array(let elements) = node.content {
            track.pace = RateEstimator(numbers: elements.compactMap { fields.double($0) })
        }
        if let node = fields.take("defaults") {
            track.defaults = try update(document, node, kind: name.kind, role: .definition)
        }
        if let node = fields.take("waiting"), case .array(let elements) = node.content {
            for element in elements {
                var waiting = try FieldReader(document, element, pointer: "/waiting")
                track.waiting.append(try self.waiting(&waiting, kind: name.kind))
            }
        }
        return track
    }

    /// That of a track with one update.
    private static let initialCadence = CadenceEstimator().numbers

    static func update(
        _ document: JSONDocument, _ node: JSONNode, kind: ResourceKind, role: UpdateDecoder.Role
    ) throws(Problem) -> TrackUpdate {
        var fields = try FieldReader(document, node, pointer: "")
        // An action's update still names its target.
        _ = fields.take("\(kind)")
        return try UpdateDecoder.update(&fields, source: document.source(of: node), kind: kind, role: role, depth: 0)
    }

    // MARK: - Parts

    static func append(_ name: String, _ position: Position, to json: inout JSONWriter) {
        switch position {
        case .exact(let value): json.member(name, value.description)
        case .moving(let value): json.member(name, value)
        }
    }

    static func position(_ name: String, _ fields: inout FieldReader) throws(Problem) -> Position {
        guard let node = fields.take(name) else { throw .field(fields.pointer(to: name), "is missing") }
        if case .string = node.content {
            return .exact(try fields.decimal(node, pointer: fields.pointer(to: name)))
        }
        guard let value = fields.double(node) else { throw .field(fields.pointer(to: name), "is no number") }
        return .moving(value)
    }

    private static func append(_ run: Run, to json: inout JSONWriter) {
        RunRecord.append(run, to: &json)
    }

    private static func append(_ waiting: WaitingUpdate, to json: inout JSONWriter) {
        json.object {
            $0.member("update", raw: waiting.update.source)
            $0.member("target", waiting.target.description)
            $0.member("animation", String(waiting.animation))
        }
    }

    private static func waiting(
        _ fields: inout FieldReader, kind: ResourceKind
    ) throws(Problem) -> WaitingUpdate {
        let node = try fields.required(fields.take("update"), "update")
        return WaitingUpdate(
            update: try update(fields.document, node, kind: kind, role: .update),
            target: try fields.required(try fields.decimal("target"), "target"),
            animation: UInt64(bitPattern: try fields.integer64("animation")))
    }
}

extension FieldReader {
    func required<Value>(_ value: Value?, _ name: String) throws(Problem) -> Value {
        guard let value else { throw .field(pointer(to: name), "is missing") }
        return value
    }

    /// An integer of 64 bits, stored as a string since JSON's numbers are doubles to many readers.
    mutating func integer64(_ name: String) throws(Problem) -> Int64 {
        guard let text = try string(name), let value = Int64(text) else {
            throw .field(pointer(to: name), "must be an integer in a string")
        }
        return value
    }
}
