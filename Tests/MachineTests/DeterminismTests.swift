// The same turns have the same outcomes, in whatever process: what a replica computes is what its source has computed.

import Foundation
import Testing

@Suite struct DeterminismTests {
    private static var program: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "turns")
    }

    /// What a process says of the turns of a seed, without how it hashes.
    /// - Parameter every: It goes on from a snapshot after so many turns.
    private static func transcript(
        seed: Int, restoredEvery every: Int? = nil
    ) throws -> (hash: Substring, rest: Substring) {
        let process = Process()
        process.executableURL = program
        process.arguments = [String(seed), "250"] + (every.map { [String($0)] } ?? [])
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
        try compare(
            (one.hash, one.rest.split(separator: "\n")), (other.hash, other.rest.split(separator: "\n")))
        // Each kind of outcome comes up.
        for word in ["event", "crowd", "answer", "batch", "keep", "webhook", "note", "stream of"] {
            let isThere = one.rest.contains("\n\(word) ") || one.rest.contains(" \(word) ")
            #expect(isThere, "no \(word) among them")
        }
    }

    @Test(arguments: 1...4, [1, 7])
    func `a process that goes on from snapshots says the same as one that goes on`(seed: Int, every: Int) throws {
        // Who asked for a change to all schedules is no part of a snapshot: it is another process that is asked.
        let lines = try [Self.transcript(seed: seed), Self.transcript(seed: seed, restoredEvery: every)].map { text in
            (text.hash, text.rest.split(separator: "\n").filter { !$0.hasPrefix("answer ") })
        }
        try compare(lines[0], lines[1])
    }

    private func compare(
        _ one: (hash: Substring, lines: [Substring]), _ other: (hash: Substring, lines: [Substring])
    ) throws {
        #expect(one.hash != other.hash, "both hash alike, so nothing is shown")
        #expect(one.lines.count > 1_000)
        let difference = zip(one.lines, other.lines).first { $0 != $1 }
        #expect(difference == nil && one.lines.count == other.lines.count)
    }
}
