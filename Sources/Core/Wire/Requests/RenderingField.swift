// The fields that describe how a track is shown and how long it is kept, each with its JSON: how it is decoded, and how it
// is written into records and answers. A new field only needs the switches here.

import Base
import Board
import Labels

/// A field of an update that a track keeps.
enum RenderingField: String, CaseIterable {
    case label, prefix, suffix, index, maximum, initial, indeterminate, appearance, decimals, format, ttl

    /// The destination of a field.
    enum Form {
        /// Exact numbers, and defaults omitted.
        case record
        /// Numbers as JSON numbers, and everything in full.
        case answer
    }

    /// Returns the fields of a kind of track.
    static func all(of kind: ResourceKind) -> [RenderingField] { kind == .progress ? ofProgress : ofTickers }
    private static let ofProgress: [RenderingField] = [
        .label, .maximum, .initial, .indeterminate, .appearance, .decimals, .format, .ttl,
    ]
    private static let ofTickers: [RenderingField] = [.label, .prefix, .suffix, .index, .decimals, .format, .ttl]

    /// Decodes it into an update.
    /// - Throws: 422, naming the field.
    func read(_ fields: inout FieldReader, into update: inout TrackUpdate) throws(Problem) {
        switch self {
        case .label: update.label = try fields.string("label", longest: UpdateDecoder.maximumLabelBytes)
        case .prefix: update.prefix = try fields.string("prefix", longest: UpdateDecoder.maximumLabelBytes)
        case .suffix: update.suffix = try fields.string("suffix", longest: UpdateDecoder.maximumLabelBytes)
        case .index: update.index = try fields.integer("index", in: 0...999)
        case .maximum: update.maximum = try Self.maximum(&fields)
        case .initial:
            update.initial = try fields.read("initial").map { node throws(Problem) in
                try fields.decimal(node, named: "initial")
            }
        case .indeterminate:
            update.indeterminate = try fields.string("indeterminate", longest: UpdateDecoder.maximumLabelBytes)
        case .appearance: update.appearance = try AppearanceDecoder.appearance(&fields)
        case .decimals: update.decimals = try fields.integer("decimals", in: NumberPlan.decimalRange)
        case .format: update.format = try FormatOption.format(&fields)
        case .ttl: update.timeToLive = try fields.number("ttl", in: 0...TrackUpdate.maximumSeconds)
        }
    }

    /// Rejects fields that contradict each other.
    static func check(_ update: TrackUpdate, of kind: ResourceKind, _ fields: FieldReader) throws(Problem) {
        if !fields.isStored { try checkRoom(of: update, kind, fields) }
        guard let part = update.prefix != nil ? prefix : update.suffix != nil ? suffix : nil else { return }
        if update.label != nil {
            throw .field(fields.pointer(to: part.rawValue), "give either `label` or `\(part)`, not both")
        }
        if update.index != nil {
            throw .field(
                fields.pointer(to: "index"), "`index` picks a number of the label; leave it out beside `\(part)`")
        }
    }

    /// Rejects texts that are too large for frames.
    private static func checkRoom(
        of update: TrackUpdate, _ kind: ResourceKind, _ fields: FieldReader
    ) throws(Problem) {
        for (field, text) in [(label, update.label), (indeterminate, update.indeterminate)] {
            guard let text else { continue }
            try LineRoom.check(label: text, of: kind, at: fields.pointer(to: field.rawValue))
        }
        for (field, text) in [(prefix, update.prefix), (suffix, update.suffix)] {
            guard let text else { continue }
            try LineRoom.check(part: text, at: fields.pointer(to: field.rawValue))
        }
    }

    /// Writes a track's value in the form of an update, so that `read` can read it.
    func append(_ track: borrowing Track, as form: Form, to out: inout some FieldWriter) {
        switch (self, track.rendering) {
        case (.label, .ticker(let rendering)):
            switch rendering.text {
            case .label(let label, _), .words(let label): out.member("label", label)
            case .parts: break
            }
        case (.label, .progress(let rendering)): out.member("label", rendering.style.label)
        case (.prefix, .ticker(let rendering)):
            if case .parts(let prefix, _) = rendering.text { out.member("prefix", prefix) }
        case (.suffix, .ticker(let rendering)):
            if case .parts(_, let suffix) = rendering.text { out.member("suffix", suffix) }
        case (.index, .ticker(let rendering)):
            if case .label(_, let index) = rendering.text, index > 0 { out.member("index", index) }
        case (.maximum, .progress(let rendering)): Self.append(rendering.maximum, as: form, to: &out)
        case (.initial, .progress(let rendering)):
            if let initial = rendering.style.initial { Self.append(initial, named: "initial", as: form, to: &out) }
        case (.indeterminate, .progress(let rendering)):
            if let words = rendering.style.indeterminate { out.member("indeterminate", words) }
        case (.appearance, .progress(let rendering)):
            if let appearance = rendering.style.appearance { out.member("appearance", raw: appearance) }
        case (.decimals, let rendering): if let decimals = rendering.decimals { out.member("decimals", decimals) }
        case (.format, let rendering): if let format = rendering.format { Self.append(format, as: form, to: &out) }
        case (.ttl, _): if let seconds = track.timeToLive { out.member("ttl", stored: seconds) }
        case (.maximum, .ticker), (.initial, .ticker), (.indeterminate, .ticker), (.appearance, .ticker): break
        case (.prefix, .progress), (.suffix, .progress), (.index, .progress): break
        }
    }

    // MARK: - Values

    private static func maximum(_ fields: inout FieldReader) throws(Problem) -> TrackUpdate.Maximum? {
        guard let node = fields.read("maximum") else { return nil }
        if case .null = node.content { return .indeterminate }
        let maximum = try fields.decimal(node, named: "maximum")
        guard maximum >= .zero else {
            throw .field(fields.pointer(to: "maximum"), "must be 0 or more, or null for indeterminate")
        }
        return .value(maximum)
    }

    private static func append(_ maximum: TrackUpdate.Maximum, as form: Form, to out: inout some FieldWriter) {
        switch maximum {
        case .value(let value): append(value, named: "maximum", as: form, to: &out)
        case .indeterminate: out.member("maximum", raw: "null".utf8)
        }
    }

    private static func append(
        _ value: ExactDecimal, named name: String, as form: Form, to out: inout some FieldWriter
    ) {
        switch form {
        case .record: out.member(name, exact: value)
        case .answer: out.member(name, raw: value.description.utf8)
        }
    }

    private static func append(_ format: NumberFormat, as form: Form, to out: inout some FieldWriter) {
        out.member("format") { FormatOption.append(format, leavesOutUsual: form == .record, to: &$0) }
    }
}
