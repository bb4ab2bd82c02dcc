// The vectors themselves: that they are there, and that they can't go missing unnoticed.

import Foundation
import TestSupport
import Testing

@Suite struct VectorsTests {
    private let folder = TemporaryFolder()

    /// Reads the cases of a kind from a file of these contents; nil for no file.
    private func read(_ contents: String?, kind: String = "scan") throws -> [VectorCase] {
        let folder = URL(filePath: folder.path)
        if let contents { try Data(contents.utf8).write(to: folder.appending(path: "vectors.json")) }
        return try TestVectors.cases(kind, in: "vectors.json", of: folder)
    }

    @Test(arguments: [
        nil, "", "[", #"{"cases":7}"#, #"{"cases":[]}"#, #"{"cases":[{"id":"a"}]}"#, #"{"cases":[{"kind":"scan"}]}"#,
        #"{"cases":[{"id":"a","kind":"render"}]}"#,
    ])
    func `a vector file that is missing, broken or without the asked kind throws`(contents: String?) {
        #expect(throws: TestVectors.Failure.self) { try read(contents) }
    }

    @Test func `vector cases of other kinds are not decoded`() throws {
        let cases = try read(
            #"{"cases":[{"kind":"render","id":7},{"kind":"scan","id":"a","input":{"to":"Infinity"}}]}"#)
        #expect(cases.map(\.id) == ["a"])
        #expect(cases.first?.input["to"]?.number == .infinity)
    }

    @Test(arguments: [
        ("easing.json", "easing", 79), ("easing.json", "easing_chain", 38), ("easing.json", "timing", 103),
        ("easing.json", "spring", 42), ("origins.json", "ticker", 48),
        ("origins.json", "curve", 29), ("origins.json", "spring", 25), ("intl.json", "number", 2_607),
        ("plurals.json", "plural", 38), ("penner.json", "easing", 369),
    ])
    func `each vector file has at least its known number of cases`(file: String, kind: String, least: Int) throws {
        #expect(try VectorCase.all(kind, in: file).count >= least)
    }

    @Test func `the vectors lie in the clone that the tests were built from`() {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        #expect(TestVectors.folder.standardizedFileURL.path.hasPrefix(tests.standardizedFileURL.path + "/"))
    }
}
