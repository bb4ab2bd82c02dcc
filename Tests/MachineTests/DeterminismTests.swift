// The same turns have the same outcomes, in whatever process: what a replica computes is what its source has computed.

import Foundation
import Testing

@Suite struct DeterminismTests {
    private static var program: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "turns")
    }

    /// What a process says of the turns of a seed, without how it hashes.
    private static func transcript(seed: Int) throws -> (hash: Substring, rest: Substring) {
        let process = Process()
        process.executableURL = program
        process.arguments = [String(seed), "250"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try #require(try output.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let text = String(decoding: data, as: UTF8.self)
        let end = try #require(text.firstIndex(of: "\n"))
        return (text[..<end], text[end...])
    }

    @Test(arguments: 1...4)
    func `two processes that hash differently say the same of the same turns`(seed: Int) throws {
        let (one, other) = (try Self.transcript(seed: seed), try Self.transcript(seed: seed))
        #expect(one.hash != other.hash, "both hash alike, so nothing is shown")
        #expect(one.rest.count > 100_000)
        let lines = zip(one.rest.split(separator: "\n"), other.rest.split(separator: "\n"))
        let difference = lines.first { $0 != $1 }
        #expect(difference == nil && one.rest.count == other.rest.count)
        // Each kind of outcome comes up.
        for word in ["event", "crowd", "answer", "batch", "keep", "webhook", "note", "stream of"] {
            let isThere = one.rest.contains("\n\(word) ") || one.rest.contains(" \(word) ")
            #expect(isThere, "no \(word) among them")
        }
    }
}
