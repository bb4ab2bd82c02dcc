// `format` from JSON and back.

import Labels

enum FormatDecoder {
    static func format(_ document: JSONDocument, _ node: JSONNode, pointer: String) throws(Problem) -> NumberFormat {
        var fields = try FieldReader(document, node, pointer: pointer)
        var format = NumberFormat()
        format.locale = try fields.string("locale", longest: 64) ?? "en-US"
        format.style = try fields.choice("style", NumberFormat.Style.self) ?? .decimal
        try fields.finish()
        return format
    }
}

enum FormatEncoder {
    static func append(_ format: NumberFormat, to json: inout JSONWriter) {
        json.member("locale", format.locale)
        json.member("style", format.style.rawValue)
    }
}
