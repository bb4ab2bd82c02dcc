// Reads the shared test vectors: next to the package when they are there, else the copy among the resources.

import Foundation
import Testing

/// A JSON value of a test vector.
indirect enum Vector: Decodable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([Vector])
    case fields([String: Vector])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([Vector].self) {
            self = .list(value)
        } else {
            self = .fields(try container.decode([String: Vector].self))
        }
    }

    subscript(key: String) -> Vector? {
        guard case .fields(let fields) = self, let value = fields[key] else { return nil }
        if case .null = value { return nil }
        return value
    }

    var number: Double? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    var flag: Bool? {
        guard case .flag(let value) = self else { return nil }
        return value
    }

    var list: [Vector]? {
        guard case .list(let values) = self else { return nil }
        return values
    }
}

/// One case of a vector file.
struct VectorCase: Sendable, CustomTestStringConvertible {
    let id: String
    let fields: Vector

    var testDescription: String { id }
    var input: Vector { fields["input"] ?? .null }
    var expected: Vector { fields["expected"] ?? .null }
    var status: String { fields["status"]?.text ?? "" }

    /// All cases of one kind, in the order of the file.
    static func all(_ kind: String, in file: String = "origins.json") throws -> [VectorCase] {
        let cases = try load(file)["cases"]?.list ?? []
        return cases.filter { $0["kind"]?.text == kind }.map { VectorCase(id: $0["id"]?.text ?? "", fields: $0) }
    }

    private static func load(_ file: String) throws -> Vector {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared = package.deletingLastPathComponent().appending(path: "shared/cases/\(file)")
        let copy = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Resources/\(file)")
        let data = try Data(contentsOf: FileManager.default.fileExists(atPath: shared.path) ? shared : copy)
        return try JSONDecoder().decode(Vector.self, from: data)
    }
}
