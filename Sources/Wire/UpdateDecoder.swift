// Updates of tickers and progresses from JSON, every field checked and named when at fault.

package import Board
import Labels
import Tween

/// Decodes updates.
package enum UpdateDecoder {
    /// The longest label, in bytes of UTF-8.
    package static let maximumLabelBytes = 4_096
    /// The longest easing text, in bytes.
    static let maximumEasingBytes = 4_096
    /// The largest playback rate, either way.
    static let maximumRate = 1_000.0
    /// The most digits after the point.
    static let maximumDecimals = 20

    /// What a request may hold.
    package enum Role: Sendable {
        /// `POST`: moves.
        case update
        /// `PUT`: label, format and default timing only.
        case definition
    }

    /// - Throws: 400 or 422, naming the field.
    package static func update(
        _ body: [UInt8], kind: ResourceKind, role: Role
    ) throws(Problem) -> TrackUpdate {
        let document = try document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        return try update(&fields, source: body, kind: kind, role: role, depth: 0)
    }

    package static func document(
        _ body: [UInt8], from origin: JSONDocument.Origin = .request
    ) throws(Problem) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(body, from: origin)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads the members that are left as an update.
    static func update(
        _ fields: inout FieldReader, source: [UInt8], kind: ResourceKind, role: Role, depth: Int
    ) throws(Problem) -> TrackUpdate {
        var update = TrackUpdate(source: source)
        try readShown(&fields, into: &update, kind: kind)
        try readTiming(&fields, into: &update)
        if role == .update { try readGoal(&fields, into: &update, kind: kind, depth: depth) }
        try fields.finish()
        if role == .update, update.goal == nil, kind == .ticker {
            throw .field(fields.pointer + "/to", "an update needs to or by")
        }
        if role == .update, update.goal == nil, update.maximum == nil, update.label == nil, update.appearance == nil {
            throw .field(fields.pointer + "/current", "an update needs current, by or maximum")
        }
        return update
    }

    private static func readGoal(
        _ fields: inout FieldReader, into update: inout TrackUpdate, kind: ResourceKind, depth: Int
    ) throws(Problem) {
        let name = kind == .progress ? "current" : "to"
        let end = try fields.decimal(name)
        let amount = try fields.decimal("by")
        switch (end, amount) {
        case (.some, .some): throw .field(fields.pointer(to: "by"), "\(name) and by exclude each other")
        case (let end?, nil): update.goal = .to(end)
        case (nil, let amount?): update.goal = .by(amount)
        case (nil, nil): break
        }
        update.from = try fields.decimal("from")
        if update.decimals == nil, update.format == nil, let scale = (end ?? amount)?.scale, scale > maximumDecimals,
            !fields.isStored
        {
            throw .field(
                fields.pointer(to: end == nil ? "by" : name),
                "more than \(maximumDecimals) digits after the point; set decimals to round what is shown")
        }
        if let node = fields.take("then") {
            update.then = try ActionDecoder.actions(
                fields.document, node, pointer: fields.pointer(to: "then"), depth: depth + 1)
        }
    }

    private static func readShown(
        _ fields: inout FieldReader, into update: inout TrackUpdate, kind: ResourceKind
    ) throws(Problem) {
        update.label = try fields.string("label", longest: maximumLabelBytes)
        update.timeToLive = try fields.number("ttl", in: 0...TrackUpdate.maximumSeconds)
        if kind == .progress {
            try readProgress(&fields, into: &update)
        } else {
            try readParts(&fields, into: &update)
        }
        update.decimals = try fields.integer("decimals", in: 0...maximumDecimals)
        if let node = fields.take("format") {
            update.format = try FormatDecoder.format(fields.document, node, pointer: fields.pointer(to: "format"))
        }
    }

    private static func readParts(
        _ fields: inout FieldReader, into update: inout TrackUpdate
    ) throws(Problem) {
        update.index = try fields.integer("index", in: 0...999)
        update.prefix = try fields.string("prefix", longest: maximumLabelBytes)
        update.suffix = try fields.string("suffix", longest: maximumLabelBytes)
        guard let part = update.prefix != nil ? "prefix" : update.suffix != nil ? "suffix" : nil else { return }
        if update.label != nil { throw .field(fields.pointer(to: part), "label and \(part) exclude each other") }
        if update.index != nil { throw .field(fields.pointer(to: "index"), "\(part) leaves no number to choose") }
    }

    private static func readProgress(
        _ fields: inout FieldReader, into update: inout TrackUpdate
    ) throws(Problem) {
        if let node = fields.take("maximum") {
            if case .null = node.content {
                update.maximum = .indeterminate
            } else {
                let maximum = try fields.decimal(node, pointer: fields.pointer(to: "maximum"))
                guard maximum > ExactDecimal(0) else {
                    throw .field(fields.pointer(to: "maximum"), "must be above 0, or null")
                }
                update.maximum = .value(maximum)
            }
        }
        if let node = fields.take("appearance") {
            if !fields.isStored {
                try AppearanceDecoder.check(fields.document, node, pointer: fields.pointer(to: "appearance"))
            }
            update.appearance = fields.document.source(of: node)
        }
    }

    static func readTiming(_ fields: inout FieldReader, into update: inout TrackUpdate) throws(Problem) {
        let seconds = 0...TrackUpdate.maximumSeconds
        update.length = try length(&fields, in: seconds)
        update.delay = try fields.number("delay", in: seconds)
        update.endDelay = try fields.number("endDelay", in: seconds)
        update.curve = try CurveDecoder.curve(&fields, hasLength: update.length != nil)
        update.repeats = try repeats(&fields)
        update.autoreverse = try fields.bool("autoreverse")
        update.direction = try fields.choice("direction", Direction.self)
        update.rate = try fields.number("rate", in: 0...maximumRate)
        update.clamp = try fields.bool("clamp")
        update.animated = try fields.bool("animated")
        update.interruption = try fields.choice("interrupt", TrackUpdate.Interruption.self)
        update.milestones = try milestones(&fields)
    }

    private static func length(
        _ fields: inout FieldReader, in range: ClosedRange<Double>
    ) throws(Problem) -> TrackUpdate.Length? {
        guard let node = fields.take("duration") else { return nil }
        if case .string("auto") = node.content { return .automatic }
        guard let seconds = fields.double(node), range.contains(seconds) || fields.isStored else {
            throw .field(fields.pointer(to: "duration"), "must be seconds between 0 and 31536000, or \"auto\"")
        }
        return .seconds(seconds.held(in: range))
    }

    private static func repeats(_ fields: inout FieldReader) throws(Problem) -> Double? {
        guard let node = fields.take("repeat") else { return nil }
        if case .string("forever") = node.content { return .infinity }
        guard let count = fields.double(node), counts.contains(count) || fields.isStored else {
            throw .field(fields.pointer(to: "repeat"), "must be a number between 0 and 1000000000, or \"forever\"")
        }
        return count.held(in: counts)
    }

    /// How often a motion may be repeated.
    private static let counts = 0...1_000_000_000.0

    private static func milestones(_ fields: inout FieldReader) throws(Problem) -> [ExactDecimal]? {
        guard let node = fields.take("milestones") else { return nil }
        let pointer = fields.pointer(to: "milestones")
        guard case .array(let elements) = node.content,
            elements.count <= TrackUpdate.maximumMilestones || fields.isStored
        else {
            throw .field(pointer, "must be an array of at most \(TrackUpdate.maximumMilestones) numbers")
        }
        var values: [ExactDecimal] = []
        for (index, element) in elements.enumerated() {
            values.append(try fields.decimal(element, pointer: "\(pointer)/\(index)"))
        }
        return values
    }
}
