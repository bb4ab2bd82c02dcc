// The command line: what the help says, and what the documentation says of flags.

import Foundation
import TestSupport
import Testing

@Suite struct HelpTests {
    private static func text(of file: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: file), encoding: .utf8)
    }

    /// The rows of the table of settings.
    private static func table() throws -> [Substring] {
        try text(of: "docs/configuration.md").split(separator: "\n").filter { $0.hasPrefix("| `--") }
    }

    /// The names of the flags in a text, after the dashes.
    private static func flags(in text: String) -> Set<String> {
        Set(text.matches(of: /--([a-z][a-z-]+)/).map { String($0.output.1) })
    }

    @Test func `every flag of the help stands in the table of settings with its default`() throws {
        let (code, help) = try ServerProcess.output(["--help"])
        #expect(code == 0)
        let table = try Self.table()
        for line in help.split(separator: "\n") where line.hasPrefix("  --") {
            let name = String(line.dropFirst(4).prefix { $0 != " " })
            guard name != "store" else { continue }
            let row = try #require(table.first { $0.contains("`--\(name)") }, "no row for --\(name)")
            guard let number = line.firstMatch(of: /\(default (\d+)\)$/)?.output.1, name != "port" else { continue }
            #expect(row.hasSuffix("| \(number) |"), "--\(name): not \(number): \(row)")
        }
    }

    @Test func `a FIFO of tokens is refused, not waited for`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/tokens"
        try #require(try Tool.run(["mkfifo", path]).code == 0)
        let (code, errors) = try ServerProcess.run(["--auth", "tokens:\(path)"])
        #expect(code == 2 && errors.contains("--auth: \(path) can't be read"), "\(errors)")
    }

    @Test func `every flag named in the documentation exists`() throws {
        let known = Self.flags(in: try ServerProcess.output(["--help"]).output)
        let limits = try Self.text(of: "docs/limits.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(Self.flags(in: limits.joined(separator: "\n")).isSubset(of: known))
        let table = try Self.table()
        #expect(Self.flags(in: table.joined(separator: "\n")).isSubset(of: known))
    }

    @Test(arguments: [
        (["--tick-rate", "0"], "--tick-rate: must be a whole number from 1 to 1000, not 0"),
        (["--tick-rate=x"], "--tick-rate: must be a whole number"), (["--nonsense"], "unknown argument --nonsense"),
        (["--demo=1"], "--demo takes no value"), (["--port"], "--port needs a value"),
        (["--send", "poll"], "--send: must be epoll or uring, not poll"),
        (["--store", "x"], "--store: must be sqlite:FOLDER or redis://"),
        (["--store", "rediss://h?name=b"], "--store: "),
        (["--store", "redis://h"], "--store: "),
        (["--webhook-host", "*"], "--webhook-host needs --webhook-secret"), (["backup"], "backup needs the file"),
        (["copy"], "copy needs --from URL and --to URL"),
        (["copy", "--from", "sqlite:a"], "copy needs --from URL and --to URL"),
        (["copy", "--from", "sqlite:a", "--from", "sqlite:b"], "copy needs --from URL and --to URL"),
        (["copy", "--from", "a", "--to", "sqlite:b"], "--from: must be sqlite:FOLDER or redis://"),
        (["token", "--for", "0"], "--for: must be seconds from 1 to 31536000, not 0"),
        (["token", "--publish", "shop-*"], "--publish: must be topics such as ticker=shop-*"),
        (["token", "--admin=yes"], "--admin takes no value"), (["token", "--name"], "--name needs a value"),
        (["token", "--nonsense"], "unknown argument --nonsense"),
        (["--auth", ""], "--auth: must be one of tokens, jwks, hs256, rs256, es256, eddsa, a colon, and a file\n"),
        (["--auth", ","], "--auth: must be one of tokens, jwks"),
        (["--auth", "tokens"], "--auth: must be one of tokens, jwks, hs256, rs256, es256, eddsa, a colon, and a file"),
        (["--auth", "tokens:/no/such/file"], "--auth: /no/such/file can't be read"),
        (["--trusted-proxy", "127.0.0.1/32"], "--trusted-proxy lets other machines in: set --auth, or --insecure"),
        (["--trusted-proxy", "::1/128"], "--trusted-proxy lets other machines in"),
        (["--allowed-host", "board.example"], "--allowed-host board.example lets other machines in: set --auth"),
        (["--allowed-host", "localhost,board"], "--allowed-host board lets other machines in"),
        (["--allowed-host", "[2001:db8::1]:8080"], "--allowed-host [2001:db8::1]:8080 lets other machines in"),
        (["--allowed-host", "*"], "--allowed-host * lets other machines in"),
        (["--host", "0.0.0.0"], "--host 0.0.0.0 lets other machines in"),
        (["--host", "::"], "--host :: lets other machines in"),
        (["--trusted-proxy", "ten"], "--trusted-proxy: must be networks such as 10.0.0.0/8"),
        (["copy", "--to=rediss://h?name=b", "--from=sqlite:a"], "--to: "),
        (["copy", "--from", "sqlite:a", "--to", "redis://h"], "--to: the board needs a name"),
    ])
    func `an invalid flag is refused with exit code 2 and its name`(arguments: [String], message: String) throws {
        let (code, errors) = try ServerProcess.run(arguments)
        #expect(code == 2 && errors.contains(message), "\(errors)")
    }
}
