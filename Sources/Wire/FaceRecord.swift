// How a track is shown, as it is stored.

import Board
import Labels

/// Writes and reads the members of a face.
enum FaceRecord {
    static func append(_ face: Face, to json: inout JSONWriter) {
        switch face {
        case .ticker(let face):
            append(face.text, to: &json)
            append(face.format, face.decimals, to: &json)
        case .progress(let face):
            json.member("label", face.label)
            switch face.maximum {
            case .value(let value): json.member("maximum", value.description)
            case .indeterminate: json.member("maximum", raw: "null".utf8)
            }
            append(face.format, face.decimals, to: &json)
            if let appearance = face.appearance { json.member("appearance", raw: appearance) }
        }
    }

    private static func append(_ text: TickerFace.Text, to json: inout JSONWriter) {
        switch text {
        case .label(let label, let index):
            json.member("label", label)
            if index > 0 { json.member("index", index) }
        case .parts(let prefix, let suffix):
            json.member("prefix", prefix)
            json.member("suffix", suffix)
        }
    }

    /// What the reader of formats takes for granted.
    private static let usualFormat = NumberFormat()

    private static func append(_ format: NumberFormat?, _ decimals: Int?, to json: inout JSONWriter) {
        if let decimals { json.member("decimals", decimals) }
        if let format { json.member("format") { FormatEncoder.append(format, unless: usualFormat, to: &$0) } }
    }

    /// What a face was made of; the decimals of its number are not in its own record.
    static func recipe(_ fields: inout FieldReader, kind: ResourceKind) throws(Problem) -> FaceRecipe {
        let decimals = try fields.integer("decimals", in: 0...UpdateDecoder.maximumDecimals)
        let format = try fields.take("format").map { node throws(Problem) in
            try FormatDecoder.format(fields.document, node, pointer: "/format")
        }
        guard kind == .progress else {
            return FaceRecipe(content: .ticker(try text(&fields)), format: format, decimals: decimals)
        }
        let label = try fields.required(try fields.string("label"), "label")
        let maximum = try maximum(&fields)
        let appearance = fields.take("appearance").map { fields.document.source(of: $0) }
        return FaceRecipe(
            content: .progress(label: label, maximum: maximum, appearance: appearance), format: format,
            decimals: decimals)
    }

    private static func text(_ fields: inout FieldReader) throws(Problem) -> TickerFace.Text {
        if let prefix = try fields.string("prefix") {
            return .parts(prefix: prefix, suffix: try fields.string("suffix") ?? "")
        }
        let label = try fields.required(try fields.string("label"), "label")
        return .label(label, index: try fields.integer("index", in: 0...999) ?? 0)
    }

    private static func maximum(_ fields: inout FieldReader) throws(Problem) -> TrackUpdate.Maximum {
        let node = try fields.required(fields.take("maximum"), "maximum")
        if case .null = node.content { return .indeterminate }
        return .value(try fields.decimal(node, pointer: "/maximum"))
    }
}
