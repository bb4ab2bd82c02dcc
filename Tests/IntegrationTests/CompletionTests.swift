// What shells complete and what `man` shows: every command and flag that the help has.

import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
    private static func output(_ arguments: String...) throws -> String {
        let (code, text) = try ServerProcess.output(arguments)
        #expect(code == 0)
        return text
    }

    /// The names of the flags that the help describes.
    private static func flags() throws -> [String] {
        try output("--help").split(separator: "\n").filter { $0.hasPrefix("  --") }
            .map { String($0.dropFirst(4).prefix { $0 != " " }) }
    }

    private static let commands = [
        "serve", "backup", "restore", "check", "copy", "token", "config", "health", "completion", "manual", "version",
        "set", "add", "progress", "notify", "get", "list", "watch", "pipe", "exec",
    ]

    @Test(arguments: ["bash", "zsh", "fish"]) func `a shell is told every command and flag`(shell: String) throws {
        let script = try Self.output("completion", shell)
        let words = Set(script.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
        let flags = try Self.flags()
        #expect(flags.count > 60)
        for flag in flags { #expect(words.contains(shell == "fish" ? flag : "--\(flag)"), "\(flag)") }
        for command in Self.commands { #expect(words.contains(command), "\(command)") }
    }

    @Test func `bash completes flags, files and values`() throws {
        let script = try Self.output("completion", "bash")
        let folder = TemporaryFolder()
        let path = folder.path + "/completion.bash"
        try Data(script.utf8).write(to: URL(filePath: path))
        func completed(_ word: String, after previous: String) throws -> [String] {
            let run = try Tool.run([
                "bash", "-c",
                "source '\(path)'; COMP_WORDS=(tweencast '\(previous)' '\(word)'); COMP_CWORD=2; _tweencast; "
                    + "printf '%s\\n' \"${COMPREPLY[@]}\"",
            ])
            #expect(run.code == 0, "\(run.output)")
            return run.output.split(separator: "\n").map(String.init)
        }
        #expect(try completed("--lame", after: "serve") == ["--lame-duck"])
        #expect(try completed("--tls-", after: "serve").sorted() == ["--tls-cert", "--tls-key"])
        #expect(try completed(folder.path + "/comp", after: "--config") == [path])
        #expect(try completed(folder.path + "/comp", after: "backup") == [path])
        #expect(try completed(folder.path + "/comp", after: "--data").isEmpty)
        #expect(try completed("", after: "--log-level") == ["debug", "info", "warning", "error"])
        #expect(try completed("o", after: "--access-log") == ["off"])
        #expect(try completed("", after: "completion") == ["bash", "zsh", "fish"])
        #expect(try completed("--d", after: "set") == ["--duration"])
        #expect(try completed("--da", after: "get").isEmpty)
    }

    @Test func `completion for an unknown shell is refused`() throws {
        for arguments in [["completion"], ["completion", "tcsh"]] {
            let (code, errors) = try ServerProcess.run(arguments)
            #expect(code == 2 && errors.contains("completion needs one of bash, zsh, fish"))
        }
    }

    @Test func `the manual describes every command and flag`() throws {
        let page = try Self.output("manual").replacing("\\-", with: "-")
        let lines = Set(page.split(separator: "\n").map(String.init))
        for flag in try Self.flags() {
            #expect(lines.contains { $0.hasPrefix("\\fB--\(flag)\\fR") }, "\(flag)")
        }
        for command in Self.commands {
            #expect(lines.contains { $0 == ".B \(command)" || $0.hasPrefix(".B \(command) ") }, "\(command)")
        }
    }
}
