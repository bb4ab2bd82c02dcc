// Inputs that were worth keeping go through the very functions that the fuzzers call.

import Foundation
import FuzzTargets
import Testing

@Suite struct ReplayTests {
    /// The corpora, a folder for each target.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus")

    @Test(arguments: FuzzTarget.all)
    func `each kept fuzzer input passes its target's check`(target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.name)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        var count = 0
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            #expect(throws: Never.self, "\(target.name)/\(name)") { try target.check(bytes) }
            count += 1
        }
        #expect(count >= 3, "\(target.name) has \(count) inputs")
    }

    @Test func `every corpus folder belongs to a fuzz target`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(FuzzTarget.all.map(\.name)))
    }
}
