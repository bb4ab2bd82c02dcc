// The shared test vectors: read next to the package where they are, else from the copy kept here.
import Foundation
import Testing

/// One case of a vector file, as loose JSON with typed access.
struct Vector: Sendable, CustomTestStringConvertible {
    let id: String
    private let data: Data

    var testDescription: String { id }

    /// All cases of a kind in a file of `shared/cases`.
    static func cases(_ kind: String, in file: String) -> [Vector] {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        let shared = here.appending(path: "../../../shared/cases/\(file)").standardizedFileURL
        let copy = here.appending(path: "Resources/\(file)")
        guard let data = (try? Data(contentsOf: shared)) ?? (try? Data(contentsOf: copy)),
            let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = root["cases"] as? [[String: Any]]
        else { return [] }
        return cases.filter { $0["kind"] as? String == kind }.compactMap { fields in
            guard let id = fields["id"] as? String,
                let data = try? JSONSerialization.data(withJSONObject: fields)
            else { return nil }
            return Vector(id: id, data: data)
        }
    }

    var fields: Fields { Fields((try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]) }
}

/// A JSON object with typed access; what is missing is nil.
struct Fields {
    let values: [String: Any]

    init(_ values: [String: Any]) { self.values = values }

    /// A number, with the files' spelling of infinity.
    subscript(name: String) -> Double? {
        if values[name] as? String == "Infinity" { return .infinity }
        return (values[name] as? NSNumber)?.doubleValue
    }

    func text(_ name: String) -> String? { values[name] as? String }
    func flag(_ name: String) -> Bool? { values[name] as? Bool }
    func object(_ name: String) -> Fields { Fields(values[name] as? [String: Any] ?? [:]) }
    func objects(_ name: String) -> [Fields] { (values[name] as? [[String: Any]] ?? []).map(Fields.init) }
    func numbers(_ name: String) -> [Double] { (values[name] as? [NSNumber] ?? []).map(\.doubleValue) }
    func rows(_ name: String) -> [[Double]] {
        (values[name] as? [[NSNumber]] ?? []).map { $0.map(\.doubleValue) }
    }
}
