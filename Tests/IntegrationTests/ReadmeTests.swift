// The README's commands, run as they stand against a real server.

import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
    /// The commands of the README's shell blocks that talk to a server.
    static func commands() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        var commands: [String] = []
        var isShell = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isShell = line == "```sh"
            } else if isShell, line.hasPrefix("curl ") || line.hasPrefix("printf ") {
                commands.append(String(line))
            }
        }
        return commands
    }

    @Test func `every command of the README works as written`() throws {
        let server = try ServerProcess()
        let commands = try Self.commands()
        #expect(commands.count > 10)
        for command in commands {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            let local = command.replacing("localhost:8080", with: "localhost:\(server.port)")
                .replacing("--max-time 3", with: "--max-time 1").replacing("curl ", with: "curl -sS ")
            process.arguments = ["-c", local]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            // 28: a stream that was given a time ended with it.
            let isTimed = command.contains("--max-time")
            #expect(process.terminationStatus == 0 || isTimed && process.terminationStatus == 28, "\(command): \(text)")
            #expect(!text.contains(#""title":"#), "\(command): \(text)")
            if isTimed { #expect(text.contains("event: hello"), "\(command): \(text)") }
        }
    }
}
