// The test vectors of Tests/Vectors, which several suites share. They are only read from the clone that the tests were built
// from; unreadable vectors fail the tests.

package import Foundation

/// The files of test vectors.
package enum TestVectors {
    /// Why there are no cases.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The folder of the files.
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tests/Vectors")

    /// Returns all cases of a kind, at least one, in the order of their file.
    /// - Throws: `Failure` if the file is missing or broken, or has no case of the kind.
    package static func cases<Case: Decodable>(
        _ kind: String, in file: String, of folder: URL = folder, as type: Case.Type = Case.self
    ) throws(Failure) -> [Case] {
        let decoder = JSONDecoder()
        if let kindKey { decoder.userInfo[kindKey] = kind }
        let found: [Case]
        do {
            let data = try Data(contentsOf: folder.appending(path: file))
            found = try decoder.decode(VectorFile<Case>.self, from: data).cases.compactMap(\.value)
        } catch {
            throw Failure(description: "the vectors of \(file) can't be read: \(error)")
        }
        guard !found.isEmpty else { throw Failure(description: "\(file) has no case of the kind \(kind)") }
        return found
    }
}

/// A case with any fields.
package struct VectorCase: Decodable, Sendable, CustomStringConvertible {
    package let id: String
    package let fields: JSONValue

    package init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CaseKey.self).decode(String.self, forKey: .id)
        fields = try JSONValue(from: decoder)
    }

    package var description: String { id }
    package var input: JSONValue { fields["input"] ?? .null }
    package var expected: JSONValue { fields["expected"] ?? .null }

    /// Returns all cases of a kind, at least one, in the order of their file.
    package static func all(_ kind: String, in file: String = "origins.json") throws(TestVectors.Failure)
        -> [VectorCase]
    {
        try TestVectors.cases(kind, in: file)
    }
}

private let kindKey = CodingUserInfoKey(rawValue: "kind")

private enum CaseKey: CodingKey { case id, kind }

private struct VectorFile<Case: Decodable>: Decodable {
    /// Cases of other kinds have other fields, so they are not decoded.
    struct Entry: Decodable {
        let value: Case?

        init(from decoder: any Decoder) throws {
            let kind = try decoder.container(keyedBy: CaseKey.self).decode(String.self, forKey: .kind)
            let wanted = kindKey.flatMap { decoder.userInfo[$0] as? String }
            value = kind == wanted ? try Case(from: decoder) : nil
        }
    }

    let cases: [Entry]
}
