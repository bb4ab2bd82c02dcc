// Untyped JSON, for test vectors whose cases have different fields.

/// A JSON value; its accessors return nil for missing fields and other types.
package indirect enum JSONValue: Decodable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case fields([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .fields(try container.decode([String: JSONValue].self))
        }
    }

    /// Returns a field; nil also if it is null.
    package subscript(name: String) -> JSONValue? {
        guard case .fields(let fields) = self, let value = fields[name] else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// Whether a field exists, even if it is null.
    package func holds(_ name: String) -> Bool {
        guard case .fields(let fields) = self else { return false }
        return fields[name] != nil
    }

    /// The number; infinity, which JSON lacks, is a text in the vectors.
    package var number: Double? {
        switch self {
        case .number(let value): value
        case .text("Infinity"): .infinity
        default: nil
        }
    }

    package var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    package var flag: Bool? {
        guard case .flag(let value) = self else { return nil }
        return value
    }

    package var list: [JSONValue]? {
        guard case .list(let values) = self else { return nil }
        return values
    }
}
