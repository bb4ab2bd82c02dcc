// A process of its own, that hashes as no other does.

import Foundation
import Testing

/// What `turns` says.
struct Transcript {
    /// How it hashes.
    let hash: Substring
    private(set) var lines: [Substring]

    init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "turns")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try #require(try output.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let text = String(decoding: data, as: UTF8.self)
        let end = try #require(text.firstIndex(of: "\n"))
        hash = text[..<end]
        lines = text[end...].split(separator: "\n")
    }

    var withoutAnswers: Transcript {
        var rest = self
        rest.lines.removeAll { $0.hasPrefix("answer ") }
        return rest
    }

    /// Whether another process has said the same.
    func expectSame(as other: Transcript) {
        #expect(hash != other.hash, "both hash alike, so nothing is shown")
        #expect(lines.count > 1_000)
        let difference = zip(lines, other.lines).first { $0 != $1 }
        #expect(difference == nil && lines.count == other.lines.count)
    }
}
